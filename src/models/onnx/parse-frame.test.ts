import { describe, expect, it } from 'vitest';
import { encodeFrame, readFrames } from './parse-frame.ts';

const frame = (message: object, bytes: number[]) =>
  Buffer.concat(encodeFrame(message, Uint8Array.from(bytes)));

describe('readFrames()', () => {
  it('gives frames whole, however the stream is cut', () => {
    const stream = Buffer.concat([
      frame({ id: 1 }, [1, 2, 3]),
      frame({ id: 2 }, []),
      frame({}, [9]),
    ]);
    for (const size of [1, 3, 7, 8, 9, stream.length]) {
      const found: [string, number[]][] = [];
      const take = readFrames((json, bytes) => found.push([json, [...bytes]]));
      for (let at = 0; at < stream.length; at += size) take(stream.subarray(at, at + size));
      expect(found).toEqual([
        ['{"id":1}', [1, 2, 3]],
        ['{"id":2}', []],
        ['{}', [9]],
      ]);
    }
  });

  it('refuses a giant length before it collects anything', () => {
    const take = readFrames(() => {});
    expect(() => take(Buffer.alloc(8, 255))).toThrow(/too large/);
  });
});
