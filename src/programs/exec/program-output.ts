import { StringDecoder } from 'node:string_decoder';
import type { OutputSink } from '../../contracts/kept-outputs.ts';
import { keptFromBytes, maxDroppedBytes } from './launch-scripts.ts';

/**
 * A vector as one line for people and the journal. It reads like a shell's command and is never
 * given to one: what would be ambiguous stands in quotes, escaped.
 *
 * @param maxCharacters what is longer ends in `…`
 */
export function commandText(vector: readonly string[], maxCharacters = 400): string {
  let text = '';
  for (const word of vector) {
    const plain = /^[\w@%+=:,./-]+$/.test(word);
    text += `${text === '' ? '' : ' '}${plain ? word : JSON.stringify(word.slice(0, maxCharacters))}`;
    if (text.length > maxCharacters) return `${text.slice(0, maxCharacters).toWellFormed()}…`;
  }
  return text;
}

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

/** A person reads no faster; a program that floods must not flood the terminal. */
const everyMs = 100;
/** Bytes of the end of a chunk that are looked at, and characters that are told. */
const tailBytes = 1000;
const maxLength = 160;

/**
 * Tells the last line that a program has printed, as it comes and at most ten times a second. It
 * is for who waits: what the program printed as a whole comes with its end.
 *
 * @param tell gets one line, not escaped
 */
export function createOutputTeller(tell: (line: string) => void): (chunk: Buffer) => void {
  let toldMs = Number.NEGATIVE_INFINITY;
  return (chunk) => {
    const nowMs = performance.now();
    if (nowMs - toldMs < everyMs) return;
    const lines = chunk
      .subarray(-tailBytes)
      .toString('utf8')
      .split(/[\r\n]+/);
    const last = lines.findLast((line) => line.trim() !== '');
    if (last === undefined) return;
    toldMs = nowMs;
    tell(last.slice(0, maxLength));
  };
}
