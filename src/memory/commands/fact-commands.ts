import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import {
  everyProject,
  type FactUndo,
  type FlushableMemory,
  type MemoryQuery,
  type MemoryRecord,
  type MemoryRow,
} from '../../contracts/memory.ts';
import type { Clock } from '../../lib/ids-clock.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { asShown, isKept, keptKinds } from '../layers.ts';
import { memoryId } from '../memory-record.ts';

type Options = { signal: AbortSignal };

/** Commands on facts: replace one, list what replaced what, and take that back. */
export type FactCommands = {
  /** Splits a question into its search words and the time that it names. */
  questionOf(text: string): Promise<Pick<MemoryQuery, 'text' | 'asOf'>>;
  /**
   * All that was said on a subject, newest first, whether it holds or not.
   *
   * @throws {KernelError} `not-found`
   */
  history(subject: string, options: Options): Promise<MemoryRow[]>;
  /** Puts other words in the place of a fact; it stays in its history. */
  editFact(
    row: MemoryRow,
    text: string,
    options: Options,
  ): Promise<{ run: string; row: MemoryRow }>;
  /** Replaces the fact `older` by `newer` from now on. */
  replaceFact(older: MemoryRow, newer: MemoryRow, options: Options): Promise<{ run: string }>;
  /** A fact that was replaced or had ended holds again, beside what took its place. */
  reviveFact(row: MemoryRow, options: Options): Promise<{ run: string }>;
  /** Takes promotions back. @returns ids of the rows that were promoted */
  demote(ids: readonly string[], options: Options): Promise<string[]>;
  /** @returns undefined for a run that changed no fact */
  planFactUndo(run: string): Promise<FactUndo | undefined>;
  /** @throws {KernelError} `conflict` where a later run changed the same */
  undoFacts(undo: FactUndo, options: Options): Promise<void>;
};

/**
 * The most facts of the team that are searched for a subject: several machines may have corrected
 * one fact at the same time.
 */
const mostTeam = 8;

