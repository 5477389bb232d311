import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFrameDecoder, jsonOf, maxFrameBytes } from '../../protocol/frame.ts';
import { createFrameWriter } from './write-frames.ts';

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
