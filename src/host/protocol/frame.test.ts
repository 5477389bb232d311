import { describe, expect, it } from 'vitest';
import { createFrameDecoder, decodePayload, encodeFrame, maxFrameBytes } from './frame.ts';

const shown = (frames: readonly { kind: number; payload: Buffer }[]): string[] =>
  frames.map(({ kind, payload }) => `${kind} ${payload.toString()}`);

describe('createFrameDecoder()', () => {
  it('gives the same frames however the bytes are cut', () => {
    const bytes = Buffer.concat([
      encodeFrame(65, 'é'),
      encodeFrame(66, [1, 2]),
      encodeFrame(67, ''),
    ]);
    const whole = shown(createFrameDecoder()(bytes));
    expect(whole).toEqual(['65 "é"', '66 [1,2]', '67 ""']);
    for (let size = 1; size <= bytes.length; size += 1) {
      const decode = createFrameDecoder();
      const frames: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        frames.push(...shown(decode(bytes.subarray(at, at + size))));
      expect(frames).toEqual(whole);
    }
  });

  it('copies a large frame once, also where its first byte comes alone', () => {
    const bytes = encodeFrame(66, 'x'.repeat(4_000_000));
    const decode = createFrameDecoder();
    const frames = [...decode(bytes.subarray(0, 1))];
    // Joining at every piece would copy a gigabyte for each thousand of them.
    for (let at = 1; at < bytes.length; at += 40)
      frames.push(...decode(bytes.subarray(at, at + 40)));
    expect(frames.map(({ payload }) => payload.length)).toEqual([4_000_002]);
  });

  it('refuses a length of nothing, and one above the limit, before it waits for it', () => {
    const header = (length: number): Buffer => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32LE(length);
      return bytes;
    };
    expect(() => createFrameDecoder(10)(header(0))).toThrow(/announces 0 bytes/);
    expect(() => createFrameDecoder(10)(header(12))).toThrow(/announces 12 bytes, limit 10/);
    expect(createFrameDecoder(10)(header(11))).toEqual([]);
  });
});

describe('decodePayload()', () => {
  const payloadOf = (message: unknown, text?: string): Buffer =>
    (createFrameDecoder()(encodeFrame(66, message, text))[0] as { payload: Buffer }).payload;

  it.each(['', 'é', '\n', 'two\nlines {"id":2}', 'x'.repeat(100_000)])(
    'gives back the text behind a message as it was',
    (text) => {
      expect(decodePayload(payloadOf({ say: 'a\nb' }, text))).toEqual({
        message: { say: 'a\nb' },
        text,
      });
    },
  );

  it('tells no text from an empty one', () => {
    expect(decodePayload(payloadOf([1]))).toEqual({ message: [1] });
  });

  it('throws for what is no JSON in front of the text', () => {
    expect(() => decodePayload(Buffer.from('{"a":\n1}'))).toThrow(SyntaxError);
  });
});

describe('encodeFrame()', () => {
  it('refuses a message and a text that are too large together', () => {
    const half = 'x'.repeat(maxFrameBytes / 2);
    expect(() => encodeFrame(2, half, half)).toThrow(/limit/);
    expect(encodeFrame(2, '', half).byteLength).toBe(maxFrameBytes / 2 + 8);
  });
});
