import type { KernelError } from './error.ts';
import type { HostCall, ToolOutput } from './tool.ts';

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
