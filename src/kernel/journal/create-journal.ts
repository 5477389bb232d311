import { KernelError } from '../../contracts/error.ts';
import type { JournalEvent } from '../../contracts/journal.ts';
import type {
  AuditReport,
  BlamedLines,
  Explanation,
  ReplayReport,
  Stats,
} from '../../contracts/output/parse-journal.ts';
import type { RunRow, Store } from '../../contracts/store.ts';
import { createVerifier, headText } from '../../journal/audit-keys.ts';
import { explainRun } from '../../journal/explain-run.ts';
import { type ExportForm, exportAudit } from '../../journal/export-audit.ts';
import { sumUp } from '../../journal/sum-up.ts';
import { chromeTrace, otlpRequest, traceRun } from '../../journal/trace-run.ts';
import { verifyAudit } from '../../journal/verify-audit.ts';
import { checkIdStart } from '../../lib/ids-clock.ts';
import type { KernelCore } from '../core.ts';
import type { KernelPlugins } from '../plugins/create-plugins.ts';
import { blameFile } from './blame-file.ts';
import type { Replays } from './create-replays.ts';

/** Whose programs read a trace. */
export type TraceForm = 'chrome' | 'otlp';

/** Reads the journal; nothing of it is changed. */
export type KernelJournal = {
  /** A run by the start of its id. @throws {KernelError} `not-found` for none, or more than one */
  find(start: string): Promise<RunRow>;
  /** What a run did, in its order. */
  events(run: string): Promise<readonly JournalEvent[]>;
  /** Why a run did what it did, and what it cost. */
  explain(run: RunRow): Promise<Explanation>;
  /** What was done, counted. @param sinceMs ms since the epoch; all that is kept where absent */
  stats(sinceMs?: number): Promise<Stats>;
  /** At most `limit` events behind `seq`, of all runs; a reader that follows calls it again. */
  after(seq: number, limit: number): Promise<readonly JournalEvent[]>;
  /** Calls the components of a run again, with the recorded answers of the host. */
  replay: Replays['replay'];
  /** The rounds of a run again, with the recorded replies of its model; no tool runs. */
  replayModel(run: RunRow, options: { signal: AbortSignal }): Promise<ReplayReport>;
  /** Runs that can be replayed, the newest first. */
  replayable: Replays['newest'];
  /** What a person named as another version of a plugin. */
  standFor: Replays['named'];
  /** A run as spans. @param options.withWords also the question, and what calls were about */
  trace(run: RunRow, form: TraceForm, options?: { withWords?: boolean }): Promise<object>;
  /** Which run wrote each line of a file of the workspace. */
  blame(path: string): Promise<BlamedLines[]>;
  /** Whether anything was changed, moved or cut. */
  verify(): Promise<AuditReport>;
  /** Lines that prove themselves to whoever has the public key. */
  export(form: ExportForm): Promise<Generator<string, void, undefined>>;
  /** PEM */
  publicKey(): Promise<string>;
};

export function createJournal(
  { audit, store, openHome, config, clock, record }: KernelCore,
  { replays, host, onlyReads }: Pick<KernelPlugins, 'replays' | 'host' | 'onlyReads'>,
): KernelJournal {
  return {
    replay: replays.replay,
    replayModel: async (run, { signal }) => {
      const { replayModel } = await import('./replay-model.ts');
      const opened = await store();
      const talk = run.session === undefined ? [] : opened.talk(run.session);
      const parts = talk.filter((row) => row.run === run.id).map(({ part }) => part);
      return await replayModel(
        run,
        { events: opened.events(run.id), parts },
        {
          ...{ config, clock, signal, onlyReads, tools: await host().tools() },
          isBuiltin: (name) => host().plugin(name)?.builtin === true,
        },
      );
    },
    replayable: replays.newest,
    standFor: replays.named,
    find: async (start) => findRun(await store(), start),
    explain: async (run) => explainRun(run, (await store()).events(run.id)),
    stats: async (sinceMs) => sumUp(await store(), sinceMs),
    events: async (run) => (await store()).events(run),
    after: async (seq, limit) => (await store()).eventsAfter(seq, limit),
    trace: async (run, form, options) => {
      const question = record.withoutSecrets(run.question);
      const trace = traceRun({ ...run, question }, (await store()).events(run.id), options);
      return form === 'chrome' ? chromeTrace(trace) : otlpRequest([trace]);
    },
    blame: async (path) => blameFile(path, { config, clock, store: await store() }),
    verify: async () => {
      const opened = await store();
      return verifyAudit({
        ...{ store: opened, chainKey: audit.readChainKey(), headLines: audit.readHeads() },
        ...{ isSigned: createVerifier(audit.publicKey()), headText },
      });
    },
    export: async (form) => exportAudit(await store(), form, audit.sign),
    publicKey: async () => {
      openHome();
      return audit.publicKey();
    },
  };
}

function findRun(store: Store, start: string): RunRow {
  checkIdStart(start, 'run', 'cuervo runs list');
  const [id, another] = store.runsNamed(start);
  const hint = 'See what ran here with: cuervo runs list';
  if (another !== undefined)
    throw new KernelError('not-found', `more than one run begins with "${start}"`, { hint });
  const run = id === undefined ? undefined : store.run(id);
  if (run === undefined) throw new KernelError('not-found', `there is no run "${start}"`, { hint });
  return run;
}
