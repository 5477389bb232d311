import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { Grant } from '../../contracts/capability.ts';
import type {
  Authority,
  AuthorityRequest,
  Authorize,
  CommandVerdict,
  JudgeCommand,
} from '../../contracts/consent.ts';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import type { JournalBody } from '../../contracts/journal.ts';
import type { ExecPorts } from '../../host/interfaces/exec.ts';
import type { ToolsPorts } from '../../host/interfaces/tools.ts';
import {
  type Decision,
  decide,
  denialOf,
  type PolicyConfig,
  type RequestingPlugin,
} from '../../policy/decide.ts';
import { isGrantDetail } from '../../policy/parse-grant.ts';
import { isAmong } from '../../policy/parse-grants-file.ts';
import {
  type RemoteCommand,
  remoteCommand,
  remotePlugin,
} from '../../programs/git/command-line.ts';

/** The rights of a calling plugin. */
export type CallerAuthority = {
  manifest: RequestingPlugin;
  grants: readonly Grant[];
  /** what the built-in plugin `git` holds, which counts for every git */
  ofGit?: readonly Grant[];
  /** the grants among them that a person typed for this run */
  typed?: readonly Grant[];
};

export type AuthorizePorts = {
  /** Called for each call, because grants may be taken back meanwhile. */
  authorityOf(caller: HostCaller): Promise<CallerAuthority>;
  judgeCommand: JudgeCommand;
  /** Whether programs run in a sandbox; only there may a rule allow a reading program. */
  confined: boolean;
  /** `consent.sandboxed = "run"` in the person's `config.toml` */
  runsSandboxed: boolean;
  /** @throws {ServiceError} `denied` where no program can run */
  requireSandbox(): Promise<unknown>;
  /** @throws {ServiceError} `denied` where nothing that is done could be journaled */
  requireJournal(): Promise<void>;
  policy: PolicyConfig;
  desk: ConsentDesk;
  used: NoteUse;
  /** an untrusted text that the run has read; undefined when it has read none */
  readBy(run: string | undefined): string | undefined;
};

/** Writes down by what right a call is made, before it is made. */
export type NoteUse = (
  grant: Grant,
  caller: HostCaller,
  by: JournalBody<'grant'>['by'],
) => Promise<void>;

/** The decision on a request before anybody is asked. */
export type RequestDecision =
  | { decision: 'allow'; readOnly: boolean; by: 'grant' | 'rule' | 'sandbox' }
  | { decision: 'deny'; error: ServiceError }
  | { decision: 'ask'; reason: string; hint: string };

/**
 * The verdict of grants and rules on one request, also on one that a plan foresees.
 *
 * @throws {ServiceError} `denied` while the rules on programs cannot be read
 */
export function decideRequest(
  request: AuthorityRequest,
  authority: CallerAuthority,
  ports: Pick<AuthorizePorts, 'judgeCommand' | 'confined' | 'runsSandboxed' | 'policy'>,
): RequestDecision {
  const { manifest } = authority;
  const { capability } = request;
  const detail = detailOf(request);
  const found = decideByGrant(request, authority, ports.policy);
  const verdict = request.capability === 'exec' ? ports.judgeCommand(request) : undefined;
  if (found.decision === 'deny') return { decision: 'deny', error: denied(found, detail) };
  if (verdict?.decision === 'deny')
    return { decision: 'deny', error: deniedByRule(verdict, detail) };
  const remote = remoteOf(request, manifest);
  if (remote?.way === 'ssh' && !sshHostsOf(authority.grants, ports.policy).includes(remote.host))
    return { decision: 'deny', error: sshDenied(remote.name) };
  if (remote !== undefined) return { decision: 'ask', ...eachTime };
  if (found.decision === 'allow') return { decision: 'allow', readOnly: false, by: 'grant' };
  const byRule = ports.confined && manifest.builtin && !isReplaceable(request);
  if (verdict?.decision === 'allow' && byRule)
    return { decision: 'allow', readOnly: verdict.reader, by: 'rule' };
  if (ports.confined && ports.runsSandboxed && staysInside(request, authority, ports.policy))
    return { decision: 'allow', readOnly: false, by: 'sandbox' };
  // A person is not asked about a thing that no grant can name: they could not tell what it is.
  if (!isGrantDetail(capability, detail)) return { decision: 'deny', error: denied(found, detail) };
  return { decision: 'ask', reason: found.reason, hint: hintFor(request, manifest, found.hint) };
}

