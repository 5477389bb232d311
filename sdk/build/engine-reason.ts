import { adviceOn } from './known-globals.ts';
import type { Bundle } from './placed-bundle.ts';
import { reachedBy } from './tell-absent.ts';

/** In front of what the code itself threw. */
const preamble = /^: Failed to evaluate user JavaScript module: [^:]+: (?:Error: )?/;
const frame = /componentize-qjs:user\.js:(\d+)(?::(\d+))?/g;
const maxLineCharacters = 100;

const owner = "the plugin's definition";

/**
 * Why QuickJS could not run a bundle to its end, as Node could: one line, with the place in the
 * source, what imports it and what helps. Undefined for what is no matter of the plugin's code.
 *
 * @param message as the engine says it
 * @param bundle what it was given
 */
export function engineReason(message: string, bundle: Bundle): string | undefined {
  const trap = /wasm trap: ([^\n]+)/.exec(message)?.[1];
  if (trap !== undefined) return `${owner}: ${trap}`;
  if (!preamble.test(message)) return undefined;
  const reason = message.replace(preamble, '').split('\n    at ', 1)[0]?.trim() ?? '';
  return `${owner}: ${reason}${placeOf(message, bundle)}${helpWith(reason)}`;
}

function placeOf(message: string, bundle: Bundle): string {
  for (const [, line, column = '1'] of message.matchAll(frame)) {
    const place = bundle.placeAt(Number(line), Number(column));
    // The SDK's own code stands in for what the plugin's called.
    if (place === undefined || /^(?:sdk\/|node-(?:stub|more):)/.test(place.file)) continue;
    return `, at ${place.file}:${place.line}${reachedBy(place.file, bundle)}`;
  }
  const [, line] = [...message.matchAll(frame)][0] ?? [];
  const code = bundle.code.split('\n')[Number(line) - 1]?.trim().slice(0, maxLineCharacters);
  return code === undefined ? '' : `, at: ${code}`;
}

/** What helps where a name is absent; nothing for any other reason. */
export function helpWith(reason: string): string {
  const name = /(?:^|: )'?([\w$]+)'? is not defined$/.exec(reason)?.[1];
  return name === undefined ? '' : `; ${adviceOn(name)}`;
}
