import type { HostErrorCase, ToolErrorCase } from '../contracts/tool.ts';
import { ToolFailure } from './adapters/tool-failure.ts';
import type { WasiOutcome } from './create-wasi-imports.ts';

const cases: Readonly<Record<HostErrorCase, ToolErrorCase>> = {
  denied: 'denied',
  'not-found': 'not-found',
  invalid: 'invalid-input',
  limit: 'limit',
  timeout: 'timeout',
  conflict: 'conflict',
  io: 'failed',
};

/** A call whose guest believes that it wrote what is not on the disk did not succeed. */
export function unsavedError(lost: WasiOutcome['lost']): ToolFailure | undefined {
  const [first] = lost;
  if (first === undefined) return undefined;
  return new ToolFailure(cases[first.tag], `not saved: ${lost.map(({ val }) => val).join('; ')}`);
}
