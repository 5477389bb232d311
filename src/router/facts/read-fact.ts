import { mayHandOver, plainWords, pronouns, smallWords } from '../../contracts/fact-words.ts';
import type { NoteIntent } from '../../contracts/intent.ts';
import { type FactForms, factForms } from './fact-forms.ts';
import { beginsAt } from './read-time.ts';

/** What a person wants kept in mind, held no longer or told; without the question it may be instead. */
export type ReadFact = Omit<NoteIntent, 'otherwise'> & {
  /** it is a fact only where it corrects one that is known */
  isWeak: boolean;
};

const minCharacters = 3;
/** What only perhaps corrects something is one sentence. */
const maxWeakCharacters = 300;

/**
 * Reads what is to be kept in mind, in five languages. A sentence that begins so and asks is none.
 *
 * @returns undefined for a question, and for anything else
 */
export function readFact(said: string): ReadFact | undefined {
  if (factForms.some(({ lists }) => lists.test(said))) {
    return { kind: 'note', act: 'list', as: 'fact', text: said, isWeak: false };
  }
  const text = politely.exec(said)?.[1] ?? said;
  if (/[?？]\W*$/.test(text) || text.includes('¿')) return undefined;
  for (const forms of factForms) {
    const read = readForm(text, forms);
    if (read !== undefined) return read;
  }
  if (!mayHandOver(text) || isLong(text) || clauses(text).some(wants)) return undefined;
  return { kind: 'note', act: 'tell', as: 'fact', text, isWeak: true };
}

/** Of a long text, or one of several lines, something is wanted: a report, a message, a trace. */
function isLong(text: string): boolean {
  return text.length > maxWeakCharacters || text.includes('\n');
}

/** "Can you remember that the port is 8080?" asks for nothing but that. */
const politely =
  /^(?:please,?\s+)?(?:can|could|would|will) you (?:please )?((?:remember|note|keep in mind) that\s.+?)(?:,? please)?\s*[?.!]*$/i;

function readForm(said: string, forms: FactForms): ReadFact | undefined {
  if (forms.end.test(said)) return { ...endOf(said), isIndirect: true };
  const { text, isSoft, begun } = withoutStart(said, forms);
  if (forms.forgetAll.test(text)) return { ...endOf(text), isAll: true };
  const forgotten = forms.forget.exec(text)?.[0];
  if (forgotten !== undefined) {
    const about = withoutMark(text.slice(forgotten.length));
    return saysSomething(about, 1) ? { ...endOf(text), about, isWeak: true } : undefined;
  }
  const told = forms.tell.exec(text)?.[0];
  if (told !== undefined) {
    const rest = text.slice(told.length).trim();
    return !isPlain.test(told) && asksAfter(rest) ? undefined : fact(rest, forms, 'tell');
  }
  const behind = forms.tellBehind.exec(text);
  if (behind !== null) {
    const before = text.slice(0, behind.index);
    return asksSomething(before, forms) ? undefined : fact(before, forms, 'tell');
  }
  const corrected = forms.correct.exec(text)?.[0];
  if (corrected !== undefined) {
    const rest = text.slice(corrected.length);
    if (goesOn(rest, corrected, forms)) return fact(text, forms, 'correct');
    const { text: plain, isSoft: more } = withoutStart(rest, forms);
    return clauses(plain).some(wants) ? undefined : fact(more ? plain : rest, forms, 'correct');
  }
  if (forms.prefer.test(text) || forms.decide.test(text)) {
    const rest = text.replace(forms.prefer, '').replace(forms.decide, '').trim();
    return forms.asks.test(rest) || wishes.test(rest) ? undefined : fact(text, forms, 'tell');
  }
  const changes = forms.denies.test(text) || forms.moves.test(text) || beginsAt(text);
  if ((!isSoft && !changes) || isLong(said)) return undefined;
  const isStatement = isSoft && goesOn(text, begun, forms);
  if (!isStatement && clauses(text).some(wants)) return undefined;
  const read = fact(isStatement ? said : text, forms, 'correct');
  return read === undefined ? undefined : { ...read, isWeak: true };
}

function endOf(text: string): ReadFact {
  return { kind: 'note', act: 'end', as: 'fact', text, isWeak: false };
}

/** "… what I said about the port, please": neither is about anything. */
function withoutMark(text: string): string {
  const plain = text.replace(/(?:[\s,]+(?:please|bitte|gesagt habe|por favor))?[\s.!]*$/i, '');
  return plain.trim();
}

/** "oh, sorry, I meant …" */
const maxSoft = 3;

