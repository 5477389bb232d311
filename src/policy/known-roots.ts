import { grantDetail } from '../contracts/capabilities.ts';
import type { Grant } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import { workRoot } from '../lib/files/roots.ts';
import { formatGrant } from './parse-grant.ts';

/** Whether the root that a grant names exists; true for a grant without a root. */
export function hasItsRoot({ capability, detail }: Grant): boolean {
  return grantDetail(capability)?.placeholder !== 'ROOT' || detail === workRoot;
}

/**
 * Refuses a grant of a root that does not exist: it would give nothing, and is mostly a typing
 * error.
 *
 * @throws {KernelError} `invalid-argument`
 */
export function refuseUnknownRoots(grants: readonly Grant[]): void {
  const stray = grants.find((grant) => !hasItsRoot(grant));
  if (stray === undefined) return;
  const message = `${formatGrant(stray)}: there is no root "${stray.detail}"; there is ${workRoot}`;
  throw new KernelError('invalid-argument', message, {
    hint: `Grant the workspace with ${stray.capability}:${workRoot}.`,
  });
}
