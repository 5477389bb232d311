import { StringDecoder } from 'node:string_decoder';
import type { OutputSink } from '../../contracts/kept-outputs.ts';
import { keptFromBytes, maxDroppedBytes } from './exec-limits.ts';

export type CollectedOutput = { stdout: string; stderr: string; truncated: boolean };

/**
 * Keeps the output of two streams, up to a number of bytes for both together; later output is
 * dropped as it arrives. Bytes that are not UTF-8 are replaced.
 *
 * @param onFlood called once, when so much was dropped that the program has to end
 * @param sink gets all of a long output, from its beginning
 */
export function createOutputCollector(
  maxBytes: number,
  onFlood: () => void,
  sink?: Pick<OutputSink, 'write'>,
) {
  const kept: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  let left = maxBytes;
  let dropped = 0;
  let flooded = false;
  let total = 0;
  let isLong = false;

  const pass = (stream: 'stdout' | 'stderr', chunk: Buffer): void => {
    total += chunk.byteLength;
    if (sink === undefined || (!isLong && total <= Math.min(maxBytes, keptFromBytes))) return;
    if (!isLong) {
      for (const each of ['stdout', 'stderr'] as const)
        for (const before of kept[each]) sink.write(each, before);
    }
    isLong = true;
    sink.write(stream, chunk);
  };

  const take = (stream: 'stdout' | 'stderr', chunk: Buffer): void => {
    pass(stream, chunk);
    const part = chunk.subarray(0, left);
    // A copy: a slice would keep the whole chunk alive.
    if (part.byteLength > 0) kept[stream].push(Buffer.from(part));
    left -= part.byteLength;
    dropped += chunk.byteLength - part.byteLength;
    if (dropped > maxDroppedBytes && !flooded) {
      flooded = true;
      onFlood();
    }
  };

  const text = (chunks: readonly Buffer[]): string => {
    const decoder = new StringDecoder('utf8');
    const decoded = decoder.write(Buffer.concat(chunks));
    // Half a character at the cut is our doing, not the program's.
    return dropped > 0 ? decoded : decoded + decoder.end();
  };

  return {
    take,
    end: (): CollectedOutput => ({
      stdout: text(kept.stdout),
      stderr: text(kept.stderr),
      truncated: dropped > 0,
    }),
  };
}