export function createFactCommands(ports: {
  config: Config;
  clock: Clock;
  memory(): Promise<FlushableMemory>;
  store(): Promise<StoreWithJournal>;
  journaled<Value>(
    command: string,
    what: string,
    change: (run: string) => Promise<Value>,
  ): Promise<Value>;
}): FactCommands {
  const { config, clock, journaled } = ports;
  const projects = [config.workspace, everyProject];
  const bookOf = async () => (await ports.store()).memoryJournal.book;

  /** @param what an id, no words of a fact: the journal would keep forgotten words */
  const change = async (
    command: string,
    what: string,
    { signal }: Options,
    rowsOf: (run: string) => readonly MemoryRow[],
  ): Promise<{ run: string }> =>
    await journaled(command, what, async (run) => {
      await (await ports.memory()).rewrite(rowsOf(run), { signal, run });
      return { run };
    });

  return {
    questionOf: async (text) => {
      const { readThen, withoutThen } = await import('../../lib/text/read-time.ts');
      const asOf = readThen(text, clock.nowMs());
      return asOf === undefined ? { text } : { text: withoutThen(text), asOf };
    },
    history: async (subject, { signal }) => {
      const { factsAbout } = await import('../facts/settle-facts.ts');
      const { teamFacts, withTeam } = await import('../facts/settle-facts.ts');
      const memory = await ports.memory();
      const kinds = keptKinds;
      const query = { text: subject, limit: mostTeam, projects, kinds, ended: true as const };
      const book = await bookOf();
      const hits = await memory.search(query, { signal });
      const about = (rows: readonly MemoryRow[]) => factsAbout(subject, rows);
      const own = about(book.facts(projects));
      const known = own.map(({ id, record: { scope } }) => ({ id, ...(scope && { scope }) }));
      const shared = await teamFacts([...hits, ...known], (filter, most) =>
        memory.list(filter, { signal, limit: most }),
      );
      const others = [...own, ...about([...shared.values()])];
      const ids = new Set([...hits.slice(0, 1), ...others].map(({ id }) => id));
      if (ids.size === 0) {
        throw new KernelError('not-found', `no fact is about "${subject}"`, {
          hint: 'See all with: cuervo memory list --kind fact',
        });
      }
      const told = withTeam(book, shared);
      const chains = [...ids].flatMap((id) => told.chain(id));
      const rows = [...new Map(chains.map((row) => [row.id, row])).values()];
      if (rows.length === 0) return await memory.list({ ids: [...ids] }, { signal, limit: 1 });
      return rows
        .sort((one, other) => other.record.ts - one.record.ts)
        .map(({ id, record }) => ({ id, record: asShown(record) }));
    },
    editFact: async (row, text, options) => {
      mustBeFact(row);
      if (text.trim() === '') throw new KernelError('invalid-argument', 'the new words are empty');
      const { resolveDays } = await import('../../lib/text/resolve-days.ts');
      const words = resolveDays(text.trim(), clock.nowMs());
      let made: MemoryRow | undefined;
      const { run } = await change('memory edit', row.id, options, (id) => {
        made = edited(row, words, { run: id, ts: clock.nowMs() });
        return [{ id: row.id, record: { ...row.record, replacedBy: made.id } }, made];
      });
      return { run, row: made as MemoryRow };
    },
    replaceFact: async (older, newer, options) => {
      mustBeFact(older);
      mustBeFact(newer);
      const chain = (await bookOf()).chain(older.id).map(({ id }) => id);
      if (older.id === newer.id || (chain.includes(newer.id) && older.record.replacedBy)) {
        throw new KernelError(
          'conflict',
          `${newer.id.slice(0, 12)} replaces ${older.id.slice(0, 12)} already, or is the same row`,
          {
            hint: 'See what replaced what with: cuervo memory history SUBJECT',
          },
        );
      }
      const replaces = [...new Set([...(newer.record.replaces ?? []), older.id])];
      const { replacedBy: _by, endedMs: _ended, ...holding } = newer.record;
      return await change('memory replace', newer.id, options, () => [
        { id: older.id, record: { ...older.record, replacedBy: newer.id } },
        { id: newer.id, record: { ...holding, replaces } },
      ]);
    },
    reviveFact: async (row, options) => {
      mustBeFact(row);
      const { replacedBy, endedMs, ...record } = row.record;
      if (replacedBy === undefined && endedMs === undefined) {
        throw new KernelError('conflict', `"${row.record.text}" holds already`);
      }
      return await change('memory revive', row.id, options, () => [{ id: row.id, record }]);
    },
    demote: async (ids, options) => await (await ports.memory()).demote(ids, options),
    planFactUndo: async (start) => {
      const store = await ports.store();
      const { book } = store.memoryJournal;
      const [run, ...more] = book.runsThatChanged(start);
      if (run === undefined) return undefined;
      if (more.length > 0) {
        throw new KernelError('not-found', `"${start}" begins the ids of several runs`);
      }
      const gone = new Map<string, MemoryRow>();
      const back = new Map<string, MemoryRow>();
      for (const { id, before } of book.changesOf(run)) {
        const now = book.get(id);
        if (before !== undefined) back.set(id, { id, record: before });
        else if (now !== undefined) gone.set(id, now);
      }
      for (const id of gone.keys()) back.delete(id);
      return { run, gone: [...gone.values()], back: [...back.values()] };
    },
    undoFacts: async ({ run, gone, back }, { signal }) => {
      const store = await ports.store();
      const { book } = store.memoryJournal;
      const ids = [...gone, ...back].map(({ id }) => id);
      const later = book.changedAfter(run, ids);
      if (later !== undefined) {
        throw new KernelError('conflict', `a later run changed what ${run} said: ${later}`, {
          hint: `Undo that one first: cuervo undo ${later}`,
        });
      }
      await journaled('undo', run, async () => {
        const memory = await ports.memory();
        if (back.length > 0) await memory.rewrite(back, { signal });
        const said = gone.map(({ id }) => id);
        if (said.length > 0) await memory.forget({ ids: said }, { signal });
        book.dropChanges(book.changesOf(run).map(({ seq }) => seq));
      });
    },
  };
}

function edited(
  { id, record }: MemoryRow,
  text: string,
  { run, ts }: { run: string; ts: number },
): MemoryRow {
  const { replacedBy: _by, endedMs: _ended, why: _why, ...rest } = record;
  const next: MemoryRecord = {
    ...rest,
    text,
    context: `${text} ${text} ${record.text}`,
    layer: record.layer,
    replaces: [id],
    run,
    ts,
  };
  return { id: memoryId(next), record: next };
}

function mustBeFact({ id, record }: MemoryRow): void {
  if (isKept(record)) return;
  throw new KernelError(
    'invalid-argument',
    `${id.slice(0, 12)} is a ${record.kind}; only what you had kept (fact, decision, preference) can be changed`,
    { hint: 'See those with: cuervo memory list --kind fact' },
  );
}
