import { kindOf } from './kind-of.ts';

/** As many frames tell where an error comes from and who called it. */
const maxFrames = 12;
const maxCharacters = 500;

/**
 * Describes any thrown value and its place in the bundle, which the host turns into a place in the
 * sources by the component's map.
 *
 * @param did in front of what says nothing by itself
 */
export function tellThrown(thrown: unknown, did = '"run" threw'): string {
  if (thrown instanceof Error) return `${messageOf(thrown, did)}${placesOf(thrown)}`;
  if (typeof thrown === 'string') return thrown === '' ? `${did} an empty text` : thrown;
  if (thrown === undefined || thrown === null) return `${did} ${thrown}`;
  return `${did} ${kindOf(thrown)}: ${cut(shown(thrown))}`;
}

/** The kind of error that the engine throws helps; `Error` says nothing. */
function messageOf(error: Error, did: string): string {
  const message = String(error.message) || `${did} ${error.name || 'an error'} without a message`;
  const isEngines = /^(?:Type|Reference|Syntax|Range)Error$/.test(error.name);
  const { cause } = error;
  const because = cause instanceof Error ? ` (because: ${cut(String(cause.message))})` : '';
  return `${isEngines ? `${error.name}: ` : ''}${message}${because}`;
}

function placesOf({ stack }: Error): string {
  const places = [...String(stack).matchAll(/componentize-qjs:user\.js:(\d+):(\d+)/g)]
    .slice(0, maxFrames)
    .map(([, line, column]) => `${line}:${column}`);
  return places.length === 0 ? '' : ` [bundle ${places.join(' ')}]`;
}

function shown(thrown: unknown): string {
  try {
    const { message } = thrown as { message?: unknown };
    if (typeof message === 'string') return message;
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    try {
      return String(thrown);
    } catch {
      return 'it cannot be shown';
    }
  }
}

function cut(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
}