/** Without "sorry, …", "oh, …" and the like. */
function withoutStart(
  said: string,
  { soft }: FactForms,
): { text: string; isSoft: boolean; begun: string } {
  let begun = '';
  for (let times = 0; times < maxSoft; times += 1) {
    const more = soft.exec(said.slice(begun.length))?.[0] ?? '';
    if (more === '') break;
    begun += more;
  }
  return { text: said.slice(begun.length), isSoft: begun !== '', begun };
}

/** "Tatsächlich wird der Müll am Mittwoch abgeholt": the verb stands first, and nothing is asked. */
function goesOn(rest: string, before: string, { goesOn: verbs }: FactForms): boolean {
  return verbs?.test(rest) === true && /\p{L}\s*$/u.test(before);
}

/** "remember that …", "note: …": what follows is told, whatever it begins with. */
const isPlain = /(?:\b(?:that|dass|que)\s*|qu['’]|:\s*)$/iu;

/** "I prefer to know where it is": it asks anyway. */
const wishes = /^(?:to\s+(?:know|see|hear)|if\s|that\s+you)/i;

function clauses(text: string): string[] {
  return text.split(/[,;.:]\s+/).filter((clause, at) => at === 0 || !saysWho.test(clause));
}

/** "… já não abre, quem abre é a Lúcia": the second half says who. */
const saysWho = /^(?:quem|qui(?:é|e)n(?:es)?|wer|who)\s+.*(?<!\p{L})(?:é|e|es|son|ist|is)\s+\S/iu;

/** "Remember where it is", "note on style: which rules apply", "don't forget to show me …". */
function asksAfter(text: string): boolean {
  const said = text.replace(/^(?:mir|me|myself|mich)(?![\p{L}])[\s,]*/iu, '');
  const begins = [said, ...said.split(/:\s+/)];
  return begins.some(anyAsks) || serves.test(said);
}

const serves = /^(?:to\s+)?(?:show|tell|give|remind|send|list|find|explain)\s+(?:me|us)\b/i;

function anyAsks(text: string): boolean {
  return factForms.some((forms) => asksSomething(text, forms)) || /^to self\b/i.test(text);
}

/** "When we release, ask Dana first" only begins as a question does. */
function asksSomething(text: string, { asks }: FactForms): boolean {
  const [, rest] = condition.exec(text) ?? [];
  return (
    asks.test(text) && (rest === undefined || factForms.some((forms) => forms.asks.test(rest)))
  );
}

const condition =
  /^(?:if|when|whenever|wenn|falls|sobald|si|cuando|quand|quando|se)\s[^,]+,\s+(?=\S+\s)(.+)$/iu;

/** Two things at least are said: "never mind", "the other one" and "please" say none. */
function saysSomething(text: string, least: number): boolean {
  const saysNothing = (word: string) =>
    [smallWords, pronouns, emptyWords].some((list) => list.has(word));
  return plainWords(text).filter((word) => !saysNothing(word)).length >= least;
}

const emptyWords = new Set(
  'please never mind one other another nothing again yes no not sorry thanks bitte danke'.split(
    ' ',
  ),
);

/** "no, …" is said in two of the languages, and what follows may ask in either. */
function wants(text: string): boolean {
  const start = text.trim();
  return factForms.some(({ asks, orders }) => asks.test(start) || orders.test(start));
}

function fact(said: string, forms: FactForms, act: 'tell' | 'correct'): ReadFact | undefined {
  const { text, scope } = scoped(said.trim(), forms);
  const inner = forms.correct.exec(text)?.[0] ?? '';
  const rest = text.slice(inner.length);
  const body = inner !== '' && goesOn(rest, inner, forms) ? text : rest;
  if (!saysSomething(body, act === 'correct' ? 2 : 1)) return undefined;
  if (body.length < minCharacters || (body !== text && wants(body))) return undefined;
  const denied = forms.denies.test(body);
  const isChange = act === 'correct' || inner !== '' || denied || forms.moves.test(body);
  return {
    kind: 'note',
    act: isChange ? 'correct' : 'tell',
    as: kindOf(body, forms),
    text: body,
    ...(scope === undefined ? {} : { scope }),
    ...(denied ? { denies: true as const } : {}),
    isWeak: false,
  };
}

function kindOf(text: string, { prefer, decide }: FactForms): 'fact' | 'decision' | 'preference' {
  if (prefer.test(text)) return 'preference';
  return decide.test(text) ? 'decision' : 'fact';
}

/** Where a person says that it is to hold. */
function scoped(
  text: string,
  { person, team }: FactForms,
): { text: string; scope?: 'person' | 'team' } {
  const mine = person.exec(text)?.[0];
  if (mine !== undefined) return { text: text.slice(mine.length), scope: 'person' };
  const ours = team.exec(text)?.[0];
  if (ours !== undefined) return { text: text.slice(ours.length), scope: 'team' };
  return { text };
}
