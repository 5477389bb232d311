import { KernelError } from '../../contracts/error.ts';
import { nowWords, plainWords } from '../../contracts/fact-words.ts';
import type { NoteIntent } from '../../contracts/intent.ts';
import { everyProject, type MemoryRecord, type MemoryRow } from '../../contracts/memory.ts';
import { findOrders } from '../../guard/find-orders.ts';
import { redact } from '../../guard/redact-text.ts';
import { counted } from '../../lib/text/counted.ts';
import { dateText } from '../../lib/text/date-text.ts';
import { escapeLine } from '../../lib/text/escape-terminal.ts';
import { factText } from '../../lib/text/fact-text.ts';
import { speaksOtherwise } from '../../memory/facts/choices.ts';
import { compareFacts } from '../../memory/facts/compare-facts.ts';
import { factsAbout } from '../../memory/facts/facts-about.ts';
import { passesFrom } from '../../memory/facts/passes-on.ts';
import { readChange } from '../../memory/facts/read-change.ts';
import { isIndirect, isPlainChange, subjectOf } from '../../memory/facts/subject-of.ts';
import { differInNumber } from '../../memory/facts/tell-apart.ts';
import { stemsOf } from '../../memory/facts/words-of-facts.ts';
import { keptKinds } from '../../memory/kinds.ts';
import { memoryId } from '../../memory/memory-id.ts';
import { turnContext } from '../../memory/turn-context.ts';
import { readHolds, withoutHolds } from '../../router/facts/read-time.ts';
import type { AskPorts } from './ask-ports.ts';
import { spokenOf } from './spoken-of.ts';

/** Near facts that are named. */
const shownNear = 3;
/** Facts on one subject that are named when one of them is to end. */
const maxNamed = 5;
/** Corrections that name nothing, one after the other. */
const maxHops = 16;

/** The outcome for a sentence that is to be remembered. */
export type KeptFact = { answer: string; rows: readonly MemoryRow[] };

/**
 * Keeps what a person said, and ends what it takes the place of.
 *
 * @returns undefined where it is a fact only if it corrects one, and it does not
 * @throws {KernelError} `not-found` where it is about what was spoken of last, and nothing was;
 *   `resource-exhausted` where memory holds as many facts as it may
 */
export async function keepFact(intent: NoteIntent, ports: AskPorts): Promise<KeptFact | undefined> {
  const { store, clock, config, scope: run } = ports;
  const ts = clock.nowMs();
  const { book } = store.memoryJournal;
  const scope = intent.scope ?? (intent.as === 'preference' ? 'person' : 'project');
  checkScope(scope, ports);
  const project = scope === 'person' ? everyProject : config.workspace;
  if (intent.isAll) throw notAll();
  const candidates = await factsFor(scope, ports);
  const found = relate(intent, candidates, ports);
  if (found.replaced.length === 0 && found.ended.length === 0) {
    if (intent.otherwise !== undefined && !isOnSubject(intent, found.near)) return undefined;
    if (found.isAboutLast) throw nothingSpokenOf(intent);
  }
  if (found.ended.length > 0) {
    const rows = found.ended.map(({ id, record }) => ({ id, record: { ...record, endedMs: ts } }));
    await ports.memory.rewrite(rows, { signal: ports.signal, run: run.id });
    const told = rows.map(({ record }) => `No longer holds: ${quoted(record)}`);
    const [first] = rows;
    const forGood = `It stays in its history. Forget it for good with: cuervo memory forget --id ${first?.id.slice(0, 12)}`;
    const parts = intent.about === undefined ? [] : [forGood];
    return { rows, answer: [...told, ...parts, takeBack(run.id)].join('\n') };
  }
  const { replaced, repeated, near } = found;
  const [first = near.find(({ record: of }) => passesFrom(intent.text, of.text))] = replaced;
  const holdsMs = readHolds(intent.text, ts);
  const record: MemoryRecord = {
    // the layer that machines share
    layer: scope === 'team' ? 'insights' : 'interact',
    ...(scope === 'team' ? { why: 'told for the team' } : {}),
    text: intent.text,
    context: turnContext({
      ...{ who: 'user', text: intent.text, tsMs: ts },
      // it is found by what it took the place of, too
      ...(first === undefined ? {} : { previous: first.record.text }),
    }),
    kind: intent.as,
    tags: repeated === undefined ? [] : [...new Set([...repeated.record.tags, 'confirmed'])],
    project,
    session: ports.session.id,
    run: run.id,
    ts,
    ...(scope === 'project' ? {} : { scope }),
    subject: first?.record.subject ?? subjectOf(intent.text),
    ...(holdsMs === undefined ? {} : { holdsMs }),
    ...(replaced.length === 0 ? {} : { replaces: replaced.map(({ id }) => id) }),
  };
  const newer =
    repeated === undefined
      ? { id: memoryId(record), record }
      : { id: repeated.id, record: { ...repeated.record, tags: record.tags } };
  if (repeated === undefined && replaced.length === 0) checkRoom(book, candidates, ports);
  // so that an undo knows what another machine's fact was
  if (scope === 'team') book.keep(replaced.filter(({ id }) => book.get(id) === undefined));
  const older = replaced.map(({ id, record: old }) => ({
    id,
    record: { ...old, replacedBy: newer.id },
  }));
  await ports.memory.rewrite([...older, newer], { signal: ports.signal, run: run.id });
  if (redact(intent.text) !== intent.text) {
    ports.warn(
      'this fact holds what looks like a key; it stays in cuervo.db, and a remote model gets a stand-in for it',
    );
  }
  if (findOrders(intent.text).length > 0) {
    ports.warn('this fact reads like orders to a model; it is kept and shown to models as data');
  }
  const where = { project: config.workspace, person: 'you, in every workspace', team: 'the team' };
  const parts = [
    `${repeated === undefined ? 'Remembered' : 'Remembered already, and confirmed,'} for ${escapeLine(where[scope])}: ${intent.text}`,
    ...older.map(({ record: old }) => `  replaces: ${quoted(old)}`),
    ...nearestFirst(intent.text, near)
      .slice(0, shownNear)
      .map(({ record: other }) => `  holds beside it: ${quoted(other)}`),
    ...(near.length > shownNear ? [`  and ${near.length - shownNear} more on this subject`] : []),
  ];
  const isFirst = older.length === 0 && near.length === 0 && repeated === undefined;
  if (intent.act === 'correct' && isFirst) {
    const beside = candidates.filter((row) => isOfChoice(row, intent, ports));
    parts.push(...besideChoice(beside));
  }
  if (older.length > 0) parts.push(takeBack(run.id));
  return { answer: parts.join('\n'), rows: [newer] };
}

