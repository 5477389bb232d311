import type { KernelError } from './error.ts';
import type { Effect, HostCall, Json, NestedCall, ToolOutput } from './tool.ts';

/** A value that is taken from the output of an earlier step, by JSON pointer (RFC 6901). */
export type InputRef = { $from: string; path: string };

/** A step's input: JSON in which any object may be an `InputRef`. */
export type StepInput = { [key: string]: Json };

export type Step = {
  /** `s1`, `s2`, … in plan order */
  id: string;
  tool: string;
  input: StepInput;
  /** ids of the steps whose output this one waits for */
  needs: readonly string[];
  effect: Effect;
  /** the step of an earlier plan of the run that failed, and that this one is planned anew for */
  insteadOf?: string;
};

/** A capability that the plan would use, with what policy says of it now. */
export type PlannedCapability = {
  capability: string;
  detail?: string;
  decision: 'allow' | 'ask' | 'deny';
};

/** A directed acyclic graph of tool calls, as data. */
export type Plan = {
  steps: readonly Step[];
  capabilities: readonly PlannedCapability[];
};

export type StepStatus = 'ok' | 'denied' | 'error' | 'timeout' | 'canceled' | 'skipped';

export type StepResult = {
  step: string;
  tool: string;
  /** steps whose output it took */
  needs: readonly string[];
  /** the input with every reference replaced; what was asked when the step was skipped */
  input: Readonly<Record<string, unknown>>;
  status: StepStatus;
  output?: ToolOutput;
  error?: KernelError;
  /** how often it was started */
  attempts: number;
  durationMs: number;
  /** calls that the plugin's process made itself; those of the kernel are recorded already */
  hostCalls: readonly HostCall[];
};

/** What a run says of the calls that its tools make of others. */
export type NestedCalls = {
  /** Gives calls as they are to be made. @throws {KernelError} why none of them is made */
  admit?(calls: readonly NestedCall[]): readonly NestedCall[];
  /** Learns what came of one, before its caller has it. */
  done?(result: StepResult): void;
};

/** The same steps with ids from `s(first)` on, for a plan that is not the first of its run. */
export function renumberSteps(steps: readonly Step[], first: number): Step[] {
  const ids = new Map(steps.map((step, index) => [step.id, `s${first + index}`]));
  const rename = (id: string): string => ids.get(id) ?? id;
  const renameIn = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(renameIn);
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      key === '$from' && typeof item === 'string' ? rename(item) : renameIn(item),
    ]);
    return Object.fromEntries(entries);
  };
  return steps.map((step) => ({
    ...step,
    id: rename(step.id),
    input: renameIn(step.input) as StepInput,
    needs: step.needs.map(rename),
  }));
}
