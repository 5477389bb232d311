import type { Grant } from '../contracts/capability.ts';
import type {
  AskConsent,
  ConsentAnswer,
  ConsentEffect,
  ConsentRequest,
  CoveredStep,
  GitQuestion,
  OwnProgramFacts,
} from '../contracts/consent.ts';
import { type HostCaller, notDone, ServiceError } from '../contracts/host-service.ts';
import type { Rehearsal } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';
import { formatGrant } from '../policy/parse-grant.ts';
import type { ConsentSessions } from './consent-sessions.ts';
import type { GrantsFile } from './grants.ts';
import { type ConsentNeed, changeText, createTasks, keyOf, type TaskPart } from './tasks.ts';

/** Refusals in a row within a run after which a plugin is not asked about again. */
const maxRefusals = 3;
/** The most characters of arguments in the journal; their digest stands beside them. */
const maxJournaledLength = 2000;

/** The person's replacement for the asked request. */
export type Edited = { args: readonly string[] } | { after: Uint8Array };

/** Holds needs until a person has answered them, one after the other. */
export type ConsentDesk = {
  /** whether there is a person to ask */
  readonly open: boolean;
  /**
   * Returns when it is allowed.
   *
   * @returns other arguments or another text, still to be decided; undefined when unchanged
   * @throws {ServiceError} `denied` when the answer is no, or no person can be asked
   */
  ask(need: ConsentNeed): Promise<Edited | undefined>;
  /** The question of a rehearsal, which was not carried out. */
  foreseen(rehearsal: Rehearsal): ConsentNeed | undefined;
  /**
   * Asks one question for steps of a plan that need the same grant, unless it is answered already
   * or only one of them is left. Their calls then find the answer, as far as each is exactly what
   * was shown.
   */
  askTogether(needs: readonly ConsentNeed[], options: { signal: AbortSignal }): Promise<void>;
  /**
   * Lets the first question of a run offer a yes to the whole task, if it belongs to it.
   *
   * @param foresee called once, while that question waits
   */
  expectTask(run: string, foresee: () => Promise<readonly TaskPart[]>): void;
  /** What a person allowed for a whole run, one phrase each; empty without such an answer. */
  allowedForTask(run: string): readonly string[];
  /** what the session of the caller's run holds */
  sessionGrants(caller: HostCaller): Promise<Grant[]>;
  /** ms spent waiting for a person so far */
  waitedMs(): number;
  /** Forgets what a run was told once. */
  endRun(run: string): void;
};

export type ConsentPorts = {
  /** absent when no person can be asked */
  askConsent: AskConsent | undefined;
  /** absolute path of the workspace */
  project: string;
  clock: { nowMs(): number };
  grants: Pick<GrantsFile, 'add'>;
  sessions: ConsentSessions;
  /** the session of a run, where it belongs to one */
  sessionOf(run: string | undefined): string | undefined;
  /** the confinement of an effect, in one line */
  sandboxOf(effect: ConsentEffect): Promise<string>;
  openHome(): void;
  /** Journals an answer from before it counts. */
  journaled<Value>(command: string, what: string, change: () => Value): Promise<Value>;
};

/** The needs of one plugin in one run, for one grant. */
type NeedsOfOne = readonly [ConsentNeed, ...ConsentNeed[]];

/** Things that a run was told already. */
type RunMemory = {
  /** need -> whether it was allowed */
  answers: Map<string, boolean>;
  /** plugin@digest -> noes in a row */
  refusals: Map<string, number>;
};

/** Asks after the earlier questions of a run: another run may have another person, who waits for nobody. */
function createOrder(): <Value>(
  run: string | undefined,
  work: () => Promise<Value>,
) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (run = '', work) => {
    const mine = (last.get(run) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => {});
    last.set(run, settled);
    try {
      return await mine;
    } finally {
      if (last.get(run) === settled) last.delete(run);
    }
  };
}

