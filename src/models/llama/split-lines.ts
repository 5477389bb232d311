/**
 * Cuts a stream of text into lines as they complete.
 *
 * @param maxChars longest line; beyond it `onLine` gets what is there so far, too long on
 *   purpose, so that its reader refuses it, and everything after is dropped
 * @returns a function that takes the next piece
 */
export function splitLines(
  maxChars: number,
  onLine: (line: string) => void,
): (piece: string) => void {
  let pending: string[] = [];
  let pendingChars = 0;
  let overflowed = false;
  const flush = (): void => {
    const line = pending.join('');
    pending = [];
    pendingChars = 0;
    if (line !== '') onLine(line);
  };
  return (piece) => {
    const parts = piece.split('\n');
    for (const [i, part] of parts.entries()) {
      if (overflowed) return;
      if (i > 0) flush();
      pending.push(part);
      pendingChars += part.length;
      if (pendingChars > maxChars) {
        overflowed = true;
        flush();
      }
    }
  };
}
