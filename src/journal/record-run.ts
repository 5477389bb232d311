import type { KernelError } from '../contracts/error.ts';
import type { UnstampedEvent } from '../contracts/events.ts';
import type { JournalBody, JournalEntry } from '../contracts/journal.ts';
import type { StepResult } from '../contracts/plan.ts';
import type { Store } from '../contracts/store.ts';
import { type HostCall, type JsonObject, maxKeptLength, type Tool } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';

function gapEntry(lost: readonly string[], stamp: Stamp): JournalEntry {
  return { ...stamp, kind: 'gap', body: { lost: lost.length, reason: lost[0] ?? '' } };
}

/** A kind of event with its contents. */
export type RunNote = {
  [Kind in 'reading' | 'memory-read']: [kind: Kind, body: JournalBody<Kind>];
}['reading' | 'memory-read'];

/** The journal of one run; every effect crossed the host boundary and is written here once. */
export type RunJournal = {
  /** A host call that the kernel served, written before the tool has its answer. */
  served(step: string, call: HostCall): void;
  /** A step that ended, with the host calls that its plugin tells of. */
  step(result: StepResult, tool: Tool | undefined): void;
  /** What the run told of itself, as far as it is kept. */
  told(event: UnstampedEvent): void;
  /** What a part of the kernel did for the run, beside its events. */
  noted(...note: RunNote): void;
  /** A change of what plugins may do. */
  decided(command: string, what: string): void;
  finish(error: KernelError | undefined): void;
};

export type RunStart = {
  id: string;
  session?: string | undefined;
  command: string;
  question: string;
  project: string;
  model: string;
  /** what named the model */
  modelFrom?: string | undefined;
};

export type RecordPorts = {
  clock: { nowMs(): number };
  /** A text with words in the place of what must not be copied. */
  withoutSecrets(text: string): string;
  /** Keeps an answer that is too long for a row, by its SHA-256; absent where none is kept. */
  keepPayload?: ((answer: string) => string) | undefined;
  /** Signs the end of the chain. */
  signHead(store: Store): void;
};

/**
 * Writes the run's first row and returns what writes the rest.
 *
 * @throws {KernelError} when the store cannot be written
 */
