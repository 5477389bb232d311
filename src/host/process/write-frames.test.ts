import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFrameDecoder, decodePayload, maxFrameBytes } from '../protocol/frame.ts';
import { createFrameWriter } from './write-frames.ts';

it('writes frames of every size, one behind the other, as they are read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-frames-'));
  const path = join(folder, 'frames');
  const descriptor = openSync(path, 'w');
  try {
    const send = createFrameWriter(descriptor);
    const sent: { kind: number; message: unknown; text?: string }[] = [
      { kind: 65, message: { name: 'é水' } },
      { kind: 66, message: [1], text: '' },
      // Around where the writer's own buffer ends, by the bytes it may need and those it does.
      ...[21_800, 21_850, 65_500, 65_600, 300_000].map((length) => ({
        kind: 66,
        message: { length },
        text: 'é\n'.repeat(length / 2),
      })),
      { kind: 67, message: 'short again' },
    ];
    for (const { kind, message, text } of sent) send(kind, message, text);
    expect(() => send(66, '', 'x'.repeat(maxFrameBytes))).toThrow(/limit/);
    const read = createFrameDecoder()(readFileSync(path));
    expect(read.map(({ kind, payload }) => ({ kind, ...decodePayload(payload) }))).toEqual(sent);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
});
