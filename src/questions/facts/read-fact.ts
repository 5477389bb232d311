import type { AskIntent, NoteIntent } from '../../contracts/intent.ts';
import { withoutThen } from '../../lib/text/read-time.ts';
import { plainWords, stopWords } from '../../lib/text/words.ts';
import { type FactForms, factForms } from './fact-forms.ts';

/** A note as its words say it; what it is otherwise, a question tells. */
export type ReadFact = Omit<NoteIntent, 'otherwise'>;

const minCharacters = 3;
/** An act without "remember" in front is one sentence. */
const maxSentence = 300;

/**
 * Reads an act of memory in five languages: something to keep, to end or to list. Nothing else is
 * kept, so a report, a complaint or a question is not kept.
 */
export function readFact(said: string): ReadFact | undefined {
  const whole = { kind: 'note', as: 'fact', text: said } as const;
  const untimed = withoutThen(said, true);
  if (factForms.some(({ lists }) => lists.test(untimed))) return { ...whole, act: 'list' };
  const text = politely.exec(said)?.[1] ?? said;
  if (/[?？]\W*$/.test(text) || text.includes('¿')) return undefined;
  for (const forms of factForms) {
    const read = readForm(text, forms);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** "Can you remember that the port is 8080?" asks for nothing but that. */
const politely =
  /^(?:please,?\s+)?(?:can|could|would|will) you (?:please )?((?:remember|note|keep in mind) that\s.+?)(?:,? please)?\s*[?.!]*$/i;

function readForm(text: string, forms: FactForms): ReadFact | undefined {
  const end = { kind: 'note', act: 'end', as: 'fact', text } as const;
  if (forms.end.test(text)) return end;
  if (forms.forgetAll.test(text)) return { ...end, isAll: true };
  const forgotten = forms.forget.exec(text)?.[0];
  if (forgotten !== undefined) {
    const about = text.slice(forgotten.length).replace(politeEnd, '').trim();
    return isLong(text) || wordsIn(about) === 0 ? undefined : { ...end, about };
  }
  const told = forms.tell.exec(text)?.[0];
  if (told !== undefined) {
    const rest = text.slice(told.length).trim();
    return !isPlain.test(told) && asksAfter(rest) ? undefined : fact(rest, forms);
  }
  if (isLong(text)) return undefined;
  const behind = forms.tellBehind.exec(text);
  if (behind !== null) {
    const before = text.slice(0, behind.index);
    return asksSomething(before) ? undefined : fact(before, forms);
  }
  if (!forms.prefer.test(text) && !forms.decide.test(text)) return undefined;
  const rest = text.replace(forms.prefer, '').replace(forms.decide, '').trim();
  return forms.asks.test(rest) || wishes.test(rest) ? undefined : fact(text, forms);
}

function isLong(text: string): boolean {
  return text.length > maxSentence || text.includes('\n');
}

/** "… what I said about the port, please": neither is about anything. */
const politeEnd = /(?:[\s,]+(?:please|bitte|gesagt habe|por favor))?[\s.!]*$/i;

/** "remember that …", "note: …": what follows is told, whatever it begins with. */
const isPlain = /(?:\b(?:that|dass|que)\s*|qu['’]|:\s*)$/iu;

/** "I prefer to know where it is": it asks anyway. */
const wishes = /^(?:to\s+(?:know|see|hear)|if\s|that\s+you|not\s+to\b|you\b)/i;

/** "Remember where it is", "remember: which rules apply", "don't forget to run the tests". */
function asksAfter(text: string): boolean {
  const said = text.replace(/^(?:mir|me|myself|mich)(?![\p{L}])[\s,]*/iu, '');
  return [said, ...said.split(/:\s+/)].some(asksSomething) || serves.test(said);
}

const serves = /^(?:to\s|(?:show|tell|give|remind|send|list|find|explain)\s+(?:me|us)\b)/i;

/** "When we release, ask Dana first" only begins as a question does. */
function asksSomething(text: string): boolean {
  const asks = (said: string) => factForms.some((forms) => forms.asks.test(said));
  const [, rest] = condition.exec(text) ?? [];
  return asks(text) && (rest === undefined || asks(rest));
}

const condition =
  /^(?:if|when|whenever|wenn|falls|sobald|si|cuando|quand|quando|se)\s[^,]+,\s+(?=\S+\s)(.+)$/iu;

function fact(said: string, forms: FactForms): ReadFact | undefined {
  const { text, scope } = scoped(said.trim(), forms);
  if (text.length < minCharacters || wordsIn(text) === 0) return undefined;
  const as = forms.prefer.test(text) ? 'preference' : forms.decide.test(text) ? 'decision' : 'fact';
  return { kind: 'note', act: 'tell', as, text, ...(scope === undefined ? {} : { scope }) };
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

/**
 * What a message that is no act may say: `correction` what it puts right, without its "no, …" in
 * front; `isStatement` that it asks nothing. Both are offered and never kept by themselves.
 */
export function mayTell(text: string): Pick<AskIntent, 'correction' | 'isStatement'> {
  if (/[?？¿]/.test(text) || isLong(text) || asksSomething(text)) return {};
  const begun = factForms.map(({ correct }) => correct.exec(text)?.[0] ?? '').find(Boolean) ?? '';
  const correction = text.slice(begun.length);
  const [clause = ''] = text.split(/[,;:.–—]\s/);
  const isCorrection = begun !== '' || factForms.some(({ denies }) => denies.test(clause));
  if (isCorrection && wordsIn(correction) > 0 && !asksSomething(correction)) return { correction };
  return wordsIn(text) >= minStatement ? { isStatement: true } : {};
}

const minStatement = 3;

/** Words that say something. */
function wordsIn(text: string): number {
  return plainWords(text).filter((word) => !stopWords.has(word)).length;
}
