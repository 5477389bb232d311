/** Values of the plugin as the host serves them; `kv`. */
export type HostValues = { get(key: string): Uint8Array | undefined };

/** One output that the host keeps whole, of a program that this call ran. */
export type HostOutput = {
  id: string;
  program: string;
  stream: 'stdout' | 'stderr';
  /** of all that is kept of it */
  bytes: number;
  /** the program printed more than the host keeps */
  cut: boolean;
};

const prefix = 'exec-output:';
const newline = 10;

/** What the host kept of the programs of this call, in the order in which they ended. */
export function hostOutputs(values: HostValues): HostOutput[] {
  const listed = values.get(prefix);
  const found: unknown = JSON.parse(listed === undefined ? '[]' : new TextDecoder().decode(listed));
  return Array.isArray(found) ? found : [];
}

/** Where all of one is, for who reads the result. */
export function toldOutput({ stream, id, bytes, cut }: HostOutput): string {
  return `${stream} is longer than the result may be; ${cut ? 'its first' : 'all'} ${bytes} bytes are kept as ${id}`;
}

/** The same of all programs of this call. */
export function toldOutputs(values: HostValues): string {
  const kept = hostOutputs(values).map(toldOutput).join('; ');
  return kept === '' ? 'the program printed more than the result may hold' : kept;
}

/**
 * Lines of one from a number on, read piece by piece; those before are counted and not decoded.
 *
 * @param start 1 is the first
 * @returns undefined where it is kept no more
 */
export function hostLines(
  values: HostValues,
  id: string,
  start: number,
): Iterable<string> | undefined {
  const first = values.get(`${prefix}${id}:0`);
  return first === undefined ? undefined : linesOf(values, id, first, start);
}

function* linesOf(
  values: HostValues,
  id: string,
  first: Uint8Array,
  start: number,
): Generator<string> {
  const decoder = new TextDecoder();
  let rest: Uint8Array[] = [];
  let skipped = 1;
  let piece: Uint8Array | undefined = first;
  for (let number = 1; piece !== undefined; number += 1) {
    let from = 0;
    while (skipped < start) {
      const end: number = piece.indexOf(newline, from);
      if (end < 0) break;
      from = end + 1;
      skipped += 1;
    }
    if (skipped === start) {
      const end = piece.lastIndexOf(newline);
      if (end >= from) {
        yield* decoder.decode(joined([...rest, piece.subarray(from, end)])).split('\n');
        rest = [];
        from = end + 1;
      }
      rest.push(piece.slice(from));
    }
    piece = values.get(`${prefix}${id}:${number}`);
  }
  if (skipped === start) yield decoder.decode(joined(rest));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
