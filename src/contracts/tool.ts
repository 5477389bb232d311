import { type ErrorCode, KernelError } from './error.ts';
import type { NotRead } from './not-read.ts';

/** The greatest effect of a call, from least to most. */
export const effects = ['pure', 'read', 'write', 'external'] as const;
export type Effect = (typeof effects)[number];

/** Whether it changes nothing and reaches nobody. */
export function isReading(effect: Effect): boolean {
  return effect === 'pure' || effect === 'read';
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** One tool as `describe()` of its plugin tells it, with what the host knows of the plugin. */
export type Tool = {
  /** `PLUGIN.TOOL` */
  name: string;
  plugin: string;
  pluginVersion: string;
  /** SHA-256 of the plugin's binary, hex */
  digest: string;
  effect: Effect;
  description: string;
  /** JSON Schema 2020-12 of the input object */
  inputSchema: JsonObject;
  /** JSON Schema of the content, where the tool describes it; nothing checks the content */
  outputSchema?: JsonObject;
  examples: readonly JsonObject[];
};

export type ToolCall = { tool: string; input: JsonObject };

/** The result of a tool. `content` is JSON as text, or plain text. */
export type ToolOutput = { content: string; summary: string };

/** Case names of `cuervo:plugin/tools.tool-error`. */
export const toolErrorCases = [
  'invalid-input',
  'denied',
  'not-found',
  'conflict',
  'limit',
  'timeout',
  'unavailable',
  'failed',
] as const;
export type ToolErrorCase = (typeof toolErrorCases)[number];

/** Case names of `cuervo:host/types.host-error`. */
export const hostErrorCases = [
  'denied',
  'not-found',
  'invalid',
  'limit',
  'timeout',
  'conflict',
  'io',
] as const;
export type HostErrorCase = (typeof hostErrorCases)[number];

/** The table of the contract: what a guest reports, as a kernel code. */
export const toolErrorCodes: Readonly<Record<ToolErrorCase, ErrorCode>> = {
  'invalid-input': 'invalid-argument',
  denied: 'permission-denied',
  'not-found': 'not-found',
  conflict: 'conflict',
  limit: 'resource-exhausted',
  timeout: 'deadline-exceeded',
  unavailable: 'unavailable',
  failed: 'tool-failed',
};

/** Characters of one text that is kept for a replay: what was asked, what was answered, a result. */
export const maxKeptLength = 64 * 1024;

/** The same with `--record`; a frame holds no more than 8 MiB, with all that a call asked for. */
export const maxRecordedLength = 3 * 1024 * 1024;

/** One call across the host boundary, as the journal keeps it. */
export type HostCall = {
  /** e.g. `fs.read-text` */
  call: string;
  /** the argument that names the object (a path, an origin), at most 512 characters */
  target: string;
  /** `ok` or the case of the host-error */
  outcome: 'ok' | HostErrorCase;
  durationMs: number;
  /** bytes that went into the guest, where it is known */
  bytes?: number;
  /** what a walk, scan or tally came by and could not read; absent where there is nothing */
  notRead?: readonly NotRead[];
  /** how many refusals of this kind the row stands for; absent: one call */
  times?: number;
  /** JSON of what was asked and answered, for a replay; absent where it is not kept */
  args?: string;
  answer?: string;
  /** SHA-256 of the answer, hex */
  digest?: string;
};

export type ToolEvent =
  | { type: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; message: string }
  | { type: 'progress'; label: string; done: number; total?: number }
  /** `by` says whose word it is; what the kernel served was recorded when it was served */
  | { type: 'host-call'; call: HostCall; by: 'kernel' | 'plugin' }
  | { type: 'output'; output: ToolOutput };

/** A call that is made only to see its needs; compared by identity. */
export type Rehearsal = {
  step: string;
  /** told of each call that the tool makes of another one */
  onCall?(call: NestedCall): void;
};

/** A call that a tool makes of another one. */
export type NestedCall = ToolCall & { effect: Effect };

/**
 * Makes calls for a tool that waits for them, as steps under its own: reads side by side, what writes
 * alone and in order. Each has its output, or why it has none.
 *
 * @param chain the tools that wait, outermost first
 * @throws {KernelError} `resource-exhausted` where the run has no calls left
 */
export type Nest = (
  calls: readonly NestedCall[],
  chain: readonly string[],
) => Promise<(ToolOutput | KernelError)[]>;

export type InvokeOptions = {
  signal: AbortSignal;
  timeoutMs: number;
  run?: string;
  step?: string;
  /** only finds out what a person would be asked about; nothing is done */
  rehearsal?: Rehearsal;
  /** Writes down a host call that the kernel served, before the tool has its answer. */
  record?(call: HostCall): void;
  /** absent where no steps are made, as in a rehearsal */
  nest?: Nest;
  /** the tools that wait for this call, outermost first; none where a plan makes it */
  chain?: readonly string[];
};

/** Runs tools. The last event of a call is `output`; failure throws a `KernelError`. */
export type ToolInvoker = {
  tools(): Promise<readonly Tool[]>;
  invoke(call: ToolCall, options: InvokeOptions): AsyncIterable<ToolEvent>;
};

/** Whether a value of JSON is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Bytes of the input of one call. A frame holds 8 MiB; the rest is for names, reasons and known
 * words.
 */
export const maxInputBytes = 7 * 1024 * 1024;

/** @param size what it has, with its unit */
export function inputTooLarge(tool: string, size: string): KernelError {
  return new KernelError(
    'resource-exhausted',
    `${tool}: an input of ${size}, limit ${maxInputBytes}`,
    { hint: 'Hand over less at once, or a file for the tool to read.' },
  );
}

/**
 * An input that no frame holds is the caller's mistake, and no fault of the plugin.
 *
 * @param input JSON text, counted as UTF-8
 * @throws {KernelError} `resource-exhausted` above `maxInputBytes`
 */
export function refuseLargeInput(tool: string, input: string): void {
  // Three bytes a unit at most.
  if (input.length * 3 <= maxInputBytes) return;
  const bytes = Buffer.byteLength(input);
  if (bytes > maxInputBytes) throw inputTooLarge(tool, `${bytes} bytes`);
}
