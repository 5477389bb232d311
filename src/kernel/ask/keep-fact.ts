import { KernelError } from '../../contracts/error.ts';
import type { NoteIntent } from '../../contracts/intent.ts';
import { everyProject, type MemoryRecord, type MemoryRow } from '../../contracts/memory.ts';
import { findOrders } from '../../guard/find-orders.ts';
import { redact } from '../../guard/redact-text.ts';
import { dateText } from '../../lib/text/amounts.ts';
import { factText } from '../../lib/text/columns.ts';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { plainWords } from '../../lib/text/words.ts';
import { factsAbout } from '../../memory/facts/settle-facts.ts';
import { keptKinds } from '../../memory/layers.ts';
import { memoryId } from '../../memory/memory-record.ts';
import { turnContext } from '../../memory/texts.ts';
import { readHolds } from '../../router/facts/read-time.ts';
import type { AskPorts } from './ask-ports.ts';
import { lastMentioned } from './last-mentioned.ts';

/**
 * The cosine of the included embedder from which on two facts may be about the same: it holds for 37
 * of the 40 pairs of `tests/bench/questions/corrections.jsonl`, and for 22 of the 19,900 pairs of
 * notes on other subjects.
 */
const nearCosine = 0.42;
/** Near facts that are named. */
const shownNear = 3;
/** Facts on one subject that are named when one of them is to end. */
const maxNamed = 5;
/** It names nothing itself: "they moved to Fridays", "steht er in Bonn", "se movió a las 10". */
const namesNothing =
  /^(?:\p{L}+\s+)?(?:it|they|he|she|er|sie|es|se|il|elle|ele|ela|isso|eso|cela)(?!\p{L})/iu;

/** What is kept, and who says it. */
export type NewFact = Pick<MemoryRecord, 'text' | 'kind'> & { scope: Scope };

type Scope = 'person' | 'project' | 'team';

/**
 * Does what a person's act says: keeps, ends or lists.
 *
 * @returns undefined where it names a fact that there is not: it may be a question
 * @throws {KernelError} `resource-exhausted` where memory holds as many facts as it may
 */
export async function keepFact(intent: NoteIntent, ports: AskPorts): Promise<string | undefined> {
  if (intent.isAll) throw notAll();
  if (intent.act === 'end') return await endFact(intent, ports);
  const scope: Scope = intent.scope ?? (intent.as === 'preference' ? 'person' : 'project');
  checkScope(scope, ports);
  const fact = { text: intent.text, kind: intent.as, scope };
  const facts = (await factsFor(scope, ports)).filter((row) => isOfScope(row, intent, ports));
  const near = aboutSame(fact.text, { facts, mentioned: lastMentioned(facts, ports) }, ports);
  const [nearest] = near;
  const isSame = nearest !== undefined && saysSame(nearest.record.text, fact.text);
  const isReplaced =
    nearest !== undefined &&
    !isSame &&
    (await saysYes(`replace ${quoted(nearest.record)}?`, ports));
  const kept = await writeFact(fact, isReplaced ? [nearest] : [], ports);
  const beside = isReplaced || isSame ? near.slice(1) : near;
  return [
    `${isSame ? 'Remembered already, and confirmed,' : 'Remembered'} for ${escapeLine(placeOf(scope, ports))}: ${fact.text}`,
    ...(isReplaced ? [`  replaces: ${quoted(nearest.record)}`] : []),
    ...beside.slice(0, shownNear).map(({ record }) => `  holds beside it: ${quoted(record)}`),
    ...(beside.length > shownNear ? [`  and ${beside.length - shownNear} more like it`] : []),
    ...(isReplaced || beside[0] === undefined ? [] : [besideText(beside[0], kept)]),
    ...(isReplaced ? [takeBack(ports.scope.id)] : []),
  ].join('\n');
}

/** Both hold until a person says otherwise. */
function besideText(older: MemoryRow, newer: MemoryRow): string {
  const ids = `${older.id.slice(0, 12)} ${newer.id.slice(0, 12)}`;
  return `The newer one is shown first. To let it replace the other: cuervo memory replace ${ids}`;
}

/**
 * Offers to keep a message in place of a fact that was shown just before; without a yes nothing is
 * kept, and the message is a question.
 *
 * @returns what was done, if it was
 */
