import type { Run, Say, ToolFacts } from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import { rememberTool } from '../../contracts/kernel-tools.ts';
import {
  everyProject,
  type Memory,
  type MemoryRecord,
  type MemoryRow,
  type MemoryUpkeep,
} from '../../contracts/memory.ts';
import type { MemoryJournal, MemoryUses } from '../../contracts/memory-store.ts';
import type { Store } from '../../contracts/store.ts';
import type { JsonObject, ToolOutput } from '../../contracts/tool.ts';
import { findOrders } from '../../guard/find-orders.ts';
import { redact } from '../../guard/read-texts.ts';
import { dateText } from '../../lib/text/amounts.ts';
import { factText } from '../../lib/text/columns.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import { plainWords } from '../../lib/text/words.ts';
import { keptKinds } from '../layers.ts';
import { memoryId } from '../memory-record.ts';
import { turnContext } from '../texts.ts';

/**
 * The cosine of the included embedder from which on two facts may be about the same: it holds for 37
 * of the 40 pairs of `tests/bench/questions/corrections.jsonl`, and for 22 of the 19,900 pairs of
 * notes on other subjects.
 */
const nearCosine = 0.42;
/** The most near facts that are named. */
export const shownNear = 3;

export type FactPorts = {
  run: Run;
  say: Say;
  store: Pick<Store, 'sessions' | 'messages'> & {
    readonly memoryJournal: MemoryJournal;
    readonly memoryUses: MemoryUses;
  };
  memory: Memory & Pick<MemoryUpkeep, 'list'>;
  likenessesTo: ToolFacts['likenessesTo'];
  /** facts that memory may hold */
  factRows: number;
  /** there is a store that machines share */
  isShared: boolean;
  /** writes the date behind each day that counts from today, such as "next Tuesday" */
  resolveDays(text: string, nowMs: number): string;
  /** the time of a question such as "what did I say in March?" */
  saidAt(text: string, nowMs: number): { fromMs: number; toMs: number } | undefined;
  /** the time from which a fact holds, if it names one, as in "from 1 June on" */
  holdsFrom(text: string, nowMs: number): number | undefined;
};

/** The text of a new fact, its kind (who says it) and its scope. */
export type NewFact = Pick<MemoryRecord, 'text' | 'kind'> & { scope: Scope; tags?: string[] };

export type Scope = 'person' | 'project' | 'team';

/** Whether a person typed yes. Without a terminal the answer is no. */
export async function saysYes(
  question: string,
  { run, say }: Pick<FactPorts, 'run' | 'say'>,
): Promise<boolean> {
  return (await say.askYesNo?.(escapeLine(question), { signal: run.signal })) === true;
}

/**
 * Writes a fact and ends the facts that it replaces.
 *
 * @throws {KernelError} `resource-exhausted` where memory holds as many facts as it may
 */
export async function writeFact(
  { text: said, kind, scope, tags = [] }: NewFact,
  replaced: readonly MemoryRow[],
  ports: FactPorts,
): Promise<MemoryRow> {
  const { store, run, say, memory } = ports;
  const ts = run.clock.nowMs();
  const text = ports.resolveDays(said, ts);
  const { book } = store.memoryJournal;
  const [first] = replaced;
  const holdsMs = ports.holdsFrom(text, ts);
  const record: MemoryRecord = {
    // the layer that machines share
    layer: scope === 'team' ? 'insights' : 'interact',
    ...(scope === 'team' ? { why: 'told for the team' } : {}),
    text,
    context: turnContext({
      ...{ who: kind === 'model' ? 'model' : 'user', text, tsMs: ts },
      // a search for the replaced fact's words finds the new one, too
      ...(first === undefined ? {} : { previous: first.record.text }),
    }),
    kind,
    tags,
    project: scope === 'person' ? everyProject : run.workspace,
    session: run.session,
    run: run.id,
    ts,
    ...(scope === 'project' ? {} : { scope }),
    ...(holdsMs === undefined ? {} : { holdsMs }),
    ...(replaced.length === 0 ? {} : { replaces: replaced.map(({ id }) => id) }),
  };
  const id = memoryId(record);
  const known = book.get(id);
  const isSaidAgain = known !== undefined && known.record.replacedBy === undefined;
  const newer = isSaidAgain
    ? { id, record: { ...known.record, run: run.id, tags: withConfirmed(known.record.tags) } }
    : { id, record };
  if (!isSaidAgain && replaced.length === 0) checkRoom(ports);
  // An undo needs the replaced fact, which may be another machine's and missing in this book.
  if (scope === 'team') book.keep(replaced.filter((row) => book.get(row.id) === undefined));
  const older = replaced.map((row) => ({ ...row, record: { ...row.record, replacedBy: id } }));
  await memory.rewrite([...older, newer], { signal: run.signal, run: run.id });
  if (redact(text) !== text) {
    say.warn(
      'this fact holds what looks like a key; it stays in cuervo.db, and a remote model gets a stand-in for it',
    );
  }
  if (findOrders(text).length > 0) {
    say.warn('this fact reads like orders to a model; it is kept and shown to models as data');
  }
  return newer;
}

