import type { ToolIntent } from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import type { Intent, NoteIntent } from '../../contracts/intent.ts';
import { everyProject, type MemoryRow } from '../../contracts/memory.ts';
import { dateText, hasPassed } from '../../lib/text/amounts.ts';
import { factText } from '../../lib/text/columns.ts';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { keptKinds } from '../layers.ts';
import { factsAbout } from './settle-facts.ts';
import {
  type FactPorts,
  factsFor,
  nearestTo,
  quoted,
  type Scope,
  saysSame,
  saysYes,
  shownNear,
  writeFact,
} from './write-fact.ts';

/** The most facts that an error names when several could be meant. */
const maxNamed = 5;
/** A sentence whose subject is a pronoun: "they moved to Fridays", "se movió a las 10". */
const namesNothing =
  /^(?:\p{L}+\s+)?(?:it|they|he|she|er|sie|es|se|il|elle|ele|ela|isso|eso|cela)(?!\p{L})/iu;

/** The last sessions in which "it" is looked for; an older mention is not meant any more. */
const lookedAt = 2;

/** One screen of facts; `cuervo memory list` shows the rest. */
const shownFacts = 15;

/**
 * Keeps, ends or lists facts as the message says. Any other message stays a question to answer.
 *
 * @param options.isModel a model is in use: it gets corrections as typed and has a tool for them
 * @throws {KernelError} `not-found` for a fact that does not exist, if the message is no question
 */
export async function actOnFacts(
  intent: Intent,
  { isModel }: { isModel: boolean },
  ports: FactPorts,
): Promise<{ done: string } | { intent: ToolIntent }> {
  if (intent.kind === 'note') {
    const done =
      intent.act === 'list' ? await listFacts(intent, ports) : await keepFact(intent, ports);
    if (done !== undefined) return { done };
    if (!isModel) throw noSuchFact(intent);
    return await actOnFacts(intent.otherwise, { isModel }, ports);
  }
  if (intent.kind === 'call' || intent.correction === undefined || isModel) return { intent };
  const done = await offerCorrection(intent.correction, ports);
  return done === undefined ? { intent } : { done };
}

/**
 * Keeps, ends or lists facts.
 *
 * @returns undefined where the named fact does not exist: the message may be a question
 * @throws {KernelError} `resource-exhausted` where memory is full of facts
 */
