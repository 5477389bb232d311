import { KernelError } from '../error.ts';

/** A model's fault, as far as it decides the next action. */
export type ModelFault = {
  /**
   * `busy` and `limited` pass by themselves; `unreachable` and `offline` are the network; `broken`
   * is an answer that ended before its end, `silent` one that stopped coming, `empty` one without
   * words or calls, `half-call` one that was meant as a call and is none; `overflow` is a prompt that is too long; `no-tools` a model that takes none;
   * `refused` comes again however often it is asked
   */
  kind:
    | 'busy'
    | 'limited'
    | 'unreachable'
    | 'offline'
    | 'broken'
    | 'silent'
    | 'empty'
    | 'half-call'
    | 'overflow'
    | 'no-tools'
    | 'refused';
  /** how long the provider asks to be left alone */
  retryAfterMs?: number;
  /** of a request that was refused for what is in it */
  status?: number;
  /** the longest prompt with its answer, in tokens, where the words say it */
  limitTokens?: number;
};

const faults = new WeakMap<KernelError, ModelFault>();

/** An error of a model. It has no cause: errors of the SDKs hold headers and the request. */
export function modelError(
  fault: ModelFault,
  message: string,
  hint: string,
  code: KernelError['code'] = 'unavailable',
): KernelError {
  const error = new KernelError(code, message, { hint });
  faults.set(error, fault);
  return error;
}

export function faultOf(thrown: unknown): ModelFault | undefined {
  return thrown instanceof KernelError ? faults.get(thrown) : undefined;
}

const passing: ReadonlySet<ModelFault['kind']> = new Set([
  ...(['busy', 'limited', 'unreachable', 'broken', 'silent'] as const),
]);

/** Whether the same request may well succeed a little later. */
export function isPassing(fault: ModelFault | undefined): boolean {
  return fault !== undefined && passing.has(fault.kind);
}
