import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFrameDecoder, decodeTexts, jsonOf, maxFrameBytes } from '../protocol/frame.ts';
import { createFrameWriter } from './write-frames.ts';

it('writes frames of every size, one behind the other, as they are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-frames-'));
  const path = join(folder, 'frames');
  const descriptor = openSync(path, 'w');
  try {
    const { send, sendTexts } = createFrameWriter(descriptor);
    // Around where the writer's own buffer ends, by the bytes it may need and those it does.
    const long = [21_800, 21_840, 21_850, 65_500, 65_600, 300_000].map((units) =>
      'é\n'.repeat(units / 2),
    );
    const messages = [{ name: 'é水' }, [1], ...long, 'short'];
    const texts = ['', 'x', ...long].map((rest, index) => ({
      id: 2 ** 32 - 1 - index,
      first: rest.slice(0, 3),
      second: 'é水\n',
      rest,
    }));
    for (const message of messages) send(65, message);
    for (const each of texts) sendTexts(72, each);
    send(66, 'last');
    expect(() => send(66, 'x'.repeat(maxFrameBytes))).toThrow(/limit/);
    const tooLong = { id: 1, first: 'x', second: '', rest: 'x'.repeat(maxFrameBytes) };
    expect(() => sendTexts(72, tooLong)).toThrow(/limit/);
    const read = createFrameDecoder()(readFileSync(path)).map((frame) =>
      frame.kind === 72 ? decodeTexts(frame) : JSON.parse(jsonOf(frame)),
    );
    expect(read).toEqual([...messages, ...texts, 'last']);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});
