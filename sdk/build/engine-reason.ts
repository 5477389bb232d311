/** In front of what the code itself threw. */
const preamble = /^: Failed to evaluate user JavaScript module: [^:]+: (?:Error: )?/;
/** Where in the bundle a frame of the stack is. */
const lineOfFrame = /componentize-qjs:user\.js:(\d+)/;
const maxLineCharacters = 100;

const owner = "the plugin's definition";

/**
 * Why QuickJS made nothing of a bundle. Of code that it could not run to its end, as Node could, it
 * is one line, with the code where that happened in place of a stack: its numbers are of a file
 * that nobody has.
 *
 * @param message as the engine says it
 * @param bundle what it was given
 */
export function engineReason(message: string, bundle: string): string {
  const trap = /wasm trap: ([^\n]+)/.exec(message)?.[1];
  if (trap !== undefined) return `${owner}: ${trap}`;
  if (!preamble.test(message)) return message;
  const reason = message.replace(preamble, '').split('\n    at ', 1)[0]?.trim();
  const number = Number(lineOfFrame.exec(message)?.[1]);
  const line = bundle.split('\n')[number - 1]?.trim().slice(0, maxLineCharacters);
  return `${owner}: ${reason}${line === undefined ? '' : `, at: ${line}`}`;
}
