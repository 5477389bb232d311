import { expect, it, vi } from 'vitest';
import { createOutputTeller } from './tell-output.ts';

it('createOutputTeller() tells the last line of a chunk, bounded, and not too often', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const told: string[] = [];
    const take = createOutputTeller((line) => told.push(line));
    take(Buffer.from('one\ntwo\r\n\n'));
    take(Buffer.from('too soon\n'));
    vi.advanceTimersByTime(100);
    take(Buffer.from(' \n'));
    take(Buffer.from(`three\n${'x'.repeat(5000)}`));
    expect(told).toEqual(['two', 'x'.repeat(160)]);
  } finally {
    vi.useRealTimers();
  }
});