export async function offerCorrection(text: string, ports: AskPorts): Promise<string | undefined> {
  const mentioned = lastMentioned(await factsFor('project', ports), ports);
  const [near] = aboutSame(text, { facts: mentioned, mentioned }, ports);
  if (near === undefined) return undefined;
  const { record } = near;
  if (ports.askYesNo === undefined) {
    ports.warn(
      `this is not kept; to keep it in place of ${quoted(record)}: cuervo memory edit ${near.id.slice(0, 12)} ${shellWord(text)}`,
    );
    return undefined;
  }
  const told = `keep "${factText(text)}" in place of ${quoted(record)}?`;
  if (!(await saysYes(told, ports))) return undefined;
  const { scope = 'project', kind } = record;
  await writeFact({ text, kind, scope }, [near], ports);
  return [
    `Remembered for ${escapeLine(placeOf(scope, ports))}: ${text}`,
    `  replaces: ${quoted(record)}`,
    takeBack(ports.scope.id),
  ].join('\n');
}

/** Whether a person typed a yes; nobody to ask is a no. */
export async function saysYes(question: string, { askYesNo, signal }: AskPorts): Promise<boolean> {
  return (await askYesNo?.(escapeLine(question), { signal })) === true;
}

/**
 * Writes a fact, and ends those that it takes the place of.
 *
 * @throws {KernelError} `resource-exhausted` where memory holds as many facts as it may
 */
