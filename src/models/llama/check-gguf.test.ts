import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGguf } from './check-gguf.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cuervo-gguf-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
}

function header(version: number, tensors: bigint, entries: bigint): Buffer {
  return Buffer.concat([Buffer.from('GGUF'), u32(version), u64(tensors), u64(entries)]);
}

/** One tensor of 64 elements in Q4_0: two blocks of 18 bytes. */
function model(change: { metadata?: Buffer; dataBytes?: number } = {}): Buffer {
  const {
    metadata = Buffer.concat([text('tokens'), u32(9), u32(8), u64(2), text('a'), text('b')]),
  } = change;
  const head = Buffer.concat([
    header(3, 1n, 2n),
    Buffer.concat([text('general.alignment'), u32(4), u32(64)]),
    metadata,
    Buffer.concat([text('t'), u32(1), u64(64), u32(2), u64(0)]),
  ]);
  const padding = Buffer.alloc((64 - (head.length % 64)) % 64);
  return Buffer.concat([head, padding, Buffer.alloc(change.dataBytes ?? 36)]);
}

async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const check = async (path: string): Promise<void> => checkGguf(path);

describe('checkGguf()', () => {
  it('accepts a file that holds what it lists', async () => {
    const path = await file('good.gguf', model());
    expect(() => checkGguf(path)).not.toThrow();
  });

  it.each<[string, Buffer | string, RegExp]>([
    ['an empty file', '', /does not begin with "GGUF"/],
    ['a text', 'hello, this is not a model at all', /does not begin with "GGUF"/],
    [
      'a cut header',
      header(3, 1n, 1n).subarray(0, 10),
      /damaged or cut off: byte 16 is needed, it has 10/,
    ],
    ['another version', header(7, 1n, 1n), /format version is 7, supported are 2, 3/],
    ['no tensors', header(3, 0n, 1n), /holds no tensors/],
    [
      'a header that promises too much',
      header(3, 1n << 60n, 5n),
      /damaged or cut off: byte 32 is needed, it has 24/,
    ],
    [
      'a file cut within its tensors',
      model({ dataBytes: 35 }),
      /it is cut off at 227 of 228 bytes/,
    ],
    [
      'an endless name',
      model({ metadata: u64(1n << 62n) }),
      /a name has 4611686018427388000 bytes/,
    ],
    [
      'an endless list',
      model({ metadata: Buffer.concat([text('l'), u32(9), u32(10), u64(1n << 60n)]) }),
      /damaged or cut off/,
    ],
    [
      'an unknown type',
      model({ metadata: Buffer.concat([text('l'), u32(77)]) }),
      /unknown type 77/,
    ],
  ])('refuses %s', async (name, content, message) => {
    const path = await file(`${name}.gguf`, content);
    await expect(check(path)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('--model none'),
    });
  });

  it.each<[string, Buffer]>([
    ['entries', header(3, 1n, 1n << 40n)],
    [
      'texts in a list',
      Buffer.concat([header(3, 1n, 1n), text('l'), u32(9), u32(8), u64(1n << 40n)]),
    ],
    ['numbers in a list', Buffer.concat([header(3, 1n, 1n), text('l'), u32(9), u32(0), u64(1e11)])],
    ['tensors', header(3, 1n << 40n, 0n)],
  ])('reads no more of a sparse file than a header has, with endless %s', async (_, begin) => {
    const path = await file('sparse.gguf', begin);
    await truncate(path, 200 * 1024 ** 3);
    await expect(check(path)).rejects.toMatchObject({
      code: 'invalid-argument',
      message: expect.stringMatching(
        /its header (?:goes beyond byte 67108864|lists more than 2000000 parts)/,
      ),
    });
  });

  it('refuses a folder, and says when there is nothing', async () => {
    await expect(check(folder)).rejects.toMatchObject({ code: 'invalid-argument' });
    await expect(check(join(folder, 'none.gguf'))).rejects.toMatchObject({
      code: 'not-found',
      message: `there is no model file ${join(folder, 'none.gguf')}`,
    });
  });
});
