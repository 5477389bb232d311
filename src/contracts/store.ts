import type { EventOf } from './events.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { TalkPart } from './talk.ts';
import type { HostCall, JsonObject } from './tool.ts';

export type SessionRow = {
  id: string;
  project: string;
  title: string;
  createdMs: number;
  updatedMs: number;
  messages: number;
};

export type MessageRow = {
  session: string;
  run: string;
  role: 'user' | 'assistant';
  text: string;
  ts: number;
};

/** A part of a conversation with a model, kept as it happens. */
export type TalkRow = { session: string; run: string; ts: number; part: TalkPart };

export type RunRow = {
  id: string;
  session: string | undefined;
  command: string;
  question: string;
  project: string;
  model: string;
  status: string;
  startedMs: number;
  finishedMs: number | undefined;
};

export type StepRow = {
  run: string;
  step: string;
  tool: string;
  plugin: string;
  digest: string;
  input: JsonObject;
  /** it held a secret, which is not kept */
  isRedacted?: boolean;
  status: string;
  summary: string;
  durationMs: number;
  bytes: number;
  /** how often it was started; 2 when a transient error was retried */
  attempts: number;
  /** what it returned, up to 64 KiB, and not where that holds a secret */
  content?: string;
  contentDigest?: string;
};

/** What models were asked on a day of local time; `usd` is absent where no price is known. */
export type DayUsage = {
  day: string;
  runs: number;
  requests: number;
  inputTokens: number;
  outputTokens: number;
  usd?: number;
  unpriced: number;
};

export type HostCallRow = HostCall & { run: string; step: string; ts: number };

/** A checkpoint's action in a run, without the text itself. */
export type GuardRow = Omit<EventOf<'guard'>, 'type' | 'run'> & { run: string };

/** `cuervo.db`: what was asked, run and touched. Synchronous. The caller owns it. */
export type Store = Disposable &
  Journal & {
    latestSession(project: string): SessionRow | undefined;
    /** @param id a new one when absent */
    createSession(project: string, title: string, nowMs: number, id?: string): SessionRow;
    session(id: string): SessionRow | undefined;
    sessions(options: { project?: string; limit: number }): SessionRow[];
    messages(session: string): MessageRow[];
    addMessage(message: MessageRow): void;
    /** Written at once: what a run did until it was killed is there afterwards. */
    addTalk(row: TalkRow): void;
    /** in the order in which it happened */
    talk(session: string): TalkRow[];
    /**
     * A new session with what was said and done in another one, up to and with a run of it, or so
     * much of its two records.
     *
     * @returns undefined where that session has no such run
     */
    forkSession(
      from: SessionRow,
      options: {
        throughRun?: string | undefined;
        end?: { messages: number; parts: number } | undefined;
        nowMs: number;
      },
    ): SessionRow | undefined;
    /** Runs in which the session's words were said, but those of which another session has a copy. */
    runsOf(session: string): string[];
    /** Deletes a session with the records of its runs. */
    deleteSession(id: string, runs: readonly string[]): void;
    /** US dollars that were spent on a day, e.g. `2026-11-26` */
    spentOn(day: string): number;
    addSpending(day: string, usd: number): void;
    /** a reply of a model that was kept since then */
    keptReply(key: string, sinceMs: number): string | undefined;
    /** Keeps a reply, and of all of them the newest that fit. */
    keepReply(key: string, reply: string, options: { nowMs: number; maxBytes: number }): void;
    /**
     * Takes what was said in runs out of their sessions and the titles of these, and what they did
     * from their records.
     *
     * @param shownIn other runs in which it was shown; what they did goes, too
     */
    forgetWords(
      said: readonly { run: string; role: MessageRow['role'] }[],
      shownIn?: readonly string[],
    ): void;
    /** The same for all of a run, with what its undo needs. */
    forgetRun(id: string): void;
    startRun(run: RunRow): void;
    finishRun(id: string, status: string, finishedMs: number): void;
    run(id: string): RunRow | undefined;
    /** Unfinished runs of a project, with the process that began each. */
    leftOpen(project: string): { run: string; holder: string; startedMs: number }[];
    /** Runs of a workspace that began in this time, ms since the epoch, and were cut off, or go on. */
    unfinishedRuns(project: string, sinceMs: number, untilMs: number): number;
    /**
     * Adds events to the end of the chain, in one transaction. One that cannot be stored leaves the
     * others in place, and a `gap` says that it is missing.
     *
     * @throws {KernelError} for the first refused one, when the others are written
     */
    addEvents(events: readonly JournalEntry[]): void;
    addStep(step: StepRow): void;
    steps(run: string): StepRow[];
    addHostCalls(calls: readonly HostCallRow[]): void;
    hostCalls(run: string): HostCallRow[];
    addGuardRow(row: GuardRow): void;
    /** of the runs of a project whose id begins so, in their order */
    guardRows(project: string, run: string): GuardRow[];
    /** at most two ids that begin so, of every project */
    runsNamed(prefix: string): string[];
    /** the newest steps of a binary, of every project */
    stepsOf(plugin: string, digest: string): { run: string; step: string }[];
    /** of the runs of a project that began since then; the oldest day first */
    usageByDay(project: string, sinceMs: number): DayUsage[];
    /** whether a run of a project has an id that begins so */
    hasRun(project: string, run: string): boolean;
    /** small settings: scores of models, consent that was given; JSON values */
    getSetting(key: string): JsonObject | undefined;
    setSetting(key: string, value: JsonObject): void;
  };