/**
 * "I prefer spaces now" may end "I prefer tabs" or "I prefer tea": no word tells, so the person is
 * shown what holds.
 */
function besideChoice(earlier: readonly MemoryRow[]): string[] {
  const [first] = earlier;
  if (first === undefined) return ['  nothing with its words was known before'];
  const { kind } = first.record;
  const more = earlier.length - shownNear;
  return [
    `  it does not say which ${kind} it replaces`,
    ...earlier.slice(0, shownNear).map(({ record }) => `  holds beside it: ${quoted(record)}`),
    ...(more > 0 ? [`  and ${counted(more, `more ${kind}`)}`] : []),
  ];
}

/** A preference beside preferences, a decision beside decisions. */
function isOfChoice(row: MemoryRow, intent: NoteIntent, ports: AskPorts): boolean {
  const { record } = row;
  if (intent.as === 'fact' || record.kind !== intent.as) return false;
  return isOfScope(row, intent, ports) && !speaksOtherwise(intent.text, record.text);
}

/** Those that have most of its words first, and of equals the newest. */
function nearestFirst(text: string, near: readonly MemoryRow[]): MemoryRow[] {
  const said = new Set(plainWords(text));
  const shared = ({ record }: MemoryRow) =>
    said.intersection(new Set(plainWords(record.text))).size;
  const counted = near.map((row) => ({ row, words: shared(row) }));
  return counted
    .toSorted((one, other) => other.words - one.words || other.row.record.ts - one.row.record.ts)
    .map(({ row }) => row);
}

/** The facts that a sentence may be about; for the team, those of the shared store. */
async function factsFor(scope: string, ports: AskPorts): Promise<MemoryRow[]> {
  const { store, config, signal } = ports;
  const own = store.memoryJournal.book.facts([config.workspace, everyProject]);
  if (scope !== 'team') return own;
  const filter = { layer: 'insights' as const, kinds: keptKinds, project: config.workspace };
  const rows = await ports.memory.list(filter, { signal, limit: config.memory.factRows });
  const ours = rows.filter(({ record }) => record.scope === 'team');
  const holding = ({ record }: MemoryRow) => !record.replacedBy && record.endedMs === undefined;
  return [...own.filter(({ record }) => record.scope !== 'team'), ...ours.filter(holding)];
}

/** "we moved the retro to Thursday at 4", "the car is on level 2 now": a change of a known subject. */
function isOnSubject({ text, act }: NoteIntent, near: readonly MemoryRow[]): boolean {
  if (near.some(({ record }) => passesFrom(text, record.text))) return true;
  if (act !== 'correct') return false;
  // "we upgraded from Postgres 15 to Postgres 17", of what "runs on Postgres 15"
  const gone = stemsOf(readChange(text).gone ?? '');
  const names = (words: readonly string[]) => gone.every((word) => words.includes(word));
  if (gone.length > 0 && near.some(({ record }) => names(stemsOf(record.text)))) return true;
  const said = new Set(plainWords(text));
  const saysNow = !said.isDisjointFrom(nowWords);
  return near.some(({ record }) => {
    const subject = subjectOf(record.text);
    if (subject === '' || !subject.split(' ').every((word) => said.has(word))) return false;
    return isPlainChange(text) || (saysNow && differInNumber(text, record.text));
  });
}

