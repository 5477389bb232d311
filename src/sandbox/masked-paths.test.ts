import { type IOType, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { rawPath } from '../lib/files/raw-fs.ts';
import { maskedPaths } from './masked-paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-masked-'));
for (const path of ['.git/hooks', 'state/home', 'deep', 'id_rsa_keys']) {
  mkdirSync(join(folder, path), { recursive: true });
}
for (const path of ['.env', '.git/config', 'a.txt', 'deep/.env', '.npmrc']) {
  writeFileSync(join(folder, path), '');
}
symlinkSync('a.txt', join(folder, 'linked.pem'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sorted = (entries: readonly string[]) =>
  maskedPaths('work', folder, { work: entries })
    .map(({ path, kind }) => `${kind} ${path}`)
    .sort();

describe('maskedPaths()', () => {
  it('are protected names at the top, what git executes, and no link', () => {
    expect(sorted([])).toEqual([
      'file .env',
      'file .git/config',
      'file .npmrc',
      'folder .git/hooks',
      'folder id_rsa_keys',
    ]);
  });

  it('are the paths that are withheld, where they are there', () => {
    expect(sorted(['state/home', 'not/there'])).toContain('folder state/home');
    expect(sorted(['state/home', 'not/there'])).toHaveLength(6);
  });

  it('have names that are not UTF-8', () => {
    const path = rawPath(join(folder, 'a\udcff.pem'));
    writeFileSync(path, '');
    expect(sorted([])).toContain('file a\udcff.pem');
    rmSync(path);
  });

  it('follow what was added and lifted', () => {
    const masks = sorted([':add a.txt', ':lift .npmrc']);
    expect(masks).toContain('file a.txt');
    expect(masks).not.toContain('file .npmrc');
  });

  it('are none in a folder that cannot be read', () => {
    expect(maskedPaths('work', join(folder, 'none'), {})).toEqual([]);
  });
});

/** Says why a program that is missing could not be started. */
const program = `
import { spawn } from 'node:child_process';
import { coverInherited } from ${JSON.stringify(join(import.meta.dirname, 'masked-paths.ts'))};
const child = spawn('/nothing/here', { stdio: coverInherited(['pipe']) });
child.once('error', ({ code }) => console.log(code));
child.once('exit', (code) => console.log('exit', code));`;

// Node hears of it by a descriptor below the one that is inherited, which is not one to cover.
it.skipIf(process.platform === 'win32').each([3, 250])(
  'leaves what tells cuervo that a program is not there, where %i was left open',
  async (leaked) => {
    const ignored = Array.from({ length: leaked - 3 }, (): IOType => 'ignore');
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit', ...ignored, 'pipe'],
    });
    const [said] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      once(child, 'close'),
    ]);
    expect(said).toBe('ENOENT\n');
  },
);
