import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodeFrame, jsonOf } from '../../protocol/frame.ts';
import { createFrameReader } from './read-frames.ts';

/** What the reader gives for these bytes, as texts. */
function framesOf(bytes: Uint8Array): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-frames-'));
  const path = join(folder, 'frames');
  writeFileSync(path, bytes);
  const descriptor = openSync(path, 'r');
  try {
    const read = createFrameReader(descriptor);
    const texts: string[] = [];
    for (let frame = read(); frame !== undefined; frame = read()) {
      texts.push(`${frame.kind} ${jsonOf(frame)}`);
    }
    return texts;
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

const text = (length: number): string => 'é'.repeat(length / 2);

describe('createFrameReader()', () => {
  it.each([
    ['small ones', [3, 0, 900]],
    ['one that ends where the buffer does', [65_526, 10]],
    ['one that lies across the end of the buffer', [40_000, 40_000, 40_000]],
    ['one larger than the buffer, and what follows it', [10, 300_000, 20, 70_000, 5]],
  ])('gives frames as they were sent: %s', (_, lengths) => {
    const sent = lengths.map((length, index) => ({ kind: index + 1, value: text(length) }));
    const bytes = Buffer.concat(sent.map(({ kind, value }) => encodeFrame(kind, value)));
    expect(framesOf(bytes)).toEqual(sent.map(({ kind, value }) => `${kind} "${value}"`));
  });

  it('ends where the pipe ends, in the middle of a frame too', () => {
    const whole = encodeFrame(1, 'whole');
    expect(framesOf(Buffer.concat([whole, whole.subarray(0, 3)]))).toEqual(['1 "whole"']);
    expect(framesOf(Buffer.concat([whole, whole.subarray(0, 8)]))).toEqual(['1 "whole"']);
    expect(framesOf(encodeFrame(1, text(300_000)).subarray(0, 100_000))).toEqual([]);
  });

  it('refuses a length above the limit before it takes any memory for it', () => {
    const header = Buffer.alloc(5);
    header.writeUInt32LE(0xffff_fff0, 0);
    expect(() => framesOf(header)).toThrow(/announces 4294967279 bytes/);
  });
});
