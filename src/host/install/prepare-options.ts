import type { ProcessSandbox } from '../../sandbox/process-sandbox.ts';
import type { HostLimits } from '../limits.ts';

export type Bundles = {
  /** built bundle of the plugin process */
  process: string;
  transpile: string;
  /** built bundle of the process that makes components of WASI preview-1 modules */
  wrap: string;
};

export type PrepareOptions = {
  bundles: Bundles;
  limits: HostLimits;
  sandbox: ProcessSandbox;
  signal: AbortSignal;
};