export function recordRun(store: Store, run: RunStart, ports: RecordPorts): RunJournal {
  const { clock, withoutSecrets, signHead, keepPayload } = ports;
  const isSecret = (text: string): boolean => withoutSecrets(text) !== text;
  const startedMs = clock.nowMs();
  const { modelFrom, ...row } = run;
  const { id, command, model } = row;
  store.startRun({
    ...row,
    session: row.session,
    status: 'running',
    startedMs,
    finishedMs: undefined,
  });
  const lost: string[] = [];
  const stamp = { run: id, ts: startedMs };
  store.addEvents([
    {
      ...stamp,
      kind: 'run',
      body: { command, model, ...(modelFrom === undefined ? {} : { modelFrom }) },
    },
  ]);
  return {
    served: (step, call) => addCalls(step, [call]),
    step: (result, tool) => {
      try {
        addCalls(result.step, result.hostCalls);
      } finally {
        addStep(result, tool);
      }
    },
    told: (event) =>
      tryToAdd(withTexts(entryOf(event, { run: id, ts: clock.nowMs() }), withoutSecrets)),
    noted: (...[kind, body]) =>
      tryToAdd({ run: id, ts: clock.nowMs(), kind, body } as JournalEntry),
    decided: (by, what) => {
      const body = { command: by, what: withoutSecrets(what) };
      store.addEvents([{ run: id, ts: clock.nowMs(), kind: 'decision', body }]);
    },
    finish: (error) => {
      const nowMs = clock.nowMs();
      const status = error?.code ?? 'ok';
      const at = { run: id, ts: nowMs };
      const durationMs = Math.max(0, nowMs - startedMs);
      store.finishRun(id, status, nowMs);
      store.addEvents([
        ...(error === undefined ? [] : [withTexts(errorEntry(error, at), withoutSecrets)]),
        ...(lost.length === 0 ? [] : [gapEntry(lost, at)]),
        { ...at, kind: 'run-finished', body: { status, durationMs } },
      ]);
      signHead(store);
    },
  };

  /** What a run told changed nothing: a locked store costs the record and not the answer. */
  function tryToAdd(entry: JournalEntry | undefined): void {
    if (entry === undefined) return;
    try {
      store.addEvents([entry]);
    } catch (thrown) {
      lost.push(thrown instanceof Error ? thrown.message : String(thrown));
    }
  }

  function addCalls(step: string, calls: readonly HostCall[]): void {
    if (calls.length === 0) return;
    const ts = clock.nowMs();
    store.addHostCalls(
      calls.map((call) => ({
        ...(holdsSecret(call) ? bare(call) : withoutLong(call, ts)),
        ...{ target: withoutSecrets(call.target), run: id, step, ts },
      })),
    );
  }

  /** Long texts do not fit a row: a recorded answer stands behind its digest. */
  function withoutLong(call: HostCall, ts: number): HostCall {
    const { args = '', answer = '' } = call;
    if (Math.max(args.length, answer.length) <= maxKeptLength) return call;
    const short = args.length > maxKeptLength ? bare(call) : { ...bare(call), args };
    if (answer.length <= maxKeptLength) return { ...short, answer };
    try {
      const digest = keepPayload?.(answer);
      if (digest === undefined) return bare(call);
      store.addPayload({ run: id, hash: digest, bytes: Buffer.byteLength(answer), ts });
      return { ...short, digest };
    } catch {
      // A full disk ends no call that only read; the replay says what is missing.
      return short;
    }
  }

  /** In bytes, which stand there in base64. */
  function hidesSecret(text: string): boolean {
    return [...text.matchAll(bytesOfCall)].some(([, base64 = '']) =>
      isSecret(Buffer.from(base64, 'base64').toString('utf8')),
    );
  }

  function holdsSecret({ args = '', answer = '' }: HostCall): boolean {
    return [args, answer].some((text) => text !== '' && (isSecret(text) || hidesSecret(text)));
  }

  function addStep(result: StepResult, tool: Tool | undefined): void {
    const content = result.output?.content;
    const input = withTexts(result.input as JsonObject, withoutSecrets);
    const isRedacted = JSON.stringify(input) !== JSON.stringify(result.input);
    store.addStep({
      run: id,
      step: result.step,
      tool: result.tool,
      plugin: tool?.plugin ?? '',
      digest: tool?.digest ?? '',
      input,
      ...(isRedacted ? { isRedacted } : {}),
      status: result.status,
      summary: withoutSecrets(result.output?.summary ?? result.error?.message ?? ''),
      durationMs: result.durationMs,
      bytes: content === undefined ? 0 : Buffer.byteLength(content),
      attempts: result.attempts,
      ...(content === undefined ? {} : keptContent(content)),
    });
  }

  function keptContent(content: string): { content?: string; contentDigest: string } {
    const contentDigest = sha256(content);
    const isKept = content.length <= maxKeptLength && !isSecret(content);
    return isKept ? { content, contentDigest } : { contentDigest };
  }
}

/** Bytes of a call, as `encodeBytes` writes them. */
const bytesOfCall = /\{"\$bytes":"([A-Za-z0-9+/=]+)"\}/g;

/** The same value, its texts changed. */
function withTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, each]) => [key, withTexts(each, change)]);
  return Object.fromEntries(fields) as Value;
}

/** Without what it was asked and what it answered. */
function bare({ args: _, answer: __, ...call }: HostCall): HostCall {
  return call;
}

type Stamp = { run: string; ts: number };

function errorEntry({ code, message, hint = '' }: KernelError, stamp: Stamp): JournalEntry {
  return { ...stamp, kind: 'error', body: { code, message, hint } };
}

/** What is kept of an event that is told; a new one has no type until it stands here. */
function entryOf(event: UnstampedEvent, stamp: Stamp): JournalEntry | undefined {
  switch (event.type) {
    case 'guard': {
      const { type: kind, ...body } = event;
      return { ...stamp, kind, body };
    }
    case 'plan': {
      const { type: kind, ...body } = event;
      return { ...stamp, kind, body };
    }
    case 'usage': {
      const { type: _, ...body } = event;
      return { ...stamp, kind: 'model-call', body };
    }
    case 'answer': {
      const { type: kind, mode, memory, stop } = event;
      const evidence = event.evidence.map(({ path, line, endLine }) => ({ path, line, endLine }));
      const body = { mode, evidence, memory, ...(stop === undefined ? {} : { stop }) };
      return { ...stamp, kind, body };
    }
    // These are written where they happen, or are words of the answer.
    case 'run-started':
    case 'step-started':
    case 'step-finished':
    case 'text':
    case 'result':
    case 'error':
    case 'run-finished':
      return undefined;
    default:
      return event satisfies never;
  }
}
