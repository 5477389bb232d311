import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Hub, openHub } from '../../../tests/support/open-hub.ts';
import { createWebClient } from '../sources/web-client.ts';
import { pulledBytes, pullFile } from './pull-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuervo-pull-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Less than one piece of a stream: of more, what is on its way at the cut does not count. */
const bytes = randomBytes(60_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const web = createWebClient({ noProxy: [], strictSsl: true, idleMs: 5_000 });
let last = 0;

type Change = { sha256?: string | undefined; bytes?: number | undefined; signal?: AbortSignal };

function pull(hub: Hub, path: string, change: Change = {}) {
  const file = {
    ...{ name: 'm.gguf', url: new URL('store/m.gguf', hub.url) },
    bytes: 'bytes' in change ? change.bytes : bytes.length,
    sha256: 'sha256' in change ? change.sha256 : sha256,
  };
  const { signal = new AbortController().signal } = change;
  return pullFile(file, path, {
    ...{ web, signal, onProgress: () => {}, onCut: () => {}, wait: async () => {} },
  });
}

function nextPath(): string {
  last += 1;
  return join(folder, `${last}`, 'm.gguf');
}

describe('pullFile()', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'goes on with the %i tenths that an earlier call left, with a SHA-256 or a mark',
    async (tenths) => {
      for (const known of [sha256, undefined]) {
        const path = nextPath();
        const left = (bytes.length / 10) * tenths;
        await using hub = await openHub({ 'm.gguf': bytes }, { cutAfter: left, cuts: 1 });
        await expect(pull(hub, path, { sha256: known })).rejects.toMatchObject({
          code: 'unavailable',
        });
        expect(pulledBytes(path)).toBe(left);
        expect(existsSync(path)).toBe(false);
        hub.ranges.length = 0;
        Object.assign(hub.options, { cutAfter: undefined, status: undefined });
        expect(await pull(hub, path, { sha256: known })).toBe(sha256);
        expect(hub.ranges).toEqual([left === 0 ? '' : `bytes=${left}-`]);
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }
    },
  );

  it('waits long enough for a file of any size, and for one whose size nobody says', async () => {
    await using hub = await openHub({ 'm.gguf': bytes });
    expect(await pull(hub, nextPath(), { bytes: undefined })).toBe(sha256);
    // What comes is shorter than it was said to be.
    await expect(pull(hub, nextPath(), { bytes: 98_362_433 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('sent 60000 of 98362433 bytes'),
    });
  });

  it('begins again where nothing says that what lies there belongs to it', async () => {
    const path = nextPath();
    await using hub = await openHub({ 'm.gguf': bytes }, { cutAfter: 20_000, cuts: 1 });
    await expect(pull(hub, path, { sha256: undefined })).rejects.toThrow();
    await using other = await openHub({ 'm.gguf': bytes });
    expect(await pull(other, path, { sha256: undefined })).toBe(sha256);
    expect(other.ranges).toEqual(['']);
  });

  it('keeps what came when it is given up', async () => {
    const path = nextPath();
    const stop = new AbortController();
    await using hub = await openHub({ 'm.gguf': bytes }, { cutAfter: 20_000, hangs: true });
    const running = pull(hub, path, { signal: stop.signal });
    while (pulledBytes(path) < 20_000) await new Promise((done) => setImmediate(done));
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'canceled' });
    expect(pulledBytes(path)).toBe(20_000);
  });

  it('lets one process at a time bring a file', async () => {
    const path = nextPath();
    await using hub = await openHub({ 'm.gguf': bytes }, { cutAfter: 20_000, hangs: true });
    const stop = new AbortController();
    const running = pull(hub, path, { signal: stop.signal });
    while (pulledBytes(path) < 20_000) await new Promise((done) => setImmediate(done));
    await expect(pull(hub, path)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is at the download of m.gguf'),
    });
    stop.abort();
    await expect(running).rejects.toMatchObject({ code: 'canceled' });
  });
});