function withConfirmed(tags: readonly string[]): string[] {
  return [...new Set([...tags, 'confirmed'])];
}

/** A full memory refuses the new fact; the person decides which fact may go. */
function checkRoom({ run, factRows, store }: FactPorts): void {
  const { book } = store.memoryJournal;
  const held = book.countFacts();
  if (held < factRows) return;
  const uses = new Map(store.memoryUses.all().map(({ id, uses: count }) => [id, count]));
  const useOf = ({ id }: MemoryRow) => uses.get(id) ?? 0;
  const [least, ...more] = book
    .facts([run.workspace, everyProject])
    .toSorted((one, other) => useOf(one) - useOf(other) || one.record.ts - other.record.ts)
    .slice(0, shownNear)
    .map(({ id, record }) => `${id.slice(0, 12)} ${quoted(record)}`);
  const hint =
    least === undefined
      ? 'Raise memory.fact-rows in config.toml.'
      : `Least used here: ${[least, ...more].join('; ')}. Forget one: cuervo memory forget --id ${least.slice(0, 12)}`;
  throw new KernelError(
    'resource-exhausted',
    `memory holds ${held} facts, limit ${factRows} (memory.fact-rows); this one is not kept`,
    { hint },
  );
}

/** Facts that may be about the same, the nearest first. */
export function nearestTo(
  text: string,
  facts: readonly MemoryRow[],
  ports: FactPorts,
): MemoryRow[] {
  const likenesses = ports.likenessesTo(text, []);
  const { book } = ports.store.memoryJournal;
  const cosine = ({ record }: MemoryRow): number => {
    const [older] = record.replaces ?? [];
    const before = older === undefined ? undefined : book.get(older);
    const texts = [record.text, ...(before === undefined ? [] : [before.record.text])];
    return Math.max(...texts.map((each) => likenesses?.asked(each) ?? 0));
  };
  const rated = facts.map((row) => ({
    row,
    near: saysSame(row.record.text, text) ? 1 : cosine(row),
  }));
  return rated
    .filter(({ near }) => near >= nearCosine)
    .sort((one, other) => other.near - one.near || other.row.record.ts - one.row.record.ts)
    .map(({ row }) => row);
}

export function saysSame(one: string, other: string): boolean {
  return plainWords(one).join(' ') === plainWords(other).join(' ');
}

/** The facts that hold; for the team, those of the shared store. */
export async function factsFor(scope: string, ports: FactPorts): Promise<MemoryRow[]> {
  const { store, run, memory, factRows } = ports;
  const own = store.memoryJournal.book.facts([run.workspace, everyProject]);
  if (scope !== 'team') return own;
  const filter = { layer: 'insights' as const, kinds: keptKinds, project: run.workspace };
  const rows = await memory.list(filter, { signal: run.signal, limit: factRows });
  const ours = rows.filter(({ record }) => record.scope === 'team');
  const holding = ({ record }: MemoryRow) => !record.replacedBy && record.endedMs === undefined;
  return [...own.filter(({ record }) => record.scope !== 'team'), ...ours.filter(holding)];
}

/** `"releases happen on Thursdays" (12 March)` */
export function quoted({ text, ts }: Pick<MemoryRecord, 'text' | 'ts'>): string {
  return `"${factText(text)}" (${dateText(ts)})`;
}

