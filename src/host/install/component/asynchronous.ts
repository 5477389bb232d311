import { quoteText } from '../../../lib/text/printable.ts';

/** Begins every reason of this kind. */
export const asynchronous = 'it is asynchronous, which this version does not support';

/** Functions that are named at most. */
const maxNames = 5;

/**
 * The next step for a component that takes built-ins of asynchronous ones: the names of what it
 * exports, and the option of its toolchain that makes it run.
 *
 * @param bytes of the component, in whose code the toolchain left its name
 */
export function howToRun(
  { exports }: { exports: readonly { name: string; kind: string }[] },
  bytes: Uint8Array,
): string {
  const names = exports.flatMap(({ name, kind }) =>
    (kind === 'func' && name !== 'init') || kind === 'instance' ? [quoteText(name)] : [],
  );
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const what = names.length === 0 ? 'it' : `${names.slice(0, maxNames).join(', ')}${more}`;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const how = text.includes('componentize-qjs')
    ? 'with componentize-qjs --sync'
    : 'for WASI 0.2, without asynchronous functions';
  return `build ${what} ${how}`;
}