export function createConsentDesk(ports: ConsentPorts): ConsentDesk {
  const { askConsent, clock, sessionOf } = ports;
  const runs = new Map<string, RunMemory>();
  const tasks = createTasks(ports);
  const rehearsed = new WeakMap<Rehearsal, ConsentNeed>();
  let waitedMs = 0;

  const inOrder = createOrder();

  const memoryOf = (run: string | undefined): RunMemory => {
    const known = run === undefined ? undefined : runs.get(run);
    const memory = known ?? { answers: new Map(), refusals: new Map() };
    if (run !== undefined) runs.set(run, memory);
    return memory;
  };

  /** The answer of a person, which is not kept yet. */
  const answerTo = async (
    need: ConsentNeed,
    ask: AskConsent,
    {
      signal,
      covers,
      task = [],
    }: { signal: AbortSignal; covers?: readonly CoveredStep[]; task?: readonly TaskPart[] },
  ): Promise<ConsentAnswer> => {
    const tier = await ports.sandboxOf(need.effect);
    signal.throwIfAborted();
    const startedMs = clock.nowMs();
    try {
      return await ask(requestOf(need, { tier, covers, task }, ports), { signal });
    } finally {
      waitedMs += clock.nowMs() - startedMs;
    }
  };

  /** Keeps an answer and remembers it for the very same effects of this run. */
  const settle = async (needs: NeedsOfOne, answer: ConsentAnswer): Promise<void> => {
    await keepAnswer(ports, needs, answer);
    const { run } = needs[0].caller;
    const memory = memoryOf(run);
    const holder = holderOf(needs[0]);
    if (answer.answer === 'no') {
      memory.refusals.set(holder, (memory.refusals.get(holder) ?? 0) + 1);
      for (const need of needs) memory.answers.set(keyOf(need), false);
      return;
    }
    memory.refusals.delete(holder);
    // A grant answers for itself, as long as it is there.
    if (answer.answer === 'once' || sessionOf(run) === undefined) {
      for (const need of needs) memory.answers.set(keyOf(need), true);
    }
  };

  /** One turn at the desk: an answer to an earlier question may answer this one too. */
  const turn = async (need: ConsentNeed, ask: AskConsent): Promise<Edited | undefined> => {
    const memory = memoryOf(need.caller.run);
    const known = memory.answers.get(keyOf(need));
    if (known === false) throw refused(need);
    if (known === true || tasks.allows(need) || (await need.isHeld())) return undefined;
    if ((memory.refusals.get(holderOf(need)) ?? 0) >= maxRefusals) throw refused(need);
    const task = await tasks.of([need]);
    const answer = await answerTo(need, ask, { signal: need.caller.signal, task });
    if (answer.answer === 'unasked') throw unasked(need);
    if (answer.answer === 'task' && task.length > 0) {
      await tasks.allow(need.caller.run, task);
      return undefined;
    }
    if (answer.answer === 'edit') return { args: answer.args };
    if (answer.answer === 'edit-text') return { after: answer.after };
    // "each", or a task without parts, does not answer a single question and counts as no.
    const said: ConsentAnswer = ['each', 'task'].includes(answer.answer)
      ? { answer: 'no' }
      : answer;
    await settle([need], said);
    if (said.answer === 'no') throw refused(need);
    return undefined;
  };

  /** The same for several that need the same grant. */
  const turnTogether = async (
    needs: readonly ConsentNeed[],
    ask: AskConsent,
    signal: AbortSignal,
  ): Promise<void> => {
    const memory = memoryOf(needs[0]?.caller.run);
    const open = needs.filter(
      (need) => memory.answers.get(keyOf(need)) === undefined && !tasks.allows(need),
    );
    const [first, second, ...more] = open;
    if (first === undefined || second === undefined || (await first.isHeld())) return;
    if ((memory.refusals.get(holderOf(first)) ?? 0) >= maxRefusals) return;
    const covers = open.map(({ caller: { step = '', tool }, effect }) => ({
      ...{ step, effect },
      ...(tool === undefined ? {} : { tool }),
    }));
    const task = await tasks.of(open);
    const answer = await answerTo(first, ask, { signal, covers, task });
    if (answer.answer === 'task' && task.length > 0) await tasks.allow(first.caller.run, task);
    // An edit changes one call, so each call asks for itself.
    if (!['once', 'session', 'project', 'no'].includes(answer.answer)) return;
    await settle([first, second, ...more], answer);
  };

  return {
    open: askConsent !== undefined,
    ask: async (need) => {
      const { rehearsal } = need.caller;
      if (rehearsal !== undefined) {
        // Keep the first need only: after a denial the guest takes another way than after a yes.
        if (!rehearsed.has(rehearsal)) rehearsed.set(rehearsal, need);
        throw new ServiceError('denied', notDone);
      }
      if (askConsent === undefined) throw unasked(need);
      const wait = () => inOrder(need.caller.run, () => turn(need, askConsent));
      return await (need.caller.whileWaiting?.(wait) ?? wait());
    },
    foreseen: (rehearsal) => rehearsed.get(rehearsal),
    askTogether: async (needs, { signal }) => {
      if (askConsent === undefined) return;
      const run = needs[0]?.caller.run;
      await inOrder(run, () => turnTogether(needs, askConsent, signal));
    },
    expectTask: tasks.expect,
    allowedForTask: tasks.allowed,
    sessionGrants: async (caller) => {
      const session = sessionOf(caller.run);
      return session === undefined ? [] : await ports.sessions.of(session, caller);
    },
    waitedMs: () => waitedMs,
    endRun: (run) => {
      runs.delete(run);
      tasks.endRun(run);
    },
  };
}

