import type { ToolErrorCase } from '../../contracts/tool.ts';
import { CborFault, cborToJson, jsonToCbor } from '../../lib/cbor.ts';
import type { ListedTool, ToolBinding } from '../../protocol/bindings.ts';
import type { CallResult } from './call-function.ts';
import { readPieces } from './drain.ts';
import { InputMismatch } from './guest-values.ts';
import { isGuestError, settled, ToolFailure } from './settled.ts';

/** Values of `act:core` and `act:tools` as glue gives them. */
type Text = { tag: 'plain'; val: string } | { tag: 'localized'; val: [string, string][] };
type Metadata = [key: string, cbor: Uint8Array][];
type ActError = { kind: string; message: Text };
type Part = { data: Uint8Array; mimeType?: string; metadata: Metadata };
type Event = { tag: 'content'; val: Part } | { tag: 'error'; val: ActError };
type Result =
  | { tag: 'immediate'; val: Event[] }
  | { tag: 'streaming'; val: Parameters<typeof readPieces>[0] };
type Definition = { name: string; description: Text; parametersSchema: string; metadata: Metadata };

type Run = (...args: unknown[]) => unknown;

/** `list-tools` of Agent Component Tools; `content` is JSON of `ListedTool[]`. */
function listTools(run: Run): CallResult {
  return settled(() => run([]), {
    value: (given) => {
      const { tools } = given as { tools: Definition[] };
      const listed = tools.map(
        ({ name, description, parametersSchema, metadata }): ListedTool => ({
          name,
          description: plain(description),
          schema: parametersSchema,
          readOnly: hintOf(metadata, 'std:read-only') === true,
        }),
      );
      return { content: JSON.stringify(listed), summary: `${listed.length} tools` };
    },
    error: (thrown) => {
      throw isGuestError(thrown) ? failureOf(thrown.payload as ActError) : thrown;
    },
  });
}

/**
 * Calls a component of Agent Component Tools: `list-tools`, or `call-tool` for one tool. The
 * arguments are CBOR. The parts of the result, one a line, are the content: texts and JSON as they
 * are, CBOR as JSON, other bytes as `data:` URIs. Those of a stream are shown as they come.
 *
 * @throws {ToolFailure} the error that ended the parts, or `limit`; {InputMismatch}
 */
export function callAct(
  run: Run,
  { tool }: ToolBinding & { kind: 'act' },
  input: unknown,
  options: {
    maxResultBytes: number;
    progress(label: string, done: number, total?: number): void;
    reading: Set<Disposable>;
  },
): CallResult {
  if (tool === undefined) return listTools(run);
  let args: Uint8Array;
  try {
    args = jsonToCbor(input, tool.input);
  } catch (thrown) {
    if (!(thrown instanceof CborFault)) throw thrown;
    throw new InputMismatch(`the input has ${thrown.message}`);
  }
  const texts: string[] = [];
  let bytes = 0;
  const take = (event: Event): string => {
    if (event.tag === 'error') throw failureOf(event.val);
    const text = partText(event.val);
    bytes += text.length;
    if (bytes > options.maxResultBytes) {
      throw new ToolFailure(
        'limit',
        `its parts have more than ${options.maxResultBytes} bytes (limits.max-result-bytes)`,
      );
    }
    texts.push(text);
    return text;
  };
  const show = (event: Event): void => {
    const text = take(event);
    const { metadata } = (event as { val: Part }).val;
    const [done, total] = [
      hintOf(metadata, 'std:progress'),
      hintOf(metadata, 'std:progress-total'),
    ];
    options.progress(
      text,
      typeof done === 'number' ? done : texts.length,
      typeof total === 'number' ? total : undefined,
    );
  };
  const collect = async (given: unknown): Promise<undefined> => {
    const result = given as Result;
    if (result.tag === 'immediate') result.val.forEach(take);
    else
      for await (const events of readPieces(result.val, eventsAtOnce, options.reading))
        (events as Event[]).forEach(show);
  };
  return settled(async () => await collect(await run(tool.name, args, [])), {
    value: () => {
      const line = texts.join(' ').slice(0, maxSummary).replace(/\s+/g, ' ').toWellFormed();
      return { content: texts.join('\n'), summary: `${tool.name}: ${line}` };
    },
    error: (thrown) => {
      throw thrown;
    },
  });
}

/** A part may be as large as a result: few of them at once. */
const eventsAtOnce = 16;
/** Characters of a summary: a line that a person reads. */
const maxSummary = 160;

function partText({ data, mimeType = 'application/octet-stream' }: Part): string {
  if (/^text\/|^application\/(?:.*\+)?(?:json|xml)\b/.test(mimeType))
    return Buffer.from(data).toString('utf8');
  if (mimeType === 'application/cbor') {
    try {
      const json = cborToJson(data);
      return json.startsWith('"') ? (JSON.parse(json) as string) : json;
    } catch (thrown) {
      if (!(thrown instanceof CborFault)) throw thrown;
    }
  }
  return `data:${mimeType};base64,${Buffer.from(data).toString('base64')}`;
}

const cases: ReadonlyMap<string, ToolErrorCase> = new Map([
  ['std:invalid-args', 'invalid-input'],
  ['std:not-found', 'not-found'],
  ['std:capability-denied', 'denied'],
  ['std:timeout', 'timeout'],
]);

function failureOf({ kind, message }: ActError): ToolFailure {
  const failure = new ToolFailure(cases.get(kind) ?? 'failed', `${kind}: ${plain(message)}`);
  failure.isTold = true;
  return failure;
}

/** English where there are several languages, or else the first of them. */
function plain({ tag, val }: Text): string {
  if (tag === 'plain') return val;
  return (val.find(([language]) => /^en\b/.test(language)) ?? val[0])?.[1] ?? '';
}

function hintOf(metadata: Metadata, key: string): unknown {
  const found = metadata.find(([name]) => name === key)?.[1];
  try {
    return found === undefined ? undefined : JSON.parse(cborToJson(found));
  } catch (thrown) {
    // A stranger's hint that cannot be read is none.
    if (!(thrown instanceof CborFault)) throw thrown;
    return undefined;
  }
}
