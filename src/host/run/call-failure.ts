import { SourceMap, type SourceMapPayload } from 'node:module';
import { inflateRawSync } from 'node:zlib';
import { effectAllows } from '../../contracts/capability.ts';
import { type ErrorCode, KernelError } from '../../contracts/error.ts';
import { type Effect, toolErrorCodes } from '../../contracts/tool.ts';
import { escapeText } from '../../lib/text/printable.ts';
import type { ResultMessage } from '../../protocol/messages.ts';
import { readBinary } from '../install/component/read-component.ts';
import type { ServedCall } from './call-server.ts';

/**
 * The hint for a failed tool. Its message states the reason in its own words, so the hint must be
 * true for every message of this code.
 *
 * @param tool in full, as `file.read`
 * @returns undefined where the code alone says what to do
 */
export function toolHint(tool: string, code: ErrorCode, message: string): string | undefined {
  const usage = `cuervo tools ${tool}`;
  switch (code) {
    case 'invalid-argument':
    case 'not-found':
    case 'tool-failed':
      return `See what it takes with: ${usage}`;
    case 'conflict':
      return `Check what it works on; see what it takes with: ${usage}`;
    case 'resource-exhausted':
      // The one limit of a tool that config.toml can raise.
      return message.includes('(limits.max-result-bytes)')
        ? `Ask for less, or raise limits.max-result-bytes in config.toml; see what it takes with: ${usage}`
        : `Ask for less at once; see what it takes with: ${usage}`;
    case 'unavailable':
      // A tool reports something as missing only if it cannot work without it.
      return 'Provide what the tool says is missing, then run it again.';
    default:
      return undefined;
  }
}

/** A call that gave no output, and what is known of it. */
export type FailedCall = {
  /** in full, as `file.read` */
  tool: string;
  effect: Effect;
  result: ResultMessage;
  /** what the kernel served, beside the host calls of the result */
  served: readonly ServedCall[];
  /** capability -> why it is denied, for the guest, and what grants it, for the person */
  denied: Readonly<Record<string, { reason: string; hint: string }>>;
};

/** The tool's own error or its trap, with a hint on how to allow a call that was denied before. */
export function failureOf(failed: FailedCall): KernelError {
  const { tool, result } = failed;
  if (result.outcome === 'error') {
    const code = toolErrorCodes[result.case];
    const message = `${tool}: ${result.message}`;
    if (code === 'permission-denied')
      return new KernelError(code, message, { hint: hintOfDenial(failed, message) });
    const hint = toolHint(tool, code, result.message);
    return new KernelError(code, message, hint === undefined ? {} : { hint });
  }
  const reason = result.outcome === 'trap' ? result.message : `answered with "${result.outcome}"`;
  const message = `${tool} trapped: ${reason}`;
  const isDenied = [...result.calls, ...failed.served].some(({ outcome }) => outcome === 'denied');
  const hint = isDenied ? { hint: hintOfDenial(failed, message) } : {};
  return new KernelError('plugin-fault', message, hint);
}

/** The grant for the denied call in the message, else for the last denied call. */
function hintOfDenial(
  { tool, effect, result, served, denied }: FailedCall,
  message: string,
): string {
  const calls: readonly ServedCall[] = [...result.calls, ...served];
  const denials = calls.filter(({ outcome }) => outcome === 'denied');
  const isTold = ({ call }: ServedCall): boolean => {
    const reason = denied[interfaceOf(call)]?.reason;
    return reason !== undefined && message.includes(reason);
  };
  const last = denials.findLast(isTold) ?? denials.at(-1);
  if (last === undefined)
    return `The tool itself refused; see what it takes with: cuervo tools ${tool}`;
  const { call, hint: ofCall } = last;
  if (ofCall !== undefined) return ofCall;
  const hint = denied[interfaceOf(call)]?.hint;
  if (hint !== undefined) return hint;
  if (call.startsWith('network.'))
    return 'No grant gives sockets; use wasi:http, with http:ORIGIN.';
  if (!effectAllows(effect, call))
    return 'The author of the plugin has to declare a higher effect for this tool.';
  const place = call.startsWith('http.') ? 'address as it is written' : 'path';
  return `No grant allows this ${place}; name another one.`;
}

