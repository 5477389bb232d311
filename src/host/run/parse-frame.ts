import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { maxNotReadKinds, maxNotReadPaths } from '../../contracts/not-read.ts';
import { hostErrorCases, maxRecordedLength, toolErrorCases } from '../../contracts/tool.ts';
import { isTooDeep } from '../../lib/text/parse-json.ts';
import {
  collectCall,
  helpCall,
  indexCall,
  refusedCall,
  reportedCalls,
  servedCalls,
} from '../../protocol/call-names.ts';
import { decodeTexts, type Frame, fromProcess, jsonOf, type Texts } from '../../protocol/frame.ts';
import type {
  AssistedMessage,
  FailedMessage,
  LogMessage,
  ProgressMessage,
  ReadyMessage,
  RequestMessage,
  ResultMessage,
} from '../../protocol/messages.ts';

/** A day: no call lasts as long. */
const maxMs = 24 * 60 * 60 * 1000;
/** Bytes of one host call; the sum over all calls of a run is still a safe integer. */
const maxBytes = 2 ** 40;

const ms = v.pipe(v.number(), v.minValue(0), v.maxValue(maxMs));
/** Also keeps out `1e999`, which JSON reads as infinity. */
const progress = v.pipe(
  v.number(),
  v.minValue(-Number.MAX_SAFE_INTEGER),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

/** A call that the process served itself. The kernel reports the calls that it serves. */
const hostCall = v.object({
  call: v.picklist(reportedCalls),
  target: v.pipe(v.string(), v.maxLength(1024)),
  outcome: v.picklist(['ok', ...hostErrorCases]),
  durationMs: ms,
  bytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxBytes))),
  notRead: v.optional(
    v.pipe(
      v.array(
        v.object({
          kind: v.pipe(v.string(), v.regex(/^[a-z0-9]{1,12}$|^over \d+ MiB$/)),
          count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxBytes)),
          paths: v.pipe(
            v.array(v.pipe(v.string(), v.maxLength(512))),
            v.maxLength(maxNotReadPaths),
          ),
        }),
      ),
      v.maxLength(maxNotReadKinds + 1),
    ),
  ),
  args: v.optional(v.pipe(v.string(), v.maxLength(maxRecordedLength))),
  answer: v.optional(v.pipe(v.string(), v.maxLength(maxRecordedLength))),
  digest: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
});

/** Shorter JSON cannot be nested too deep, so it is not checked. */
const maxUncheckedLength = 64 * 1024;

/** Characters of the sentence that says why; the process cuts it a little shorter. */
const maxMessageLength = 4096;

/** Four bytes, like the number in an output frame. */
const id = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 32 - 1));
// One more than the highest limit; this process's own limit is checked later, with its name.
const calls = v.pipe(v.array(hostCall), v.maxLength(1_000_001));
/** `network.` has calls of WASI alone; all of them are refused. */
const refusable = v.union([
  v.picklist([...reportedCalls, ...servedCalls]),
  v.pipe(v.string(), v.regex(/^network\.[a-z-]{1,40}$/)),
]);

const result = v.variant('outcome', [
  v.object({ id, calls, outcome: v.literal('described'), tools: v.unknown() }),
  v.object({
    id,
    calls,
    outcome: v.literal('error'),
    case: v.picklist(toolErrorCases),
    message: v.pipe(v.string(), v.maxLength(maxMessageLength)),
  }),
  v.object({
    id,
    calls,
    outcome: v.literal('trap'),
    message: v.pipe(v.string(), v.maxLength(maxMessageLength)),
  }),
]);

const requestOf = (names: readonly string[]) =>
  v.variant('call', [
    v.object({ id, call: v.literal(refusedCall), args: v.tuple([refusable]) }),
    v.object({
      id,
      call: v.picklist(names),
      args: v.pipe(v.array(v.unknown()), v.maxLength(8)),
      seq: v.optional(id),
    }),
  ]);

/** In a replay the record of an earlier run answers every call. */
const ownRequests = [helpCall, collectCall, indexCall];
const replayed = requestOf([...servedCalls, ...reportedCalls, ...ownRequests]);

