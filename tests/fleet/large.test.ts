import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepositories } from '../../src/fleet/open-repositories.ts';
import { createGit } from '../../src/fleet/run-git.ts';
import { seededRandom } from '../support/seeded-random.ts';

const files = 20_000;
const fileBytes = 4_096;

/** A repository of random bytes, which no compression makes smaller. */
async function makeLarge(folder: string): Promise<void> {
  mkdirSync(folder);
  const init = spawn('git', ['init', '-q', folder]);
  await once(init, 'close');
  const child = spawn('git', ['-C', folder, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const random = seededRandom(7);
  const bytes = Buffer.alloc(fileBytes);
  const write = async (chunk: Buffer | string): Promise<void> => {
    if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
  };
  await write('commit HEAD\ncommitter a <a@b> 0 +0000\ndata 3\none\n');
  for (let file = 0; file < files; file += 1) {
    for (let at = 0; at < fileBytes; at += 4) bytes.writeInt32LE((random() * 2 ** 32) | 0, at);
    await write(`M 100644 inline ${file % 100}/${file}\ndata ${fileBytes}\n`);
    await write(Buffer.concat([bytes, Buffer.from('\n')]));
  }
  child.stdin.end();
  await once(child, 'close');
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, { parentPath, name }) => {
      const stats = statSync(join(parentPath, name), { throwIfNoEntry: false });
      return sum + (stats?.size ?? 0);
    }, 0);
}

describe('a repository that is larger than the cache of a worker', { timeout: 300_000 }, () => {
  it('is given up while git still fetches it, and nothing of it stays', async () => {
    const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-large-')));
    const [source, cache] = [join(dir, 'source'), join(dir, 'cache')];
    await makeLarge(source);
    const whole = files * fileBytes;
    const git = createGit(process.env);
    const { signal } = new AbortController();
    const cacheBytes = whole / 4;
    const repositories = openRepositories({ folder: cache, cacheBytes, granted: [dir], git });
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, bytesOf(cache));
    }, 300);
    await expect(repositories.checkout(source, signal)).rejects.toMatchObject({
      code: 'resource-exhausted',
      message: expect.stringContaining('(fleet.cache-bytes)'),
    });
    clearInterval(watch);
    console.log(`${whole} bytes, ${cacheBytes} bytes of room: ${peak} bytes at most`);
    // It is looked at twice a second, so it is over the limit for a moment.
    expect(peak).toBeLessThan(whole);
    expect(bytesOf(cache)).toBe(0);
    rmSync(dir, { recursive: true });
  });
});
