import type {
  Authority,
  AuthorityRequest,
  Authorize,
  CommandVerdict,
  JudgeCommand,
} from '../contracts/authority.ts';
import type { Grant } from '../contracts/capability.ts';
import { type HostCaller, ServiceError } from '../contracts/host-service.ts';
import {
  type Decision,
  decide,
  type PolicyConfig,
  type RequestingPlugin,
} from '../policy/decide.ts';
import { denialOf } from '../policy/denial.ts';
import { isGrantDetail } from '../policy/parse-grant.ts';
import type { ConsentDesk } from './consent-desk.ts';

/** What is known of the plugin that makes a call. */
export type CallerAuthority = { manifest: RequestingPlugin; grants: readonly Grant[] };

export type AuthorizePorts = {
  /** Asked for at each call: a grant that was taken back holds no longer. */
  authorityOf(caller: HostCaller): Promise<CallerAuthority>;
  judgeCommand: JudgeCommand;
  /** Whether programs run in a sandbox: rules allow what is read-only and masked in there. */
  confined: boolean;
  policy: PolicyConfig;
  desk: ConsentDesk;
};

/** What becomes of a request before anybody is asked. */
export type RequestDecision =
  | { decision: 'allow'; readOnly: boolean }
  | { decision: 'deny'; error: ServiceError }
  | { decision: 'ask'; reason: string; hint: string };

/**
 * What grants and rules say of one request; also of one that a plan foresees.
 *
 * @throws {ServiceError} `denied` while the rules on programs cannot be read
 */
export function decideRequest(
  request: AuthorityRequest,
  { manifest, grants }: CallerAuthority,
  ports: Pick<AuthorizePorts, 'judgeCommand' | 'confined' | 'policy'>,
): RequestDecision {
  const { capability } = request;
  const detail = detailOf(request);
  const found = decide({ capability, detail }, manifest, grants, ports.policy);
  const verdict = request.capability === 'exec' ? ports.judgeCommand(request) : undefined;
  if (found.decision === 'deny') return { decision: 'deny', error: denied(found, detail) };
  if (verdict?.decision === 'deny')
    return { decision: 'deny', error: deniedByRule(verdict, detail) };
  if (found.decision === 'allow') return { decision: 'allow', readOnly: false };
  const byRule = ports.confined && manifest.builtin && !isReplaceable(request);
  if (verdict?.decision === 'allow' && byRule)
    return { decision: 'allow', readOnly: verdict.reader };
  // What no grant could name is not asked about: a person could not tell what it is.
  if (!isGrantDetail(capability, detail)) return { decision: 'deny', error: denied(found, detail) };
  return { decision: 'ask', reason: found.reason, hint: found.hint };
}

/**
 * Decides single programs and requests. A rule that denies outweighs every grant; a rule that
 * allows lets a built-in plugin run the program in the sandbox, read-only where it is known as a
 * reader; a grant allows the rest; what is left a person is asked about.
 */
export function createAuthorize(ports: AuthorizePorts): Authorize {
  const { authorityOf, policy, desk } = ports;

  return async (first, caller, foresee) => {
    let request = first;
    for (;;) {
      const { manifest, grants } = await authorityOf(caller);
      const { capability } = request;
      const detail = detailOf(request);
      const found = decideRequest(request, { manifest, grants }, ports);
      if (found.decision === 'deny') throw found.error;
      const origins = originsOf(grants, policy);
      const given = (readOnly: boolean): Authority => ({
        args: request.capability === 'exec' ? request.args : [],
        readOnly,
        // What only looks at files needs nobody to talk to.
        origins: readOnly ? [] : origins,
      });
      if (found.decision === 'allow') return given(found.readOnly);
      const lasting = desk.open ? await foresee?.() : undefined;
      const told = lasting === undefined || lasting.length === 0 ? {} : { lasting };
      const edited = await desk.ask({
        effect: request.capability === 'exec' ? { ...request, origins, ...told } : request,
        caller,
        builtin: manifest.builtin,
        grant: { capability, detail },
        reason: found.reason,
        hint: found.hint,
        isHeld: async () => {
          const now = await authorityOf(caller);
          const again = decide({ capability, detail }, now.manifest, now.grants, policy);
          return again.decision === 'allow';
        },
      });
      if (edited === undefined || !('args' in edited) || request.capability !== 'exec')
        return given(false);
      // Other arguments are another request: rules and the person see it like the first one.
      request = { ...request, args: edited.args };
    }
  };
}

/**
 * For calls that name nothing single, which a person could not be asked about: something of the
 * capability has to be held.
 */
export function createRequireHeld(
  ports: Pick<AuthorizePorts, 'authorityOf' | 'policy'>,
): (caller: HostCaller, capability: string) => Promise<void> {
  return async (caller, capability) => {
    const { manifest, grants } = await ports.authorityOf(caller);
    const found = decide({ capability }, manifest, grants, ports.policy);
    if (found.decision !== 'allow') throw denied(found, capability);
  };
}

function detailOf(request: AuthorityRequest): string {
  return request.capability === 'exec' ? request.program : request.origin;
}

/** A program that others than an administrator could replace is no known reader. */
function isReplaceable(request: AuthorityRequest): boolean {
  return request.capability === 'exec' && request.replaceable === true;
}

function originsOf(grants: readonly Grant[], policy: PolicyConfig): string[] {
  return grants
    .filter(({ capability }) => capability === 'http')
    .filter((grant) => denialOf(grant, policy.denied) === undefined)
    .flatMap(({ detail }) => detail ?? []);
}

function denied(decision: Exclude<Decision, { decision: 'allow' }>, target: string): ServiceError {
  return new ServiceError('denied', decision.reason, target, decision.hint);
}

function deniedByRule({ reason }: CommandVerdict, target: string): ServiceError {
  const hint = 'A rule on programs denies it, and no grant outweighs a rule.';
  return new ServiceError('denied', reason, target, hint);
}
