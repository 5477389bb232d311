import type { Authorize } from '../contracts/authority.ts';
import type { Grant } from '../contracts/capability.ts';
import { type HostCaller, ServiceError } from '../contracts/host-service.ts';
import { decide } from '../policy/decide.ts';

/** What is known of the plugin that makes a call. */
export type CallerAuthority = { builtin: boolean; grants: readonly Grant[] };

/** Grants are asked for at each call: one that was taken back holds no longer. */
export function createAuthorize(of: (caller: HostCaller) => CallerAuthority): Authorize {
  return async (request, caller) => {
    const { builtin, grants } = of(caller);
    const detail = request.capability === 'exec' ? request.program : request.origin;
    const { capability } = request;
    const answer = decide({ capability, detail }, { plugin: caller.plugin, builtin }, grants);
    if (answer.decision !== 'allow') throw new ServiceError('denied', answer.reason, detail);
    const origins = grants.flatMap((grant) =>
      grant.capability === 'http' && grant.detail !== undefined ? [grant.detail] : [],
    );
    return { args: request.capability === 'exec' ? request.args : [], readOnly: false, origins };
  };
}