/** A need as a person is shown it. */
function requestOf(
  { caller, effect, builtin, grant, afterReading }: ConsentNeed,
  shown: {
    tier: string;
    covers: readonly CoveredStep[] | undefined;
    task: readonly TaskPart[];
  },
  { project, sessionOf }: Pick<ConsentPorts, 'project' | 'sessionOf'>,
): ConsentRequest {
  const { plugin, digest, tool, run } = caller;
  const { tier, covers, task } = shown;
  return {
    effect,
    ...(covers === undefined ? {} : { covers }),
    ...(task.length === 0 ? {} : { task: task.map(({ says }) => says) }),
    ...{ plugin, digest, builtin },
    ...(tool === undefined ? {} : { tool }),
    ...(run === undefined ? {} : { run }),
    ...{ grant: formatGrant(grant), project, tier },
    inSession: sessionOf(run) !== undefined,
    ...(afterReading === undefined ? {} : { afterReading }),
  };
}

/**
 * Keeps what a person said as long as they said it for. All of it stands in the journal before any
 * of it counts.
 */
async function keepAnswer(
  ports: ConsentPorts,
  needs: NeedsOfOne,
  answer: ConsentAnswer,
): Promise<void> {
  const [first] = needs;
  const { plugin, digest, run } = first.caller;
  const session = ports.sessionOf(run);
  // Without a session the answer holds once.
  const scope = answer.answer === 'session' && session === undefined ? 'once' : answer.answer;
  const kept = scope === 'session' || scope === 'project';
  const wordsOf = ({ effect, grant, caller: { step, tool } }: ConsentNeed): string =>
    [
      scope,
      `${plugin}@${digest}`,
      ...(kept ? [formatGrant(grant)] : []),
      ...(scope === 'project' ? [`in ${ports.project}`] : []),
      `for ${journalText(effect)}`,
      `of ${[run, step, tool].filter(Boolean).join(' ')}`,
    ].join(' ');
  ports.openHome();
  for (const more of needs.slice(1)) await ports.journaled('consent', wordsOf(more), () => {});
  await ports.journaled('consent', wordsOf(first), () => {
    if (scope !== 'project') return;
    ports.grants.add({ plugin, digest, project: ports.project }, [first.grant], undefined);
  });
  if (scope === 'session' && session !== undefined) {
    await ports.sessions.add(session, { plugin, digest }, first.grant);
  }
}

function holderOf({ caller: { plugin, digest } }: ConsentNeed): string {
  return `${plugin}@${digest}`;
}

function unasked({ reason, effect, hint }: ConsentNeed): ServiceError {
  return new ServiceError('denied', reason, targetOf(effect), hint);
}

function refused({ caller, effect, hint }: ConsentNeed): ServiceError {
  const text = `the user does not allow ${caller.plugin} to do this (${effect.capability})`;
  return new ServiceError('denied', text, targetOf(effect), hint);
}

function targetOf(effect: ConsentEffect): string {
  if (effect.capability === 'exec') return effect.program;
  if (effect.capability === 'call') return effect.tool;
  return effect.capability === 'http' ? effect.origin : effect.change.path;
}

function journalText(effect: ConsentEffect): string {
  const text =
    effect.capability === 'exec'
      ? `exec ${JSON.stringify([effect.program, ...effect.args])} in ${effect.cwd}${fileText(effect.own)}${talkText(effect.origins)}${askedText(effect.asks)}`
      : effect.capability === 'http'
        ? `http ${effect.method} ${effect.origin}${pathOf(effect.url)}`
        : effect.capability === 'call'
          ? `call ${effect.tool} with SHA-256 ${sha256(JSON.stringify(effect.input))}`
          : changeText(effect);
  if (text.length <= maxJournaledLength) return text;
  return `${text.slice(0, maxJournaledLength)}… (SHA-256 ${sha256(Buffer.from(text))})`;
}

function fileText(own: OwnProgramFacts | undefined): string {
  return own === undefined ? '' : ` by ${own.file} ${own.sha256}`;
}

function askedText(asks: GitQuestion | undefined): string {
  return asks === undefined ? '' : ` with ${JSON.stringify(asks)}`;
}

function talkText(origins: readonly string[] = []): string {
  return origins.length === 0 ? '' : ` talking to ${origins.join(' ')}`;
}

/** Without the query, which may be private. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return search === '' ? pathname : `${pathname}?…`;
}