/** `fs` of `fs.read`. */
function interfaceOf(call: string): string {
  return call.split('.', 1)[0] ?? '';
}

/** What ended a call before it had a result, with the name of its tool. */
export function explainThrown(tool: string, thrown: unknown, timeoutMs: number): KernelError {
  const error = KernelError.from(thrown, 'plugin-fault');
  if (error.code === 'canceled') return error;
  const hint =
    error.hint === undefined && error.code === 'deadline-exceeded'
      ? `Give it more time with --timeout SECONDS (now ${timeoutMs / 1000}), or less to do: a regular expression of the plugin itself may have no end.`
      : error.hint;
  return new KernelError(error.code, `${tool}: ${error.message}`, {
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Custom section of a component with its source map, deflated. */
const sectionName = 'cuervo:source-map';
/** Limit of a decoded source map. */
const maxMapBytes = 64 * 1024 * 1024;
const maxFileCharacters = 200;
/** A column after the end of every line of a bundle. */
const lineEnd = 1_000_000;

/** The SDK adds this after the message of an unexpected error. */
const marker = / \[bundle ((?:\d+:\d+ ?)+)\]$/;

/**
 * Turns places of the bundle in a message into source lines: of the error's origin, and of the
 * author's line that led there. Without a map, as in a release, the message has no place.
 *
 * @param readComponent the binary that was installed, or undefined where it cannot be read
 */
export function sourceMapStack(
  message: string,
  readComponent: () => Uint8Array | undefined,
): string {
  const found = marker.exec(message);
  if (found === null) return message;
  const plain = message.slice(0, found.index);
  const places = placesIn(readComponent, (found[1] ?? '').trim().split(' '));
  const [first] = places;
  if (first === undefined) return plain;
  const own = places.find(({ file }) => !file.startsWith('node_modules/'));
  const shown = [first, ...(own === undefined || own === first ? [] : [own])].map(
    ({ file, line }) => `${file}:${line}`,
  );
  return `${plain} (at ${shown.join(', called at ')})`;
}

type Place = { file: string; line: number };

/** The map is a stranger's: a wrong one counts as a missing one. */
function placesIn(readComponent: () => Uint8Array | undefined, places: readonly string[]): Place[] {
  try {
    const component = readComponent();
    const map = component === undefined ? undefined : mapOf(component);
    if (map === undefined) return [];
    return places.flatMap((at) => placeIn(map, at)).filter(({ file }) => !file.startsWith('sdk/'));
  } catch {
    return [];
  }
}

function placeIn(map: SourceMap, at: string): Place[] {
  const [line = 1, column = 1] = at.split(':').map(Number);
  let entry = map.findEntry(line - 1, column - 1);
  // Before the first entry of a line, `findEntry` returns the last one of an earlier line.
  if ('generatedLine' in entry && entry.generatedLine < line - 1) {
    entry = map.findEntry(line - 1, lineEnd);
  }
  if (!('originalSource' in entry) || typeof entry.originalSource !== 'string') return [];
  const file = escapeText(entry.originalSource).slice(0, maxFileCharacters);
  return [{ file, line: entry.originalLine + 1 }];
}

function mapOf(component: Uint8Array): SourceMap | undefined {
  const section = readBinary(component).customSections.findLast(({ name }) => name === sectionName);
  if (section === undefined) return undefined;
  const packed = component.subarray(section.offset, section.offset + section.length);
  const json = inflateRawSync(packed, { maxOutputLength: maxMapBytes }).toString('utf8');
  return new SourceMap(JSON.parse(json) as SourceMapPayload);
}
