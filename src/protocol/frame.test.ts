import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  createFrameDecoder,
  decodeTexts,
  encodeFrame,
  encodeTexts,
  type Frame,
  jsonOf,
  maxFrameBytes,
  payloadOf,
  viewTexts,
} from './frame.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const shown = (frames: readonly Frame[]): string[] =>
  frames.map((frame) => `${frame.kind} ${jsonOf(frame)}`);

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
    expect(frames.map((frame) => payloadOf(frame).length)).toEqual([4_000_002]);
  });

  it('takes little more memory than a frame has bytes, though each comes alone', () => {
    const bytes = encodeFrame(66, 'x'.repeat(500_000));
    const decode = createFrameDecoder();
    const used = (): number => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    const frames: Frame[] = [];
    const last = bytes.length - 1;
    // As a socket gives them: each in memory of its own.
    for (let at = 0; at < last; at += 1)
      frames.push(...decode(Buffer.from(Uint8Array.of(bytes[at] as number).buffer)));
    expect(used() - before).toBeLessThan(8_000_000);
    frames.push(...decode(bytes.subarray(last)));
    expect(frames.map((frame) => jsonOf(frame).length)).toEqual([500_002]);
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

const frameOf = (bytes: Buffer): Frame => createFrameDecoder()(bytes)[0] as Frame;

describe('decodeTexts() and viewTexts()', () => {
  it.each(['', 'é', '\n', '\ufeff水', 'two\nlines', 'x'.repeat(100_000)])(
    'give back texts as they were',
    (text) => {
      for (const texts of [
        { id: 0, first: text, second: '', rest: '' },
        { id: 1, first: '', second: text, rest: 'é' },
        { id: 70_000, first: 'é', second: '水', rest: text },
        { id: 2 ** 32 - 1, first: text, second: text, rest: text },
      ]) {
        // Behind another one, so that it does not begin where its bytes do.
        const bytes = Buffer.concat([encodeFrame(65, 'before'), encodeTexts(72, texts)]);
        const frame = createFrameDecoder()(bytes)[1] as Frame;
        expect(decodeTexts(frame)).toEqual(texts);
        const { id, ...views } = viewTexts(frame);
        const { id: wanted, ...strings } = texts;
        expect(id).toBe(wanted);
        for (const name of ['first', 'second', 'rest'] as const)
          expect(Buffer.from(views[name]).toString()).toBe(strings[name]);
      }
    },
  );

  it('put in one character for each half of a pair, so that what follows stays where it is', () => {
    const texts = { id: 1, first: 'a\ud800', second: 'b\udc00', rest: 'c' };
    const read = { id: 1, first: 'a\ufffd', second: 'b\ufffd', rest: 'c' };
    expect(decodeTexts(frameOf(encodeTexts(72, texts)))).toEqual(read);
  });

  it('refuse numbers that are not there, and texts that are not as long as was said', () => {
    const texts = { id: 1, first: 'one', second: 'two', rest: 'three' };
    const bytes = (change: (payload: Buffer) => void): Buffer => {
      const whole = encodeTexts(72, texts);
      change(whole.subarray(5));
      return whole;
    };
    expect(decodeTexts(frameOf(bytes(() => {})))).toEqual(texts);
    const tooLong = bytes((payload) => payload.writeUInt32LE(9, 4));
    const huge = bytes((payload) => payload.fill(0xff, 4, 12));
    for (const read of [decodeTexts, viewTexts]) {
      expect(() => read(frameOf(tooLong))).toThrow(/texts of 12 bytes and more, and there are 11/);
      expect(() => read(frameOf(huge))).toThrow(/texts of 8589934590 bytes and more/);
      expect(() => read(frameOf(encodeFrame(72, '123456789')))).toThrow(/texts of 11 bytes/);
    }
    expect(
      decodeTexts(frameOf(encodeTexts(72, { ...texts, first: '', second: '', rest: '' }))).rest,
    ).toBe('');
  });
});

describe('encodeFrame() and encodeTexts()', () => {
  it('refuse what is too large', () => {
    const texts = { id: 1, first: 'x', second: 'x', rest: '' };
    const rest = 'x'.repeat(maxFrameBytes - 14);
    expect(encodeTexts(2, { ...texts, rest }).byteLength).toBe(maxFrameBytes + 5);
    expect(() => encodeTexts(2, { ...texts, rest: `${rest}x` })).toThrow(/limit/);
    expect(() => encodeFrame(2, rest.repeat(2))).toThrow(/limit/);
  });
});
