import { hash } from 'node:crypto';
import { type HostService, ServiceError } from '../contracts/host-service.ts';
import type { JournalBody, JournalEvent } from '../contracts/journal.ts';
import type { ReplayedStep, ReplayReport } from '../contracts/output/parse-journal.ts';
import type { HostErrorCase, Json, Tool, ToolCall, ToolInvoker } from '../contracts/tool.ts';
import { parseReply } from './parse-stored.ts';

export type ReplayPorts = {
  /** Opens plugins that get nothing but answers of these services; `start` makes one ready. */
  open(
    services: ReadonlyMap<string, HostService>,
  ): ToolInvoker & AsyncDisposable & { start(plugin: string): Promise<void> };
  /** calls that the kernel serves, and those that a plugin's process does; their order is kept apart */
  served: ReadonlySet<string>;
  reported: readonly string[];
  /** of the reported ones, those that a process of these plugins can make again, and what tells it to */
  again: { plugins: readonly string[]; calls: readonly string[]; answer: string };
  /** values with bytes to those without, and back */
  encode(value: unknown): unknown;
  decode(value: unknown): unknown;
  /** what the journal holds of a result */
  journaled(call: ToolCall, step: string, content: string): string;
  /** the plugin whose steps alone are run again, by whatever version of it answers */
  only: string | undefined;
  /** a recorded answer by its SHA-256; undefined where none is kept under it */
  payload(sha256: string): string | undefined;
  /** what was read in a file, by its SHA-256; undefined where the file is another now */
  readAgain(call: string, args: readonly unknown[], sha256: string): unknown;
  timeoutMs: number;
  signal: AbortSignal;
};

type Recorded = JournalBody<'host-call'>;
type RecordedStep = JournalBody<'step'>;

/**
 * Calls the components of a run again, with the recorded answers of the host, and compares each call
 * and result. Nothing outside is touched.
 */
export async function replayRun(
  run: string,
  events: readonly JournalEvent[],
  ports: ReplayPorts,
): Promise<ReplayReport> {
  let tape: Tape | undefined;
  const services = new Map(
    [...ports.served, ...ports.reported].map((call): [string, HostService] => [
      call,
      async (args) => {
        if (tape === undefined) throw new ServiceError('io', `${call} outside of a step`);
        return tape.answer(call, args);
      },
    ]),
  );
  await using invoker = ports.open(services);
  const tools = await invoker.tools();
  const found = events.flatMap((event) => {
    // A step without a binary is one of the kernel's own.
    if (event.kind !== 'step' || binaryOf(event.body) === '') return [];
    // Its name goes with its contents.
    const { step = '', body } = event;
    if (ports.only !== undefined && body !== undefined && body.plugin !== ports.only) return [];
    return [{ step, body, whyNot: whyNotReplayed(body, tools, ports) }];
  });
  // A start takes longer than most calls do, and is none of their time.
  const startedMs = performance.now();
  const called = found.flatMap(({ body, whyNot }) =>
    body === undefined || whyNot !== undefined ? [] : [body.plugin],
  );
  await Promise.all([...new Set(called)].map((plugin) => invoker.start(plugin)));
  const startMs = Math.round(performance.now() - startedMs);
  const steps: ReplayedStep[] = [];
  for (const { step, body, whyNot = '' } of found) {
    if (body === undefined || whyNot !== '') {
      const tool = body?.tool ?? '';
      const nothing = { calls: 0, differences: [] };
      steps.push({ step, tool, outcome: 'not-replayed', ...nothing, why: whyNot });
      continue;
    }
    tape = createTape(callsOf(events, step), ports, body.plugin);
    const calledMs = performance.now();
    const got = await callAgain(invoker, { ...body, step }, ports);
    const replayedMs = Math.round(performance.now() - calledMs);
    const differences = [...tape.end(), ...resultDifference(body, got)];
    const missing = tape.missing();
    const outcome =
      missing !== undefined ? 'not-replayed' : differences.length === 0 ? 'alike' : 'different';
    steps.push({
      ...{ step, tool: body.tool, outcome, calls: tape.made() },
      differences: missing === undefined ? differences : [],
      ...(missing === undefined ? {} : { why: missing }),
      ...{ recordedMs: body.durationMs, replayedMs },
    });
  }
  return { run, alike: steps.every(({ outcome }) => outcome === 'alike'), startMs, steps };
}

/** SHA-256 of the plugin that a step ran in; the digests of its answers and of its result are others. */
const binaryOf = (step: RecordedStep | undefined): string | undefined => step?.digest;

function whyNotReplayed(
  body: RecordedStep | undefined,
  tools: readonly Tool[],
  { only }: ReplayPorts,
): string | undefined {
  if (body === undefined) return 'its record was forgotten or pruned';
  const { plugin, attempts } = body;
  const recorded = binaryOf(body);
  if (body.isRedacted === true) return 'its input held a secret, which is not kept';
  if (attempts === 0) return 'it did not run';
  if (attempts > 1) return `it ran ${attempts} times`;
  const tool = tools.find(({ name }) => name === body.tool);
  if (tool === undefined) return `there is no tool ${body.tool} any more`;
  if (tool.digest === recorded || only === plugin) return undefined;
  return `${plugin} is another version now (${tool.digest.slice(0, 12)}, not ${recorded?.slice(0, 12)}); compare it with: --plugin ${plugin}`;
}

function callsOf(events: readonly JournalEvent[], step: string): (Recorded | undefined)[] {
  return events.flatMap((event) =>
    event.kind === 'host-call' && event.step === step ? [event.body] : [],
  );
}

