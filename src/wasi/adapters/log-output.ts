/** Characters of one call's output in the log: what is above its limit is dropped without a word. */
const maxCharacters = 16_384;
/** Bytes that the log's limit counts for a line beside its text. */
const lineCost = 16;

/** Takes what a guest wrote, for people. */
export type OutputLog = (level: 'info' | 'warn', text: string) => void;

/**
 * The output of a guest before its call failed, line by line: the error has no room for all of it.
 */
export function logOutput(log: OutputLog, level: 'info' | 'warn', bytes: Uint8Array): void {
  const text = Buffer.from(bytes).toString('utf8').trimEnd();
  if (text === '') return;
  const lines = text.split(/\r?\n/);
  let left = maxCharacters;
  for (const [index, line] of lines.entries()) {
    left -= line.length + lineCost;
    if (left < 0) {
      log(level, `… ${lines.length - index} more lines are left out`);
      return;
    }
    log(level, line);
  }
}