/** The question to the person shows the whole text; a longer text belongs into a file. */
const maxCharacters = 500;
const namedFacts = 3;

/**
 * Keeps what a model wants remembered, as its words and never as the person's. A person is asked
 * unless this run was started with `--allow memory`; a fact that a person told ends only with a yes.
 *
 * @param options.client name of the program that the run is for; its fact is its own
 * @param options.mayRemember this run was started with a grant of memory
 * @throws {KernelError} `permission-denied` where nobody says yes
 */
export async function keepForModel(
  input: JsonObject,
  {
    model,
    client,
    mayRemember,
  }: { model: string; client?: string | undefined; mayRemember: boolean },
  ports: FactPorts,
): Promise<ToolOutput> {
  const { text, replaces } = input;
  if (typeof text !== 'string' || text.trim() === '' || text.length > maxCharacters) {
    throw new KernelError(
      'invalid-argument',
      `text is a sentence of 1 to ${maxCharacters} characters`,
    );
  }
  const fact = text.trim();
  const older = typeof replaces === 'string' ? await namedFact(replaces, ports) : undefined;
  const isOfPerson = older !== undefined && !isOfAsker(older, client);
  if (isOfPerson && client !== undefined) throw notOwn(older);
  if (!mayRemember || isOfPerson) {
    const place = older === undefined ? '' : ` in place of ${quoted(older.record)}`;
    const isAllowed = await saysYes(
      `${model} wants to remember ${JSON.stringify(fact)}${place}. Keep it?`,
      ports,
    );
    if (!isAllowed) throw refused(ports.say, isOfPerson);
  }
  const scope = older?.record.scope ?? 'project';
  const tags = client === undefined ? [] : [tagOf(client)];
  const kept = { text: fact, kind: 'model' as const, scope, tags };
  await writeFact(kept, older === undefined ? [] : [older], ports);
  const summary = `remembered: ${factText(fact)}`;
  return { content: JSON.stringify({ remembered: fact }), summary };
}

function refused({ askYesNo }: Say, isOfPerson: boolean): KernelError {
  if (askYesNo !== undefined) {
    return new KernelError('permission-denied', 'the person does not want this remembered');
  }
  return isOfPerson
    ? new KernelError('permission-denied', 'a fact of the person is replaced only by their yes', {
        hint: 'Ask at a terminal, or replace it yourself with: cuervo memory edit ID TEXT',
      })
    : new KernelError('permission-denied', `${rememberTool.name} needs a person's yes`, {
        hint: 'Ask at a terminal, or allow it for one run with: --allow memory',
      });
}

/** A client may replace only its own facts. Without a client, any fact kept for a model. */
function isOfAsker({ record }: MemoryRow, client: string | undefined): boolean {
  if (record.kind !== 'model') return false;
  return client === undefined || record.tags.includes(tagOf(client));
}

const tagOf = (client: string): string => `client:${client}`;

function notOwn({ record }: MemoryRow): KernelError {
  return new KernelError(
    'permission-denied',
    `${quoted(record)} is no fact of this client, and a client replaces only its own`,
    { hint: 'A person replaces it with: cuervo memory edit ID TEXT' },
  );
}

/** By the beginning of its id, or by its words. */
async function namedFact(said: string, ports: FactPorts): Promise<MemoryRow> {
  const facts = await factsFor('project', ports);
  const byId = /^[0-9a-f]{8,}$/.test(said)
    ? facts.find(({ id }) => id.startsWith(said))
    : undefined;
  const near = nearestTo(said, facts, ports);
  const [found = byId, next] = byId === undefined ? near : [byId];
  if (
    found !== undefined &&
    (byId !== undefined || next === undefined || said === found.record.text)
  ) {
    return found;
  }
  const known = near.length === 0 ? facts : near;
  const named = known
    .slice(0, namedFacts)
    .map(({ id, record }) => `${id.slice(0, 12)} ${quoted(record)}`);
  throw new KernelError(
    'not-found',
    `replaces "${factText(said)}" names no single fact; there is ${named.join('; ') || 'none'}`,
  );
}