const schemas = {
  [fromProcess.ready]: v.object({ ms }),
  [fromProcess.result]: result,
  [fromProcess.log]: v.object({
    level: v.picklist(['debug', 'info', 'warn', 'error']),
    message: v.string(),
  }),
  [fromProcess.progress]: v.object({
    label: v.pipe(v.string(), v.maxLength(1000)),
    done: progress,
    total: v.optional(progress),
  }),
  [fromProcess.request]: requestOf([...servedCalls, ...ownRequests]),
  // A part of a scan for another process of the same plugin. It is handed on unread.
  [fromProcess.assisted]: v.object({ id, part: v.unknown() }),
  [fromProcess.failed]: v.object({ message: v.pipe(v.string(), v.maxLength(maxMessageLength)) }),
};

const callsOfOutput = v.object({ calls });

export type ProcessMessage =
  | { kind: 'ready'; message: ReadyMessage }
  | { kind: 'result'; message: ResultMessage }
  | { kind: 'log'; message: LogMessage }
  | { kind: 'progress'; message: ProgressMessage }
  | { kind: 'request'; message: RequestMessage }
  | { kind: 'assisted'; message: AssistedMessage }
  | { kind: 'failed'; message: FailedMessage };

type JsonKind = keyof typeof schemas;

const names = new Map<number, ProcessMessage['kind']>(
  Object.entries(fromProcess)
    .filter(([, number]) => number !== fromProcess.output)
    .map(([name, number]) => [number, name as ProcessMessage['kind']]),
);

/**
 * A frame from a plugin process, which is hostile until shown otherwise.
 *
 * @param replays the process was opened for a replay, and asks for calls that it otherwise serves
 *   itself
 * @throws {KernelError} `plugin-fault` for an unknown kind, broken JSON or a wrong shape
 */
export function parseFrame(frame: Frame, replays = false): ProcessMessage {
  if (frame.kind === fromProcess.output) {
    return { kind: 'result', message: parseOutput(frame) };
  }
  const kind = names.get(frame.kind);
  if (kind === undefined) throw fault(`sent a frame of unknown kind ${frame.kind}`);
  const value = parseJson(kind, jsonOf(frame));
  const schema = replays && kind === 'request' ? replayed : schemas[frame.kind as JsonKind];
  return { kind, message: matched(kind, schema, value) } as ProcessMessage;
}

/** The result of most calls. */
function parseOutput(frame: Frame): ResultMessage {
  let texts: Texts;
  try {
    texts = decodeTexts(frame);
  } catch {
    throw fault('sent a result frame that does not hold texts');
  }
  const { id, first: content, second: summary, rest } = texts;
  if (rest === '') return { id, calls: [], outcome: 'ok', content, summary };
  const given = { calls: parseJson('result', rest) };
  const { calls } = matched('result', callsOfOutput, given);
  return { id, calls, outcome: 'ok', content, summary } as ResultMessage;
}

function parseJson(kind: string, text: string): unknown {
  // The engine takes seconds for millions of levels.
  if (text.length > maxUncheckedLength && isTooDeep(text)) {
    throw fault(`sent a ${kind} frame that is nested too deep`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw fault(`sent a ${kind} frame that is not JSON`);
  }
}

function matched<Schema extends v.GenericSchema>(
  kind: string,
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const path = v.getDotPath(parsed.issues[0]) ?? '(all)';
  throw fault(`sent a ${kind} frame whose "${path}" is wrong`);
}

function fault(what: string): KernelError {
  return new KernelError('plugin-fault', `the plugin process ${what}`);
}

/** The SDK adds this after the answer of a call that left rejected promises. */
const begin = ' [rejected [';
const list = v.pipe(v.array(v.string()), v.maxLength(6));

/**
 * Splits the rejections that nobody waited for from what a tool says.
 *
 * @param text summary of an output or message of an error, as it came from the guest
 */
export function parseRejections(text: string): { said: string; rejected: string[] } {
  const at = text.endsWith(']]') ? text.lastIndexOf(begin) : -1;
  if (at < 0) return { said: text, rejected: [] };
  try {
    const found: unknown = JSON.parse(text.slice(at + begin.length - 1, -1));
    return { said: text.slice(0, at), rejected: v.parse(list, found, { abortEarly: true }) };
  } catch {
    // The tool's own words.
    return { said: text, rejected: [] };
  }
}