/** A program that a built-in plugin starts, and that reaches nothing but the workspace. */
function staysInside(
  request: AuthorityRequest,
  { manifest, grants }: CallerAuthority,
  policy: PolicyConfig,
): boolean {
  if (request.capability !== 'exec' || !manifest.builtin) return false;
  if (request.replaceable === true || request.own?.standsIn === true) return false;
  return originsOf(grants, policy).length + sshHostsOf(grants, policy).length === 0;
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
      const authority = await authorityOf(caller);
      const { manifest, grants } = authority;
      const { capability } = request;
      const detail = detailOf(request);
      const decided = decideRequest(request, authority, ports);
      if (decided.decision === 'deny') throw decided.error;
      const origins = originsOf(grants, policy);
      const reached = [...origins, ...sshHostsOf(grants, policy)];
      const afterReading =
        decided.decision === 'allow' && leaves(request, decided, { reached, ...ports })
          ? unlessTyped(request, authority, policy, ports.readBy(caller.run))
          : undefined;
      const found = afterReading === undefined ? decided : askedAfter(afterReading);
      const given = (readOnly: boolean): Authority => ({
        args: request.capability === 'exec' ? request.args : [],
        readOnly,
        // Reading programs get no network.
        origins: readOnly ? [] : origins,
        ...(readOnly ? {} : { sshHosts: sshHostsOf(grants, policy) }),
        filters: detailsOf('filter', authority.ofGit ?? [], policy),
        repositories: detailsOf('repository', authority.ofGit ?? [], policy),
      });
      if (found.decision !== 'allow' || !found.readOnly) await ports.requireJournal();
      if (found.decision === 'allow') {
        await ports.used({ capability, detail }, caller, found.by);
        return given(found.readOnly);
      }
      // Without a working sandbox the program cannot run, so do not ask.
      if (request.capability === 'exec') await ports.requireSandbox();
      const lasting = desk.open ? await foresee?.() : undefined;
      const lastingPart = lasting === undefined || lasting.length === 0 ? {} : { lasting };
      const edited = await desk.ask({
        effect:
          request.capability === 'exec'
            ? {
                ...request,
                origins: reachedBy(request, manifest, origins),
                ...lastingPart,
                ...eachTimeOf(request, manifest),
              }
            : request,
        caller,
        builtin: manifest.builtin,
        grant: { capability, detail },
        reason: found.reason,
        hint: found.hint,
        ...(afterReading === undefined ? {} : { afterReading }),
        leaves: leaves(request, { readOnly: false }, { reached, ...ports }),
        isHeld: async () => {
          if (afterReading !== undefined) return false;
          if (remoteOf(request, manifest) !== undefined) return false;
          const again = decideByGrant(request, await authorityOf(caller), policy);
          return again.decision === 'allow';
        },
      });
      if (edited === undefined || !('args' in edited) || request.capability !== 'exec') {
        await ports.used({ capability, detail }, caller, 'person');
        return given(false);
      }
      // Changed arguments are a new request: rules and the person see it like the first.
      request = { ...request, args: edited.args };
    }
  };
}

/**
 * Asks a person for what a git needs beside its own grant. The answer is kept for the built-in
 * plugin `git`, whoever called: it is about the repository.
 */
export function createAskGrant({
  desk,
  authorityOf,
  git,
}: Pick<AuthorizePorts, 'desk' | 'authorityOf'> & {
  git(): { name: string; digest: string } | undefined;
}): ExecPorts['askGrant'] {
  return async (request, { message, hint = '', grant, asks }, caller) => {
    const holder = git();
    if (holder === undefined) throw new ServiceError('denied', message, '', hint);
    const edited = await desk.ask({
      effect: { ...request, asks },
      caller: { ...caller, plugin: holder.name, digest: holder.digest },
      builtin: true,
      grant,
      reason: message,
      hint,
      isHeld: async () => isAmong(grant, (await authorityOf(caller)).ofGit ?? []),
    });
    // This question has nothing to edit.
    if (edited !== undefined) throw new ServiceError('denied', message, '', hint);
  };
}

/** Whether something may leave the machine, or be written where nothing can be undone. */
function leaves(
  request: AuthorityRequest,
  { readOnly }: { readOnly: boolean },
  { reached, confined }: { reached: readonly string[]; confined: boolean },
): boolean {
  if (request.capability === 'http') return true;
  return !readOnly && (reached.length > 0 || !confined);
}

/** A person who types a grant for this run wants the call done. */
function unlessTyped(
  request: AuthorityRequest,
  { manifest, typed = [] }: CallerAuthority,
  policy: PolicyConfig,
  source: string | undefined,
): string | undefined {
  const detail = request.capability === 'exec' ? nameOf(request) : request.origin;
  const { capability } = request;
  const isTyped = decide({ capability, detail }, manifest, typed, policy).decision === 'allow';
  return isTyped ? undefined : source;
}

function askedAfter(source: string): Extract<RequestDecision, { decision: 'ask' }> {
  return {
    decision: 'ask',
    reason: `a model that read ${source} asks for this, and data would leave the machine`,
    hint: 'It is granted, but cuervo asks about it each time: run it at a terminal, or name it for this run with --allow.',
  };
}