export async function writeFact(
  { text, kind, scope }: NewFact,
  replaced: readonly MemoryRow[],
  ports: AskPorts,
): Promise<MemoryRow> {
  const { store, clock, config, scope: run, warn } = ports;
  const ts = clock.nowMs();
  const { book } = store.memoryJournal;
  const [first] = replaced;
  const holdsMs = readHolds(text, ts);
  const record: MemoryRecord = {
    // the layer that machines share
    layer: scope === 'team' ? 'insights' : 'interact',
    ...(scope === 'team' ? { why: 'told for the team' } : {}),
    text,
    context: turnContext({
      ...{ who: kind === 'model' ? 'model' : 'user', text, tsMs: ts },
      // it is found by what it took the place of, too
      ...(first === undefined ? {} : { previous: first.record.text }),
    }),
    kind,
    tags: [],
    project: scope === 'person' ? everyProject : config.workspace,
    session: ports.session.id,
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
  // so that an undo knows what another machine's fact was
  if (scope === 'team') book.keep(replaced.filter((row) => book.get(row.id) === undefined));
  const older = replaced.map((row) => ({ ...row, record: { ...row.record, replacedBy: id } }));
  await ports.memory.rewrite([...older, newer], { signal: ports.signal, run: run.id });
  if (redact(text) !== text) {
    warn(
      'this fact holds what looks like a key; it stays in cuervo.db, and a remote model gets a stand-in for it',
    );
  }
  if (findOrders(text).length > 0) {
    warn('this fact reads like orders to a model; it is kept and shown to models as data');
  }
  return newer;
}

function withConfirmed(tags: readonly string[]): string[] {
  return [...new Set([...tags, 'confirmed'])];
}

async function endFact(intent: NoteIntent, ports: AskPorts): Promise<string | undefined> {
  const facts = await factsFor('project', ports);
  const { about } = intent;
  const found =
    about === undefined ? lastMentioned(facts, ports).slice(0, 1) : factsAbout(about, facts);
  const [fact, other] = found;
  if (fact === undefined) return undefined;
  if (other !== undefined) throw severalAbout(about ?? '', found);
  const record = { ...fact.record, endedMs: ports.clock.nowMs() };
  const run = ports.scope.id;
  await ports.memory.rewrite([{ id: fact.id, record }], { signal: ports.signal, run });
  return [
    `No longer holds: ${quoted(record)}`,
    `It stays in its history. Forget it for good with: cuervo memory forget --id ${fact.id.slice(0, 12)}`,
    takeBack(run),
  ].join('\n');
}

/** Facts near a text; for one that names nothing itself, what was mentioned just before. */
function aboutSame(
  text: string,
  { facts, mentioned }: { facts: readonly MemoryRow[]; mentioned: readonly MemoryRow[] },
  ports: AskPorts,
): MemoryRow[] {
  const near = nearestTo(text, facts, ports);
  return near.length === 0 && namesNothing.test(text) ? mentioned.slice(0, 1) : near;
}

/** Facts that may be about the same, the nearest first. */
export function nearestTo(text: string, facts: readonly MemoryRow[], ports: AskPorts): MemoryRow[] {
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

function saysSame(one: string, other: string): boolean {
  return plainWords(one).join(' ') === plainWords(other).join(' ');
}

/** The facts that hold; for the team, those of the shared store. */
export async function factsFor(scope: string, ports: AskPorts): Promise<MemoryRow[]> {
  const { store, config, signal } = ports;
  const own = store.memoryJournal.book.facts([config.workspace, everyProject]);
  if (scope !== 'team') return own;
  const filter = { layer: 'insights' as const, kinds: keptKinds, project: config.workspace };
  const rows = await ports.memory.list(filter, { signal, limit: config.memory.factRows });
  const ours = rows.filter(({ record }) => record.scope === 'team');
  const holding = ({ record }: MemoryRow) => !record.replacedBy && record.endedMs === undefined;
  return [...own.filter(({ record }) => record.scope !== 'team'), ...ours.filter(holding)];
}

/** A word about one project does not end facts of the team, or of the person elsewhere. */
function isOfScope({ record }: MemoryRow, { scope, as }: NoteIntent, ports: AskPorts): boolean {
  const said = scope ?? (as === 'preference' ? 'person' : undefined);
  const of = record.scope ?? 'project';
  if (said === undefined) return of === 'project' || of === 'person';
  return of === said && (of === 'person' || record.project === ports.config.workspace);
}

function placeOf(scope: string, { config }: AskPorts): string {
  if (scope === 'team') return 'the team';
  return scope === 'person' ? 'you, in every workspace' : config.workspace;
}

function checkScope(scope: string, { config }: AskPorts): void {
  if (scope !== 'team' || config.memory.shared !== undefined) return;
  throw new KernelError('invalid-argument', 'there is no shared store', {
    hint: 'Name one in config.toml, as docs/memory.md shows: memory.uri = "s3://BUCKET/FOLDER"',
  });
}

/** A new fact removes no other: a person says what may go. */
function checkRoom({ config, store }: AskPorts): void {
  const { factRows } = config.memory;
  const { book } = store.memoryJournal;
  const held = book.countFacts();
  if (held < factRows) return;
  const uses = new Map(store.memoryUses.all().map(({ id, uses: count }) => [id, count]));
  const useOf = ({ id }: MemoryRow) => uses.get(id) ?? 0;
  const [least, ...more] = book
    .facts([config.workspace, everyProject])
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

/** A sentence ends one fact at a time; which of several is meant, a person says. */
function severalAbout(about: string, facts: readonly MemoryRow[]): KernelError {
  const named = facts
    .slice(0, maxNamed)
    .map(({ id, record }) => `${id.slice(0, 12)} ${quoted(record)}`);
  const more = facts.length > maxNamed ? `, and ${facts.length - maxNamed} more` : '';
  return new KernelError(
    'invalid-argument',
    `${facts.length} facts are about "${about}", and none was ended: ${named.join('; ')}${more}`,
    {
      hint: `Say which one with its own words, or forget it for good: cuervo memory forget --id ${facts[0]?.id.slice(0, 12)}`,
    },
  );
}

function notAll(): KernelError {
  return new KernelError('invalid-argument', 'one sentence can forget only one fact', {
    hint: 'Forget all that was said and read in this workspace, for good: cuervo memory forget --before 0h',
  });
}

/** The error for an act that ends a fact where there is none. */
export function noSuchFact({ about, text }: NoteIntent): KernelError {
  const what =
    about === undefined
      ? `it is unclear what "${text}" is about: no fact was said or shown just before`
      : 'no fact is about this, so none was ended';
  return new KernelError('not-found', what, {
    hint: 'See what is kept with: cuervo memory list --kind fact; forget one with: cuervo memory forget --id ID',
  });
}

/** `"releases happen on Thursdays" (12 March)` */
export function quoted({ text, ts }: Pick<MemoryRecord, 'text' | 'ts'>): string {
  return `"${factText(text)}" (${dateText(ts)})`;
}

function takeBack(run: string): string {
  return `Take it back with: cuervo undo ${run}`;
}