async function keepFact(intent: NoteIntent, ports: FactPorts): Promise<string | undefined> {
  if (intent.isAll) throw notAll();
  if (intent.act === 'end') return await endFact(intent, ports);
  const scope: Scope = intent.scope ?? (intent.as === 'preference' ? 'person' : 'project');
  checkScope(scope, ports);
  const text = ports.resolveDays(intent.text, ports.run.clock.nowMs());
  const fact = { text, kind: intent.as, scope };
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
    ...(isReplaced ? [takeBack(ports.run.id)] : []),
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
async function offerCorrection(text: string, ports: FactPorts): Promise<string | undefined> {
  const mentioned = lastMentioned(await factsFor('project', ports), ports);
  const [near] = aboutSame(text, { facts: mentioned, mentioned }, ports);
  if (near === undefined) return undefined;
  const { record } = near;
  if (ports.say.askYesNo === undefined) {
    ports.say.warn(
      `this is not kept; to keep it in place of ${quoted(record)}: cuervo memory edit ${near.id.slice(0, 12)} ${shellWord(text)}`,
    );
    return undefined;
  }
  const told = `keep "${factText(text)}" in place of ${quoted(record)}?`;
  if (!(await saysYes(told, ports))) return undefined;
  const { scope = 'project', kind } = record;
  const kept = await writeFact({ text, kind, scope }, [near], ports);
  return [
    `Remembered for ${escapeLine(placeOf(scope, ports))}: ${kept.record.text}`,
    `  replaces: ${quoted(record)}`,
    takeBack(ports.run.id),
  ].join('\n');
}

async function endFact(intent: NoteIntent, ports: FactPorts): Promise<string | undefined> {
  const facts = await factsFor('project', ports);
  const { about } = intent;
  const found =
    about === undefined ? lastMentioned(facts, ports).slice(0, 1) : factsAbout(about, facts);
  const [fact, other] = found;
  if (fact === undefined) return undefined;
  if (other !== undefined) throw severalAbout(about ?? '', found);
  const { run } = ports;
  const record = { ...fact.record, endedMs: run.clock.nowMs() };
  await ports.memory.rewrite([{ id: fact.id, record }], { signal: run.signal, run: run.id });
  return [
    `No longer holds: ${quoted(record)}`,
    `It stays in its history. Forget it for good with: cuervo memory forget --id ${fact.id.slice(0, 12)}`,
    takeBack(run.id),
  ].join('\n');
}

/** Facts near a text. If its subject is a pronoun, the fact that was mentioned last. */
function aboutSame(
  text: string,
  { facts, mentioned }: { facts: readonly MemoryRow[]; mentioned: readonly MemoryRow[] },
  ports: FactPorts,
): MemoryRow[] {
  const near = nearestTo(text, facts, ports);
  return near.length === 0 && namesNothing.test(text) ? mentioned.slice(0, 1) : near;
}

/** Without a scope, a message can end facts of the project and of the person, never of the team. */
function isOfScope({ record }: MemoryRow, { scope, as }: NoteIntent, ports: FactPorts): boolean {
  const said = scope ?? (as === 'preference' ? 'person' : undefined);
  const of = record.scope ?? 'project';
  if (said === undefined) return of === 'project' || of === 'person';
  return of === said && (of === 'person' || record.project === ports.run.workspace);
}

function placeOf(scope: string, { run }: FactPorts): string {
  if (scope === 'team') return 'the team';
  return scope === 'person' ? 'you, in every workspace' : run.workspace;
}

function checkScope(scope: string, { isShared }: FactPorts): void {
  if (scope !== 'team' || isShared) return;
  throw new KernelError('invalid-argument', 'there is no shared store', {
    hint: 'Name one in config.toml, as docs/memory.md shows: memory.uri = "s3://BUCKET/FOLDER"',
  });
}

/** The error where several facts could be meant: a message ends one, and the person chooses. */
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

/** The error for an act that ends a fact where there is none. */
function noSuchFact({ about, text }: NoteIntent): KernelError {
  const what =
    about === undefined
      ? `it is unclear what "${text}" is about: no fact was said or shown just before`
      : 'no fact is about this, so none was ended';
  return new KernelError('not-found', what, {
    hint: 'See what is kept with: cuervo memory list --kind fact; forget one with: cuervo memory forget --id ID',
  });
}

function takeBack(run: string): string {
  return `Take it back with: cuervo undo ${run}`;
}

/**
 * The person's facts for this workspace and for all, newest first: the ones that hold, or the ones
 * said at the time that the message names.
 */
async function listFacts({ text: asked }: NoteIntent, ports: FactPorts): Promise<string> {
  const { store, memory, run } = ports;
  const projects = [run.workspace, everyProject];
  const nowMs = run.clock.nowMs();
  const then = ports.saidAt(asked, nowMs);
  const kept =
    then === undefined
      ? store.memoryJournal.book.facts(projects)
      : await memory.list(
          { projects, kinds: keptKinds, sinceMs: then.fromMs, beforeMs: then.toMs + 1 },
          { signal: run.signal, limit: ports.factRows },
        );
  const rows = kept
    .filter(({ record }) => record.kind !== 'model')
    .sort((one, other) => other.record.ts - one.record.ts);
  const days = then && [...new Set([then.fromMs, then.toMs].map((ms) => dateText(ms, nowMs)))];
  const when = days === undefined ? '' : ` (${days.join(' to ')})`;
  if (rows.length === 0) {
    const first = "Begin with: cuervo ask 'remember that …'";
    return when === ''
      ? `Nothing was told yet. ${first}`
      : `Nothing was told then${when}. See what was asked with: cuervo session list`;
  }
  const lines = rows.slice(0, shownFacts).map(({ record }) => {
    const where = record.project === everyProject ? ', in every workspace' : '';
    const isPast = record.replacedBy !== undefined || record.endedMs !== undefined;
    const state = isPast ? ', holds no longer' : hasPassed(record, nowMs) ? ', has passed' : '';
    return `  ${factText(record.text)} (${dateText(record.ts, nowMs)}${where}${state})`;
  });
  const more = rows.length - lines.length;
  const all = `${more > 0 ? `${more} more. ` : ''}See all of memory with: cuervo memory list`;
  return [`You told${when}:`, ...lines, all].join('\n');
}

/**
 * The facts that the run before this one in this workspace kept, or else showed, best first.
 *
 * @param facts those that hold
 */
function lastMentioned(facts: readonly MemoryRow[], { store, run: own }: FactPorts): MemoryRow[] {
  const sessions = store.sessions({ project: own.workspace, limit: lookedAt });
  const before = sessions.flatMap(({ id }) => store.messages(id));
  const last = before
    .filter(({ run }) => run !== own.id)
    .sort((one, other) => other.ts - one.ts)[0];
  if (last === undefined) return [];
  const said = facts.filter(({ record }) => record.run === last.run);
  if (said.length > 0) return said;
  const byId = new Map(facts.map((row) => [row.id, row]));
  return store.memoryUses.recalledBy(last.run).flatMap(({ id }) => byId.get(id) ?? []);
}
