import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createFrameDecoder,
  decodeTexts,
  type Frame,
  fromProcess,
  jsonOf,
  maxFrameBytes,
} from '../../protocol/frame.ts';
import { createFrameWriter, createOutputFrame, type OutputFrame } from './write-frames.ts';

it('writes frames of every size, one behind the other, as they are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-frames-'));
  const path = join(folder, 'frames');
  const descriptor = openSync(path, 'w');
  try {
    const { send } = createFrameWriter(descriptor);
    // Around where the writer's own buffer ends, by the bytes it may need and those it does.
    const long = [21_800, 21_840, 21_850, 65_500, 65_600, 300_000].map((units) =>
      'é\n'.repeat(units / 2),
    );
    const messages = [{ name: 'é水' }, [1], ...long, 'short'];
    for (const message of messages) send(65, message);
    expect(() => send(66, 'x'.repeat(maxFrameBytes))).toThrow(/limit/);
    send(65, 'last');
    const read = createFrameDecoder()(readFileSync(path)).map((frame) => JSON.parse(jsonOf(frame)));
    expect(read).toEqual([...messages, 'last']);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});

const mebibyte = 1024 * 1024;

/** As it arrives at the kernel. */
function sent(output: OutputFrame, id: number, texts: readonly string[], calls = ''): Frame {
  output.begin();
  for (const text of texts) output.take(Buffer.from(text));
  const { frame, end } = output.finish(id, calls);
  return createFrameDecoder()(Buffer.from(frame.subarray(0, end)))[0] as Frame;
}

describe('createOutputFrame()', () => {
  it('brings texts of every size as they are, also around where its own buffer ends', () => {
    const output = createOutputFrame(mebibyte);
    const sizes = [0, 1, 1024, 65_500, 65_518, 65_519, 65_520, 300_000, 10];
    for (const [id, size] of sizes.entries()) {
      for (const calls of ['', '[{"call":"é"}]']) {
        const content = 'é'.repeat(size / 2) + 'x'.repeat(size % 2);
        const frame = sent(output, id, [content, `${size} é`], calls);
        expect(frame.kind).toBe(fromProcess.output);
        const texts = { id, first: content, second: `${size} é`, rest: calls };
        expect(decodeTexts(frame)).toEqual(texts);
      }
    }
  });

  it('holds what it was given, whatever becomes of the bytes', () => {
    const output = createOutputFrame(mebibyte);
    const memory = Buffer.from('content');
    output.begin();
    output.take(memory);
    memory.fill('x');
    output.take(Buffer.from('summary'));
    const { frame, end } = output.finish(1, '');
    expect(frame.subarray(0, end).toString()).toContain('contentsummary');
  });

  it('counts what is above the limit, and takes no memory for it', () => {
    const output = createOutputFrame(10);
    const huge = new Uint8Array(64 * mebibyte);
    const before = process.memoryUsage().arrayBuffers;
    output.begin();
    output.take(Buffer.from('content'));
    output.take(huge);
    expect(output.bytes()).toBe(7 + huge.length);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(mebibyte);
    const texts = decodeTexts(sent(output, 2, ['content', 'abc']));
    expect(texts).toEqual({ id: 2, first: 'content', second: 'abc', rest: '' });
    expect(output.bytes()).toBe(10);
  });

  it('counts bytes that are not UTF-8 as the kernel reads them when they may be above the limit', () => {
    const output = createOutputFrame(90);
    const bytesOf = (...texts: Buffer[]): number => {
      output.begin();
      for (const text of texts) output.take(text);
      return output.bytes();
    };
    const half = Buffer.from('é').subarray(0, 1);
    expect(bytesOf(Buffer.alloc(40, 0xff), Buffer.from('ab'))).toBe(122);
    expect(bytesOf(Buffer.alloc(30, 0xff), Buffer.alloc(1, 0xff))).toBe(93);
    // Neither is a text, though both together are.
    expect(bytesOf(Buffer.concat([Buffer.alloc(40), half]), Buffer.from('é').subarray(1))).toBe(46);
    expect(bytesOf(Buffer.from('é'.repeat(40)), Buffer.from('ab'))).toBe(82);
    expect(bytesOf(Buffer.alloc(30, 0xff), Buffer.alloc(0))).toBe(30);
  });

  it('refuses host calls that no frame holds', () => {
    const output = createOutputFrame(mebibyte);
    expect(() => sent(output, 1, ['', ''], 'x'.repeat(maxFrameBytes))).toThrow(/limit/);
  });
});
