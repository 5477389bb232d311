import * as v from 'valibot';
import { KernelError } from '../contracts/error.ts';
import { hostErrorCases, toolErrorCases } from '../contracts/tool.ts';
import { decodePayload, type Frame, fromProcess } from './protocol/frame.ts';
import type {
  AssistedMessage,
  FailedMessage,
  LogMessage,
  ProgressMessage,
  ReadyMessage,
  RequestMessage,
  ResultMessage,
} from './protocol/messages.ts';

const hostCall = v.object({
  call: v.pipe(v.string(), v.maxLength(64)),
  target: v.pipe(v.string(), v.maxLength(1024)),
  outcome: v.picklist(['ok', ...hostErrorCases]),
  durationMs: v.pipe(v.number(), v.minValue(0)),
  bytes: v.optional(v.pipe(v.number(), v.minValue(0))),
});

/** Characters of the sentence that says why; the process cuts it a little shorter. */
const maxMessageLength = 4096;

const id = v.pipe(v.number(), v.integer());
// One more than the process itself allows: the call that was refused is told as well.
const calls = v.pipe(v.array(hostCall), v.maxLength(1001));

const result = v.variant('outcome', [
  v.object({ id, calls, outcome: v.literal('ok'), content: v.string(), summary: v.string() }),
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

const schemas = {
  [fromProcess.ready]: v.object({ ms: v.number() }),
  [fromProcess.result]: result,
  [fromProcess.log]: v.object({
    level: v.picklist(['debug', 'info', 'warn', 'error']),
    message: v.string(),
  }),
  [fromProcess.progress]: v.object({
    label: v.pipe(v.string(), v.maxLength(1000)),
    done: v.number(),
    total: v.optional(v.number()),
  }),
  [fromProcess.request]: v.object({
    id,
    call: v.pipe(v.string(), v.maxLength(64)),
    args: v.pipe(v.array(v.unknown()), v.maxLength(8)),
  }),
  // For a process of the same plugin: handed on, never looked into.
  [fromProcess.assisted]: v.object({ id, part: v.unknown() }),
  [fromProcess.failed]: v.object({ message: v.pipe(v.string(), v.maxLength(maxMessageLength)) }),
};

export type ProcessMessage =
  | { kind: 'ready'; message: ReadyMessage }
  | { kind: 'result'; message: ResultMessage }
  | { kind: 'log'; message: LogMessage }
  | { kind: 'progress'; message: ProgressMessage }
  | { kind: 'request'; message: RequestMessage }
  | { kind: 'assisted'; message: AssistedMessage }
  | { kind: 'failed'; message: FailedMessage };

const names = new Map<number, ProcessMessage['kind']>(
  Object.entries(fromProcess).map(([name, kind]) => [kind, name as ProcessMessage['kind']]),
);

/**
 * A frame from a plugin process, which is hostile until shown otherwise.
 *
 * @throws {KernelError} `plugin-fault` for an unknown kind, broken JSON or a wrong shape
 */
export function parseFrame(frame: Frame): ProcessMessage {
  const kind = names.get(frame.kind);
  if (kind === undefined) throw fault(`sent a frame of unknown kind ${frame.kind}`);
  let value: unknown;
  try {
    value =
      kind === 'result' ? resultIn(frame.payload) : JSON.parse(frame.payload.toString('utf8'));
  } catch {
    throw fault(`sent a ${kind} frame that is not JSON`);
  }
  if (kind === 'result' && isPlainResult(value)) return { kind, message: value };
  const parsed = v.safeParse(schemas[fromProcess[kind]], value);
  if (!parsed.success) {
    const path = v.getDotPath(parsed.issues[0]) ?? '(all)';
    throw fault(`sent a ${kind} frame whose "${path}" is wrong`);
  }
  return { kind, message: parsed.output } as ProcessMessage;
}

/** The text behind a result is its content, and nothing else is. */
function resultIn(payload: Buffer): unknown {
  const { message, text } = decodePayload(payload);
  if (typeof message === 'object' && message !== null)
    (message as { content?: unknown }).content = text;
  return message;
}

/** The commonest frame, checked without the schema: that would be a tenth of a short call. */
function isPlainResult(value: unknown): value is ResultMessage & { outcome: 'ok' } {
  const result = value as Partial<
    Record<'id' | 'calls' | 'outcome' | 'content' | 'summary', unknown>
  >;
  return (
    typeof result === 'object' &&
    result !== null &&
    result.outcome === 'ok' &&
    Number.isInteger(result.id) &&
    Array.isArray(result.calls) &&
    result.calls.length === 0 &&
    typeof result.content === 'string' &&
    typeof result.summary === 'string' &&
    Object.keys(result).length === 5
  );
}

function fault(what: string): KernelError {
  return new KernelError('plugin-fault', `the plugin process ${what}`);
}
