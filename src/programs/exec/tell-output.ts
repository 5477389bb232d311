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