type Related = {
  replaced: MemoryRow[];
  ended: MemoryRow[];
  repeated?: MemoryRow;
  near: MemoryRow[];
  /** it names nothing itself */
  isAboutLast: boolean;
};

function relate(intent: NoteIntent, facts: readonly MemoryRow[], ports: AskPorts): Related {
  if (intent.about !== undefined) {
    const ended = factsAbout(intent.about, facts, (row) => wordingOf(row, ports));
    if (ended.length > 1) throw severalAbout(intent.about, ended);
    return { replaced: [], ended, near: [], isAboutLast: false };
  }
  const isAboutLast = intent.act === 'end' || (intent.act === 'correct' && isIndirect(intent.text));
  if (isAboutLast) {
    const last = spokenOf(facts, ports);
    const rows = last === undefined ? [] : [last];
    const isEnd = intent.act === 'end';
    return { replaced: isEnd ? [] : rows, ended: isEnd ? rows : [], near: [], isAboutLast };
  }
  const newer = {
    text: withoutHolds(intent.text),
    kind: intent.as,
    isChange: intent.act === 'correct',
    ...(intent.denies ? { denies: true as const } : {}),
  };
  const related: Related = { replaced: [], ended: [], near: [], isAboutLast };
  for (const row of facts) {
    if (!isOfScope(row, intent, ports)) continue;
    const relation = compareFacts(newer, {
      text: withoutHolds(wordingOf(row, ports)),
      kind: row.record.kind,
    });
    if (relation === 'replaces') related.replaced.push(row);
    else if (relation === 'ends') related.ended.push(row);
    else if (relation === 'near') related.near.push(row);
    else if (relation === 'repeats') related.repeated ??= row;
  }
  return related;
}

/** "they moved to Fridays" names nothing: it is about what the fact before it names. */
function wordingOf({ record }: MemoryRow, { store }: AskPorts): string {
  let of = record;
  for (let hops = 0; hops < maxHops && isIndirect(of.text); hops += 1) {
    const [older] = of.replaces ?? [];
    const before = older === undefined ? undefined : store.memoryJournal.book.get(older);
    if (before === undefined) break;
    of = before.record;
  }
  return of.text;
}

/** A word about one project does not end facts of the team, or of the person elsewhere. */
function isOfScope({ record }: MemoryRow, { scope, as }: NoteIntent, ports: AskPorts): boolean {
  const said = scope ?? (as === 'preference' ? 'person' : undefined);
  const of = record.scope ?? 'project';
  if (said === undefined) return of === 'project' || of === 'person';
  return of === said && (of === 'person' || record.project === ports.config.workspace);
}

function checkScope(scope: string, { config }: AskPorts): void {
  if (scope !== 'team' || config.memory.shared !== undefined) return;
  throw new KernelError('invalid-argument', 'there is no shared store', {
    hint: 'Name one in config.toml, as docs/memory.md shows: memory.uri = "s3://BUCKET/FOLDER"',
  });
}

/** Nothing is pushed out for a new fact: a person says what may go. */
function checkRoom(
  book: AskPorts['store']['memoryJournal']['book'],
  candidates: readonly MemoryRow[],
  { config, store }: AskPorts,
): void {
  const { factRows } = config.memory;
  const held = book.countFacts();
  if (held < factRows) return;
  const uses = new Map(store.memoryUses.all().map(({ id, uses: count }) => [id, count]));
  const useOf = ({ id }: MemoryRow) => uses.get(id) ?? 0;
  const [least, ...more] = candidates
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
  return new KernelError('invalid-argument', 'a sentence forgets no more than one fact', {
    hint: 'Forget all that was said and read in this workspace, for good: cuervo memory forget --before 0h',
  });
}

function nothingSpokenOf({ text }: NoteIntent): KernelError {
  return new KernelError(
    'not-found',
    `it is unclear what "${text}" is about: no fact was said or shown just before`,
    {
      hint: 'Name it, e.g. cuervo ask "releases no longer happen on Thursdays"; see facts with: cuervo memory list --kind fact',
    },
  );
}

function quoted({ text, ts }: Pick<MemoryRecord, 'text' | 'ts'>): string {
  return `${factText(text)} (${dateText(ts)})`;
}

function takeBack(run: string): string {
  return `Take it back with: cuervo undo ${run}`;
}
