import type { Grant } from '../contracts/capability.ts';
import type { AskConsent, ConsentAnswer, ConsentEffect } from '../contracts/consent.ts';
import { type HostCaller, ServiceError } from '../contracts/host-service.ts';
import { sha256 } from '../lib/sha256.ts';
import { formatGrant } from '../policy/parse-grant.ts';
import type { ConsentSessions } from './consent-sessions.ts';
import type { GrantsFile } from './grants.ts';

/** So often in a row one plugin is told no in a run; then it is not asked for any more. */
const maxRefusals = 3;
/** Of the arguments in the journal; their digest stands beside them. */
const maxJournaledLength = 2000;

export type ConsentNeed = {
  effect: ConsentEffect;
  caller: HostCaller;
  builtin: boolean;
  /** what `session` and `project` give, when the detail makes a grant */
  grant: Grant;
  /** of the denial that asking may turn round */
  reason: string;
  hint: string;
  /** Whether it was granted by now: the answer before this one may have covered it. */
  isHeld(): Promise<boolean>;
};

/** Where needs wait for a person, one after the other. */
export type ConsentDesk = {
  /** whether there is a person to ask */
  readonly open: boolean;
  /**
   * Returns when it is allowed.
   *
   * @returns other arguments, which are still to be decided; undefined for what was asked
   * @throws {ServiceError} `denied` when the answer is no, or nobody can be asked
   */
  ask(need: ConsentNeed): Promise<readonly string[] | undefined>;
  /** what the session of the caller's run holds */
  sessionGrants(caller: HostCaller): Promise<Grant[]>;
  /** ms in which a person was waited for, so far */
  waitedMs(): number;
  /** Forgets what a run was told once. */
  endRun(run: string): void;
};

export type ConsentPorts = {
  /** absent where nobody can be asked */
  askConsent: AskConsent | undefined;
  /** absolute path of the workspace */
  project: string;
  clock: { nowMs(): number };
  grants: Pick<GrantsFile, 'add'>;
  sessions: ConsentSessions;
  /** the session of a run, where it belongs to one */
  sessionOf(run: string | undefined): string | undefined;
  /** what holds an effect in, in one line */
  tierOf(effect: ConsentEffect): Promise<string>;
  openHome(): void;
  /** Journals an answer from before it counts. */
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
};

/** What one run was told already. */
type RunMemory = {
  /** need -> whether it was allowed */
  answers: Map<string, boolean>;
  /** plugin@digest -> noes in a row */
  refusals: Map<string, number>;
};