type Difference = ReplayedStep['differences'][number];

type Tape = {
  answer(call: string, args: readonly unknown[]): { value: unknown; target: string };
  /** calls that were recorded and not made */
  end(): Difference[];
  made(): number;
  /** what was not recorded, and was asked for */
  missing(): string | undefined;
};

function createTape(
  calls: readonly (Recorded | undefined)[],
  ports: ReplayPorts,
  plugin: string,
): Tape {
  const again = ports.again.plugins.includes(plugin) ? ports.again.calls : [];
  const known = calls.filter((call) => call !== undefined);
  // What the kernel served was written when it was served, the rest with the result.
  const served = known.filter(({ call }) => ports.served.has(call));
  const reported = known.filter(({ call }) => ports.reported.includes(call));
  const differences: Difference[] = [];
  let made = 0;
  let missing: string | undefined;
  /** an answer that is made again, until its digest is told */
  let awaited: { call: string; digest: string; why: string } | undefined;

  const differ = (difference: Difference): never => {
    if (differences.length === 0) differences.push(difference);
    throw new ServiceError('io', 'the replay went another way');
  };

  return {
    answer: (call, args) => {
      if (awaited !== undefined) {
        const { digest, why } = awaited;
        const isTold = awaited.call === call && args[0] === digest;
        awaited = undefined;
        if (isTold) return { value: true, target: '' };
        missing ??= `${why}, and is another now`;
        throw new ServiceError('io', 'not recorded');
      }
      made += 1;
      const at = `call ${made}`;
      const queue = ports.served.has(call) ? served : reported;
      const next = queue.shift();
      if (next?.call !== call)
        return differ({ at, field: 'call', recorded: next?.call ?? null, replayed: call });
      if (next.args !== undefined) {
        const given = ports.encode(args) as Json;
        const found = firstDifference(JSON.parse(next.args) as Json, given);
        if (found !== undefined) {
          const { path, left, right } = found;
          return differ({ at, field: `${call} args${path}`, recorded: left, replayed: right });
        }
      }
      const { digest: answerSha256 } = next;
      const answer =
        next.answer ?? (answerSha256 === undefined ? undefined : ports.payload(answerSha256));
      const reply = answer === undefined ? undefined : parseReply(answer);
      if (reply === undefined) {
        const isSame = args[0] === next.target && answerSha256 !== undefined;
        const read = isSame ? ports.readAgain(call, args, answerSha256) : undefined;
        if (read !== undefined) return { value: read, target: next.target };
        const why = `what ${call} ${next.target} answered is not recorded${next.bytes === undefined ? '' : ` (${next.bytes} bytes)`}`;
        if (isSame && again.includes(call)) {
          awaited = { call, digest: answerSha256, why };
          return { value: ports.again.answer, target: next.target };
        }
        missing ??= why;
        throw new ServiceError('io', 'not recorded');
      }
      if ('error' in reply)
        throw new ServiceError(reply.error.tag as HostErrorCase, reply.error.val, next.target);
      return { value: ports.decode(reply.value), target: next.target };
    },
    end: () => {
      const [left] = [...served, ...reported].filter(({ outcome }) => outcome !== 'denied');
      if (differences.length === 0 && left !== undefined)
        return [{ at: 'end', field: 'call', recorded: left.call, replayed: null }];
      return differences;
    },
    made: () => made,
    missing: () => missing ?? awaited?.why,
  };
}

/** What a step came to: its content, or the message of its error. */
type Got = { content: string } | { error: string };

async function callAgain(
  invoker: ToolInvoker,
  { tool, input, step }: RecordedStep & { step: string },
  { signal, timeoutMs, journaled }: ReplayPorts,
): Promise<Got> {
  try {
    const call = { tool, input: input as Record<string, Json> };
    let content = '';
    for await (const event of invoker.invoke(call, { signal, timeoutMs, step }))
      if (event.type === 'output') content = event.output.content;
    return { content: journaled(call, step, content) };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function resultDifference(recorded: RecordedStep, got: Got): Difference[] {
  const { status, content, contentDigest, summary } = recorded;
  const at = 'result';
  if ('error' in got) {
    const isAlike = status !== 'ok' && got.error === summary;
    return isAlike
      ? []
      : [{ at, field: 'error', recorded: status === 'ok' ? null : summary, replayed: got.error }];
  }
  if (status !== 'ok') return [{ at, field: 'error', recorded: summary, replayed: null }];
  if (contentDigest === undefined || hash('sha256', got.content) === contentDigest) return [];
  if (content === undefined)
    return [
      {
        at,
        field: 'contentDigest',
        recorded: contentDigest,
        replayed: hash('sha256', got.content),
      },
    ];
  const found = firstDifference(asJson(content), asJson(got.content));
  const { path = '', left = content, right = got.content } = found ?? {};
  return [{ at, field: `content${path}`, recorded: left, replayed: right }];
}

function asJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/**
 * The first place where two values of JSON differ, as a JSON pointer (RFC 6901); undefined where
 * there is none. What one of them lacks is null there.
 */
export function firstDifference(
  left: Json,
  right: Json,
  path = '',
): { path: string; left: Json; right: Json } | undefined {
  if (left === right) return undefined;
  if (!isNested(left) || !isNested(right) || Array.isArray(left) !== Array.isArray(right))
    return { path, left, right };
  const one = new Map(Object.entries(left));
  const other = new Map(Object.entries(right));
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const values = [one.get(key), other.get(key)] as const;
    const [from = null, to = null] = values;
    if (values.includes(undefined)) return { path: place, left: from, right: to };
    const found = firstDifference(from, to, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}