/**
 * For calls that name no single thing to ask a person about: the caller must hold some grant of the
 * capability.
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

/** Whether the caller holds a grant that names a tool. What that tool may do is its own matter. */
export function createRequireTool(
  ports: Pick<AuthorizePorts, 'authorityOf' | 'policy'> & {
    installedMs(plugin: string): number | undefined;
  },
): ToolsPorts['requireTool'] {
  return async (caller, { name, plugin }) => {
    const installedMs = ports.installedMs(plugin);
    const { manifest, grants } = await ports.authorityOf(caller);
    const request = { capability: 'tools', detail: name };
    const known = installedMs === undefined ? request : { ...request, installedMs };
    const found = decide(known, manifest, grants, ports.policy);
    if (found.decision !== 'allow') throw denied(found, name);
  };
}

/**
 * The verdict of the grants. A program of the workspace or the user is granted with its digest; by
 * its name only for the run for which a person typed it, and never one that stands in for a program
 * of the system.
 */
function decideByGrant(
  request: AuthorityRequest,
  { manifest, grants, typed = [] }: CallerAuthority,
  policy: PolicyConfig,
): Decision {
  const { capability } = request;
  const found = decide({ capability, detail: detailOf(request) }, manifest, grants, policy);
  if (request.capability !== 'exec' || request.own === undefined) return found;
  const byName = decide({ capability, detail: nameOf(request) }, manifest, typed, policy);
  // A denial of a program by its name holds wherever the program lies.
  if (denialOf({ capability, detail: nameOf(request) }, policy.denied) !== undefined) return byName;
  return byName.decision === 'allow' && !request.own.standsIn ? byName : found;
}

function detailOf(request: AuthorityRequest): string {
  if (request.capability !== 'exec') return request.origin;
  const { own } = request;
  return own === undefined ? request.program : `${nameOf(request)}@${own.sha256}`;
}

/** A file of the workspace is named by its path there, wherever it is called from. */
function nameOf({ program, own }: Extract<AuthorityRequest, { capability: 'exec' }>): string {
  return program.includes('/') && own !== undefined ? `./${own.file}` : program;
}

/** The hint for a grant. A name is enough for one run; a lasting grant needs the file's digest. */
function hintFor(request: AuthorityRequest, { plugin }: RequestingPlugin, hint: string): string {
  if (request.capability !== 'exec' || request.own === undefined) return hint;
  if (request.own.standsIn || !isGrantDetail('exec', detailOf(request))) return hint;
  const kept = `cuervo plugin grant ${plugin} exec:${detailOf(request)}`;
  return `--allow exec:${nameOf(request)} grants it for one run, or ${kept} keeps it until the file changes`;
}

/**
 * What the built-in plugin `git` does with a remote carries the user's credential, and what is pushed
 * stays: no grant covers it, only an answer about the very command.
 */
function remoteOf(
  request: AuthorityRequest,
  { plugin, builtin }: RequestingPlugin,
): RemoteCommand | undefined {
  if (!builtin || plugin !== remotePlugin || request.capability !== 'exec') return undefined;
  return request.program === 'git' ? remoteCommand(request.args) : undefined;
}

/** The places that a program may reach: git with an ssh host reaches only that one. */
function reachedBy(
  request: AuthorityRequest,
  manifest: RequestingPlugin,
  origins: readonly string[],
): readonly string[] {
  const remote = remoteOf(request, manifest);
  return remote?.way === 'ssh' ? [remote.name] : origins;
}

const eachTime = {
  reason: 'git asks each time before it talks to a remote',
  hint: 'Run it at a terminal, and answer the question.',
};

function eachTimeOf(
  request: AuthorityRequest,
  manifest: RequestingPlugin,
): { eachTime?: true; lasting?: readonly string[] } {
  return remoteOf(request, manifest) === undefined ? {} : { eachTime: true };
}

/** A program that others than an administrator could replace is not a known reader. */
function isReplaceable(request: AuthorityRequest): boolean {
  if (request.capability !== 'exec') return false;
  return request.replaceable === true || request.own !== undefined;
}

function sshHostsOf(grants: readonly Grant[], policy: PolicyConfig): string[] {
  return detailsOf('ssh', grants, policy);
}

function sshDenied(name: string): ServiceError {
  const hint = `cuervo plugin grant git ${name} keeps it, or --allow ${name} grants it for one run; each time is asked about`;
  return new ServiceError('denied', `git was not granted ${name}`, name, hint);
}

function originsOf(grants: readonly Grant[], policy: PolicyConfig): string[] {
  return detailsOf('http', grants, policy);
}

function detailsOf(
  name: Grant['capability'],
  grants: readonly Grant[],
  policy: PolicyConfig,
): string[] {
  return grants
    .filter(({ capability }) => capability === name)
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