export function createConsentDesk(ports: ConsentPorts): ConsentDesk {
  const { askConsent, clock, sessionOf } = ports;
  const runs = new Map<string, RunMemory>();
  let last: Promise<unknown> = Promise.resolve();
  let waitedMs = 0;

  const memoryOf = (run: string | undefined): RunMemory => {
    const known = run === undefined ? undefined : runs.get(run);
    const memory = known ?? { answers: new Map(), refusals: new Map() };
    if (run !== undefined) runs.set(run, memory);
    return memory;
  };

  const keep = async (need: ConsentNeed, answer: ConsentAnswer): Promise<void> => {
    const { plugin, digest, run, step, tool } = need.caller;
    const session = sessionOf(run);
    // Without a session there is nothing that would remember it longer.
    const scope = answer.answer === 'session' && session === undefined ? 'once' : answer.answer;
    const kept = scope === 'session' || scope === 'project';
    const words = [
      scope,
      `${plugin}@${digest}`,
      ...(kept ? [formatGrant(need.grant)] : []),
      ...(scope === 'project' ? [`in ${ports.project}`] : []),
      `for ${journalText(need.effect)}`,
      `of ${[run, step, tool].filter(Boolean).join(' ')}`,
    ];
    ports.openHome();
    await ports.journaled('consent', words.join(' '), () => {
      if (scope !== 'project') return;
      ports.grants.add({ plugin, digest, project: ports.project }, [need.grant], undefined);
    });
    if (scope === 'session' && session !== undefined) {
      await ports.sessions.add(session, { plugin, digest }, need.grant);
    }
  };

  /** One turn at the desk: whoever waited before may have answered this one, too. */
  const turn = async (
    need: ConsentNeed,
    ask: AskConsent,
  ): Promise<readonly string[] | undefined> => {
    const { caller, effect } = need;
    const { plugin, digest, tool, signal } = caller;
    const memory = memoryOf(caller.run);
    const key = keyOf(need);
    const holder = `${plugin}@${digest}`;
    const known = memory.answers.get(key);
    if (known === false) throw refused(need);
    if (known === true || (await need.isHeld())) return undefined;
    if ((memory.refusals.get(holder) ?? 0) >= maxRefusals) throw refused(need);
    const tier = await ports.tierOf(effect);
    signal.throwIfAborted();
    const startedMs = clock.nowMs();
    let answer: ConsentAnswer;
    try {
      answer = await ask(
        {
          effect,
          plugin,
          digest,
          builtin: need.builtin,
          ...(tool === undefined ? {} : { tool }),
          grant: formatGrant(need.grant),
          project: ports.project,
          inSession: sessionOf(caller.run) !== undefined,
          tier,
        },
        { signal },
      );
    } finally {
      waitedMs += clock.nowMs() - startedMs;
    }
    if (answer.answer === 'edit') return answer.args;
    await keep(need, answer);
    if (answer.answer === 'no') {
      memory.refusals.set(holder, (memory.refusals.get(holder) ?? 0) + 1);
      memory.answers.set(key, false);
      throw refused(need);
    }
    memory.refusals.delete(holder);
    // A grant answers for itself, as long as it is there.
    if (answer.answer === 'once' || sessionOf(caller.run) === undefined) {
      memory.answers.set(key, true);
    }
    return undefined;
  };

  return {
    open: askConsent !== undefined,
    ask: async (need) => {
      if (askConsent === undefined) {
        throw new ServiceError('denied', need.reason, targetOf(need.effect), need.hint);
      }
      const wait = async (): Promise<readonly string[] | undefined> => {
        const mine = last.then(() => turn(need, askConsent));
        last = mine.catch(() => {});
        return await mine;
      };
      return await (need.caller.whileWaiting?.(wait) ?? wait());
    },
    sessionGrants: async (caller) => {
      const session = sessionOf(caller.run);
      return session === undefined ? [] : await ports.sessions.of(session, caller);
    },
    waitedMs: () => waitedMs,
    endRun: (run) => runs.delete(run),
  };
}

/** Two needs are one when the same binary wants the very same effect. */
function keyOf({ caller, effect }: ConsentNeed): string {
  const { plugin, digest } = caller;
  if (effect.capability === 'http') {
    const { method, url, sends } = effect;
    return JSON.stringify([plugin, digest, 'http', method, url, sends?.sha256 ?? '']);
  }
  if (effect.capability === 'exec') {
    const { program, args, cwd, stdin, origins = [] } = effect;
    return JSON.stringify([plugin, digest, 'exec', program, args, cwd, stdin ?? null, origins]);
  }
  return JSON.stringify([plugin, digest, changeText(effect)]);
}

function refused({ caller, effect, hint }: ConsentNeed): ServiceError {
  const text = `the user does not allow ${caller.plugin} to do this (${effect.capability})`;
  return new ServiceError('denied', text, targetOf(effect), hint);
}

function targetOf(effect: ConsentEffect): string {
  if (effect.capability === 'exec') return effect.program;
  return effect.capability === 'http' ? effect.origin : effect.change.path;
}

function journalText(effect: ConsentEffect): string {
  const text =
    effect.capability === 'exec'
      ? `exec ${JSON.stringify([effect.program, ...effect.args])} in ${effect.cwd}${talkText(effect.origins)}`
      : effect.capability === 'http'
        ? `http ${effect.method} ${effect.origin}${pathOf(effect.url)}`
        : changeText(effect);
  if (text.length <= maxJournaledLength) return text;
  return `${text.slice(0, maxJournaledLength)}… (SHA-256 ${sha256(Buffer.from(text))})`;
}

function talkText(origins: readonly string[] = []): string {
  return origins.length === 0 ? '' : ` talking to ${origins.join(' ')}`;
}

/** Without the query, which may hold what is nobody's business. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return search === '' ? pathname : `${pathname}?…`;
}

function changeText({ change }: Extract<ConsentEffect, { capability: 'fs-write' }>): string {
  const words = [`fs-write ${change.kind} ${change.path}`];
  if (change.kind === 'rename') words.push(`to ${change.target}`);
  if ('before' in change && change.before !== undefined) words.push(sha256(change.before));
  if ('after' in change) words.push(`-> ${sha256(change.after)}`);
  return words.join(' ');
}
