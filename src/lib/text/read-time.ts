import { once } from '../memo.ts';

/** A span of time that words name, ms since the Unix epoch, in UTC; `toMs` is its last. */
export type Span = { fromMs: number; toMs: number };

/** A span counted from a day. */
export type SpanOf = (y: number, m: number, d: number) => Span;

const dayMs = 86_400_000;

/** Twelve of each language, without accents. */
const months = `
  january february march april may june july august september october november december
  januar februar marz april mai juni juli august september oktober november dezember
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
  janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro`
  .trim()
  .split(/\s+/);

/** Four of each language; the last rows are other names. */
const seasons = `
  spring summer autumn winter
  fruhling sommer herbst winter
  primavera verano otono invierno
  printemps ete automne hiver
  primavera verao outono inverno
  fruhjahr sommer fall winter`
  .trim()
  .split(/\s+/);
const quarters = `
  first second third fourth
  ersten zweiten dritten vierten
  primer segundo tercer cuarto
  premier deuxieme troisieme quatrieme
  primeiro segundo terceiro quarto
  1st 2nd 3rd 4th
  q1 q2 q3 q4`
  .trim()
  .split(/\s+/);
const any = (words: readonly string[]) => [...new Set(words)].join('|');

const date = String.raw`(?:(?<iso>\d{4}-\d\d(?:-\d\d)?)(?![-\d])|(?:(?:(?<day>\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+|de\s+)?)?(?<month>${any(months)})|(?<season>${any(seasons)})(?!\s+(?!of |de |do |pasad|passad|derni)\p{L})|(?<quarter>${any(quarters)})(?:\s+(?:quarter|quartal|trimestre)|(?<=q\d)))(?:\s+(?:of\s+|de\s+|do\s+)?(?<ofYear>(?:19|20)\d\d))?)(?![\p{L}\d])`;
const dateFirst = new RegExp(`^(?:(?:the|el|le|o|l')\\s*)?${date}`, 'u');
const [before, after, within] = [
  `before|until|till|prior to|vor|bis|antes de|hasta|ate|avant|jusqu'en|jusqu'au`,
  'after|nach|despues de|depois de|apres',
  String.raw`in|on|during|over|at|last|im|am|en|el|durante|le|pendant|em|no|na|l'|cet|(?:of|for|vom|del|du)(?=\s+(?:the\s+)?\d)`,
];
/** The seven days from Monday on that hold a day. */
const weekOf = String.raw`(?:week|woche|semana|semaine)\s+(?:of|from|vom|del|de|du)\s+(?:the\s+)?(?=\d)`;
/** Where a question about then names a time. */
const then = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?<before>${before})|(?<after>${after})|(?:${within}))(?:\s+|(?<='))(?:(?:the|den|der|dem|el|la|le|o|letzten)\s+|(?<last>last)\s+|l'){0,3}(?<week>${weekOf})?${date}(?:\s+(?:pasad[oa]|derni(?:er|ere)|passad[oa]))?(?![\p{L}])`,
  'u',
);
const year =
  /(?<![\p{L}])(?:(?<before>before|until|vor|bis|antes de|hasta|avant|ate)|(?<after>after|nach|despues de|apres|depois de)|in|im jahr|en|em) (?<ofYear>(?:19|20)\d\d)(?![\p{L}\d-])/u;
const between =
  /(?<![\p{L}])(?<word>(?:between|from|zwischen|von|vom|entre|desde|du|de)\s+)(?<one>.{3,25}?)(?<and>\s+(?:and|to|until|und|bis|y|hasta|a|et|au|e|ate)\s+)(?<other>.+)$/u;
/** Counted in days, months or years from today, this month or this year. */
const spans: readonly (readonly [RegExp, SpanOf])[] = [
  [
    /\b(?:the day before yesterday|vorgestern|anteayer|avant-hier|anteontem)\b/,
    (y, m, d) => dayOf(y, m, d - 2),
  ],
  [/\b(?:yesterday|gestern|ayer|hier|ontem)\b/, (y, m, d) => dayOf(y, m, d - 1)],
  [
    /\b(?:last week(?! of\b)|letzte woche|la semana pasada|la semaine derniere|na semana passada)\b/,
    (y, m, d) => ({ fromMs: Date.UTC(y, m, d - 7), toMs: Date.UTC(y, m, d) - 1 }),
  ],
  [
    /\b(?:last month|letzten monat|el mes pasado|le mois dernier|no mes passado)\b/,
    (y, m) => inMonth(y, m - 1, 1),
  ],
  [
    /\b(?:last year|letztes jahr|el ano pasado|l'annee derniere|no ano passado)\b/,
    (y) => inMonth(y - 1, 0, 12),
  ],
  [
    /\b(?:(?:at|in) the (?:beginning|start) of (?:the|this) year|early this year|(?:am anfang|zu beginn|anfang) (?:des|dieses) jahres|a principios de(?:l| este)? ano|au debut de l'annee|no (?:inicio|comeco) do ano)\b/,
    (y) => inMonth(y, 0, 1),
  ],
];
/** Further spans in which something was said; of facts they rather name when these are true. */
const saidSpans = once((): typeof spans => [
  [/\b(?:today|heute|hoy|aujourd'hui|hoje)\b/, (y, m, d) => dayOf(y, m, d)],
  [
    /\b(?:this week|diese woche|esta semana|cette semaine)\b/,
    (y, m, d) => {
      const monday = d - ((new Date(Date.UTC(y, m, d)).getUTCDay() + 6) % 7);
      return { fromMs: Date.UTC(y, m, monday), toMs: Date.UTC(y, m, d + 1) - 1 };
    },
  ],
  [/\b(?:this month|diesen monat|este mes|ce mois(?:-ci)?)\b/, (y, m) => inMonth(y, m, 1)],
  [/\b(?:this year|dieses jahr|este ano|cette annee)\b/, (y) => inMonth(y, 0, 12)],
  ...weekdays().map((names, at): (typeof spans)[number] => [
    new RegExp(
      String.raw`(?<!\b(?:next|coming|every|each|nachsten|jeden|proximo|cada|chaque) )\b(?:(?:on|last|am|letzten|el|le|na|no)\s+){0,3}(?:${names})(?:\s+(?:pasad|dernier|passad)\p{L}*)?(?!\p{L})`,
      'u',
    ),
    (y, m, d) => dayOf(y, m, d - ((new Date(Date.UTC(y, m, d)).getUTCDay() + 6 - at) % 7) - 1),
  ]),
]);
/** From Sunday on, the names of each day in all languages. */
export const weekdays = once(() => {
  const formats = ['en', 'de', 'es', 'fr', 'pt'].map(
    (language) => new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }),
  );
  return [4, 5, 6, 7, 8, 9, 10].map((day) => {
    const names = formats.map((format) => plainText(format.format(dayMs * (day - 1))));
    return any(names).replaceAll('-feira', '(?:-feira)?');
  });
});
/** Each row is a number, from one on. */
const numbers = `
  a an one ein einem einer un una une um uma
  two zwei dos deux dois duas
  three drei tres trois
  four vier cuatro quatre quatro
  five funf cinco cinq
  six sechs seis
  seven sieben siete sept sete
  eight acht ocho huit oito
  nine neun nueve neuf nove
  ten zehn diez dix dez
  eleven elf once onze
  twelve zwolf doce douze doze`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/));
/** `three` is 3; an article counts nothing. */
export function countOf(word: string): number | undefined {
  const at = numbers.findIndex(([article = '', ...words], row) =>
    (row === 0 ? words.filter((each) => each === 'one') : [article]).includes(word.toLowerCase()),
  );
  return at < 0 ? undefined : at + 1;
}
/** `fünf` is `five`; an article counts nothing. */
export function numeralOf(word: string): string | undefined {
  return numbers.slice(1).find((row) => row.includes(plainText(word)))?.[0];
}
export const amount = String.raw`(\d{1,3}|${any(numbers.flat())})\s+(day|tag|dia|jour|week|woche|semaine|semana|month|monat|mois|mes|year|jahr|annee|ano|an)(?:s|e|es|n|en)?`;
/** "Three months ago", "vor drei Monaten". */
const ago = new RegExp(
  String.raw`(?<![\p{L}])(?:${amount}\s+(?:ago|atras)|(?:vor|hace|il y a|ha)\s+${amount})(?![\p{L}])`,
  'u',
);
/** Where a fact says from when on it holds. */
const since = new RegExp(
  String.raw`\b(?<word>from|since|as of|starting(?: on)?|effective|ab(?: dem)?|seit(?: dem)?|desde(?: el)?|a partir d[eo]l?|depuis(?: le)?|des(?: le)?|a partir du)\s+${date}`,
  'u',
);

/** Weeks begin on Monday. */
const current: readonly (readonly [RegExp, (y: number, m: number, d: number) => Span])[] = [
  [/\b(?:today|heute|hoy|aujourd'hui|hoje)\b/, dayOf],
  [
    /\b(?:this week|diese woche|esta semana|cette semaine)\b/,
    (...day) => weekFrom(Date.UTC(...day)),
  ],
  [/\b(?:this month|diesen monat|este mes|ce mois)\b/, (y, m) => inMonth(y, m, 1)],
  [/\b(?:this year|dieses jahr|este ano|cette annee)\b/, (y) => inMonth(y, 0, 12)],
];

/** A time that words name, and where they stand. */
type Then = { named: string; spanAt: (nowMs: number) => Span | undefined };

/**
 * The time that a question about the past names: "when were releases in March?". A day or month
 * without a year is the last one that has begun.
 *
 * @param isSaid it asks what was said then, so that "today" and "on Monday" are times, too
 */
export function readThen(text: string, nowMs: number, isSaid = false): Span | undefined {
  const span = findThen(plainText(text), isSaid)?.spanAt(nowMs);
  return span === undefined || span.fromMs > nowMs ? undefined : span;
}

/** The question without the time that it names, which no fact has among its words. */
export function withoutThen(text: string, isSaid = false): string {
  const plain = plainText(text);
  const named = findThen(plain, isSaid)?.named;
  // accents that were taken off would move what is cut
  if (named === undefined || plain.length !== text.length) return text;
  const at = plain.indexOf(named);
  return `${text.slice(0, at)}${text.slice(at + named.length)}`.replace(/\s+/g, ' ').trim();
}

/** Also one that goes on: `this month`, `since June`, and a year alone. */
export function readPeriod(text: string, nowMs: number): Span | undefined {
  const plain = plainText(text);
  for (const [words, of] of current) if (words.test(plain)) return of(...today(nowMs));
  const said = findBetween(plain) ?? findDate(plain);
  const then = said === undefined ? boundedIn(plain, nowMs) : readThen(text, nowMs);
  if (then !== undefined) return then;
  if (since.test(plain)) {
    const fromMs = readHolds(text, nowMs);
    return fromMs === undefined ? undefined : { fromMs, toMs: nowMs };
  }
  const alone = yearAlone.exec(plain)?.[0];
  return alone === undefined ? undefined : inMonth(Number(alone), 0, 12);
}

/** A time that is counted from now; undefined where it is one of two ends. */
function findCounted(plain: string): (Then & { ahead: string }) | undefined {
  const found = findAgo(plain) ?? findSpan(plain, spans) ?? findSpan(plain, saidSpans());
  if (found === undefined) return undefined;
  const ahead = plain.slice(0, plain.indexOf(found.named));
  return oneOfTwo.test(ahead) ? undefined : { ...found, ahead };
}

/** A span that is counted from now, or what lies before or behind it: `since yesterday`. */
function boundedIn(plain: string, nowMs: number): Span | undefined {
  const { spanAt, ahead = '' } = findCounted(plain) ?? {};
  const span = spanAt?.(nowMs);
  if (span === undefined || span.fromMs > nowMs) return undefined;
  if (goesOn.test(ahead)) return { fromMs: span.fromMs, toMs: nowMs };
  return endsBefore.test(ahead) ? { fromMs: 0, toMs: span.fromMs - 1 } : span;
}

const oneOfTwo =
  /\b(?:between|zwischen|entre)\s+(?:the\s+)?$|\b(?:between|from)\b.*\b(?:and|to|until)\s+$/;
const goesOn = /\b(?:since|from|seit|ab|desde|depuis)\s+(?:the\s+)?$/;
const endsBefore = new RegExp(String.raw`\b(?:${before})\s+(?:the\s+)?$`);

/** The words of a period, as they are written in a text. */
export function periodIn(text: string): string | undefined {
  const plain = plainText(text);
  const { named } = findBetween(plain) ?? findDate(plain) ?? findCounted(plain) ?? {};
  const found = named ?? since.exec(plain)?.[0] ?? recent.exec(plain)?.[0];
  return found === undefined ? yearAlone.exec(text)?.[0] : writtenIn(text, found);
}

/** The text without its period and the word before it that makes a bound of it. */
export function withoutPeriod(text: string, by = ' '): string {
  const said = periodIn(text);
  if (said === undefined) return text;
  const [ahead = '', ...behind] = text.split(said);
  return `${ahead.replace(bound, '')}${by}${behind.join(said)}`.replace(/ {2,}/g, ' ');
}

/**
 * A question once more, of another time.
 *
 * @param said the time, with or without `in`
 * @returns undefined where it says more than a time
 */
export function atOtherTime(question: string, said: string): string | undefined {
  const isWhole = (text: string): boolean =>
    [periodIn(text), ...unreadTimesIn(text)].some((time) => time?.length === text.length);
  const time = [said.trim(), `in ${said.trim()}`].find(isWhole);
  if (time === undefined) return undefined;
  const own = periodIn(question) ?? unreadTimesIn(question)[0];
  return own === undefined
    ? question.replace(/\s*[?.!]*$/, (end) => ` ${time}${end}`)
    : question.replace(own, time);
}

const bound = new RegExp(
  String.raw`\b(?:since|from|seit|desde|depuis|${before})\s+(?:the\s+)?$`,
  'iu',
);

/** Forms of times of which none, or another, was read: `next week`, `week 23`, `6/1/2026`. */
const unit = 'hour|day|week|weekend|fortnight|month|quarter|year';
/** The same in German, Spanish, French and Portuguese. */
const unreadElsewhere = [
  '(?:letzt|vergangen|vorig|nachst|kommend|erst|zweit)e[mnrs]? (?:woche|wochenende|monat|quartal|halbjahr|jahr)s?',
  '(?:proxim[oa]|pasad[oa]|ultim[oa]|primer) (?:semana|mes|trimestre|semestre|ano)',
  '(?:semana|mes|trimestre|semestre|ano) (?:que viene|proxim[oa]|pasad[oa]|passad[oa])',
  '(?:dernier|prochaine?|premier) (?:semaine|mois|trimestre|semestre)|(?:semaine|mois|annee) prochaine?',
].join('|');
const timeForm = once(
  () =>
    String.raw`(?:(?:next|coming|previous|past|last|this) (?:\d+ )?(?:${unit})s?|${unreadElsewhere}|(?:(?:next|coming|last|this) )?(?:${weekdays().join('|')})|(?:this |yesterday |tomorrow )?(?:morning|afternoon|evening|noon|midnight|tonight|tomorrow|yesterday|today)|(?:early|late|mid[- ]?|(?:beginning|start|middle|end) of) ?(?:${any(months)})|(?<=\b(?:of|by|to) )(?:${any(months)})|(?:week|kw) \d{1,2}|\d{4}-\d\d-\d\d|(?<=\b(?:in|since|until|before|after|between|from|to|and) )\d{4}-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d\d){1,2}|\d{1,2}:\d\d)`,
);
const unreadTime = once(
  () =>
    new RegExp(
      String.raw`(?<![\p{L}\p{N}./:_-])(?:(?:between|from|since|until|till|before|after|on|in|by|at|of|over|during)\s+)?(?:the\s+)?${timeForm()}(?:\s+(?:and|to|until|till)\s+${timeForm()})?(?![\p{L}\p{N}_/-]|\.\w)`,
      'gu',
    ),
);

/** Times in a text, as they are written there, of which the period that was read says nothing. */
export function unreadTimesIn(text: string): string[] {
  const plain = plainText(text);
  const read = periodIn(text);
  const rest =
    read === undefined ? plain : plain.replace(plainText(read), (all) => '_'.repeat(all.length));
  return [...rest.matchAll(unreadTime())].map(([named]) => writtenIn(text, named));
}

/** The words of a text that stand where its plain form has these. */
function writtenIn(text: string, named: string): string {
  const plain = plainText(text);
  if (plain.length !== text.length) return named.trim();
  const at = plain.indexOf(named);
  return text.slice(at, at + named.length).trim();
}

const yearAlone = /(?<![\p{L}\p{N}._/#-])(?:19|20)\d\d(?![\p{L}\p{N}_/-]|\.\d)/u;

/** Counted back from now. */
const recent =
  /\b(?:(?:in|within|during) )?(?:the )?(?:last|past) (?:\d{1,3} )?(?:hour|day|week|month|year)s?\b(?! of\b)|\btoday\b|\bthis (?:week|month|year)\b/;

/** The words for a time in a text, as they are written there. */
export function timeIn(text: string): string | undefined {
  const plain = plainText(text);
  const named = findThen(plain, false)?.named ?? since.exec(plain)?.[0] ?? recent.exec(plain)?.[0];
  return named === undefined ? undefined : writtenIn(text, named);
}

function findThen(plain: string, isSaid: boolean): Then | undefined {
  const found = findBetween(plain) ?? findAgo(plain) ?? findDate(plain) ?? findSpan(plain, spans);
  return found ?? (isSaid ? findSpan(plain, saidSpans()) : undefined);
}

function findDate(plain: string): Then | undefined {
  const found = then.exec(plain) ?? year.exec(plain);
  const { groups } = found ?? {};
  if (found === null || groups === undefined) return undefined;
  const spanAt = (nowMs: number): Span | undefined => {
    const named = spanOf(
      groups,
      ({ fromMs, toMs }) => (groups.last ? toMs : fromMs) <= nowMs,
      nowMs,
    );
    if (named === undefined) return undefined;
    const span = groups.week === undefined ? named : weekFrom(named.fromMs);
    if (groups.before !== undefined) return { fromMs: 0, toMs: span.fromMs - 1 };
    return groups.after === undefined ? span : { fromMs: span.toMs + 1, toMs: nowMs };
  };
  return { named: found[0], spanAt };
}

function findBetween(plain: string): Then | undefined {
  const { word = '', one = '', and = '', other = '' } = between.exec(plain)?.groups ?? {};
  const [first, last] = [dateFirst.exec(one), dateFirst.exec(other)];
  if (first?.groups === undefined || last?.groups === undefined) return undefined;
  const [from, to] = [first.groups, last.groups];
  const spanAt = (nowMs: number): Span | undefined => {
    const end = spanOf(to, ({ fromMs }) => fromMs <= nowMs, nowMs);
    const start = end && spanOf(from, ({ fromMs }) => fromMs <= end.fromMs, end.fromMs);
    return start && { fromMs: start.fromMs, toMs: end.toMs };
  };
  return { named: `${word}${one}${and}${last[0]}`, spanAt };
}

function findAgo(plain: string): Then | undefined {
  const found = ago.exec(plain);
  if (found === null) return undefined;
  const [many = '', of = ''] = found.slice(1).filter((part) => part !== undefined);
  const span = spanAway(many, of, -1);
  return { named: found[0], spanAt: (nowMs) => span(...today(nowMs)) };
}

/** @param sign 1 for what is ahead, -1 for what is past */
export function spanAway(many: string, of: string, sign: 1 | -1): SpanOf {
  const number = /\d/.test(many)
    ? Number(many)
    : numbers.findIndex((row) => row.includes(many)) + 1;
  const count = sign * number;
  return (y, m, d) => {
    if (/^(?:y|ja|an)/.test(of)) return dayOf(y + count, m, d);
    if (/^mo?[ein]/.test(of)) return dayOf(y, m + count, d);
    return dayOf(y, m, d + count * (/^(?:w|s)/.test(of) ? 7 : 1));
  };
}

function findSpan(plain: string, among: typeof spans): Then | undefined {
  for (const [words, of] of among) {
    const named = words.exec(plain)?.[0];
    if (named !== undefined) return { named, spanAt: (nowMs) => of(...today(nowMs)) };
  }
  return undefined;
}

/** From when on a fact holds, where it says so; of a day without a year the nearest. */
export function readHolds(text: string, nowMs: number): number | undefined {
  const { groups } = since.exec(plainText(text)) ?? {};
  if (groups === undefined) return undefined;
  const aheadMs = /^(?:since|seit|desde|depuis)/.test(groups.word ?? '') ? 0 : 183 * dayMs;
  return spanOf(groups, (span) => span.fromMs - nowMs < aheadMs, nowMs)?.fromMs;
}

/** @param isMeant of the same day of several years, the latest that it holds of */
function spanOf(
  { iso, day, month, season, quarter, ofYear }: Readonly<Record<string, string | undefined>>,
  isMeant: (span: Span) => boolean,
  nowMs: number,
): Span | undefined {
  if (iso !== undefined) {
    const [y = 0, m = 0, d] = iso.split('-').map(Number);
    return d === undefined ? inMonth(y, m - 1, 1) : dayOf(y, m - 1, d);
  }
  const inYear = (number: number): Span => {
    if (season !== undefined) return inMonth(number, 2 + 3 * (seasons.indexOf(season) % 4), 3);
    if (quarter !== undefined) return inMonth(number, 3 * (quarters.indexOf(quarter) % 4), 3);
    if (month === undefined) return inMonth(number, 0, 12);
    const at = months.indexOf(month) % 12;
    return day === undefined ? inMonth(number, at, 1) : dayOf(number, at, Number(day));
  };
  if (ofYear !== undefined) return inYear(Number(ofYear));
  const now = new Date(nowMs).getUTCFullYear();
  return [now + 1, now, now - 1].map(inYear).find(isMeant);
}

export function inMonth(ofYear: number, first: number, count: number): Span {
  return { fromMs: Date.UTC(ofYear, first, 1), toMs: Date.UTC(ofYear, first + count, 1) - 1 };
}

export function spanOfDays(first: Parameters<SpanOf>, last = first): Span {
  return { fromMs: Date.UTC(...first), toMs: Date.UTC(...last) + dayMs - 1 };
}

function weekFrom(atMs: number): Span {
  const [y, m, d] = today(atMs);
  const monday = d - ((new Date(atMs).getUTCDay() + 6) % 7);
  return spanOfDays([y, m, monday], [y, m, monday + 6]);
}

function dayOf(inYear: number, inMonth: number, day: number): Span {
  return spanOfDays([inYear, inMonth, day]);
}

function today(nowMs: number): [year: number, month: number, day: number] {
  const now = new Date(nowMs);
  return [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
}

export function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{L}/gu, (letter) => letter.normalize('NFKD')[0] ?? letter)
    .toLowerCase();
}
