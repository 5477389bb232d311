/** A span of time that words name, ms since the Unix epoch, in UTC; `toMs` is its last. */
export type Span = { fromMs: number; toMs: number };

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
const month = `(${[...new Set(months)].join('|')})`;

const date = String.raw`(?:(\d{4})-(\d\d)-(\d\d)|(?:(\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+|de\s+)?)?${month}(?:\s+(?:de\s+)?(\d{4}))?)`;
/** Where a question about then names a time. */
const then = new RegExp(
  String.raw`\b(?:in|on|during|at|before|im|am|vor|en|el|le|em|no|antes de|avant)\s+(?:(?:the|den|dem|el|le|o)\s+)?${date}\b`,
);
const year = /\b(?:in|im jahr|en|em)\s+((?:19|20)\d\d)\b/;
const spans: readonly (readonly [RegExp, number, number])[] = [
  [/\b(?:yesterday|gestern|ayer|hier|ontem)\b/, 1, 1],
  [/\b(?:last week|letzte woche|la semana pasada|la semaine derniere|na semana passada)\b/, 7, 7],
  [/\b(?:last month|letzten monat|el mes pasado|le mois dernier|no mes passado)\b/, 31, 30],
  [/\b(?:last year|letztes jahr|el ano pasado|l'annee derniere|no ano passado)\b/, 366, 365],
];
/** Where a fact says from when on it holds. */
const since = new RegExp(
  String.raw`\b(from|since|as of|starting(?: on)?|effective|ab(?: dem)?|seit(?: dem)?|desde(?: el)?|a partir d[eo]l?|depuis(?: le)?|des(?: le)?|a partir du)\s+${date}\b`,
);

/**
 * The time that a question about the past names: "when were releases in March?". Of a day or month
 * without a year the last one that has begun.
 */
export function readThen(text: string, nowMs: number): Span | undefined {
  const plain = plainText(text);
  const named = then.exec(plain);
  if (named !== null) return spanOf(named.slice(1), (span) => span.fromMs <= nowMs, nowMs);
  const [, ofYear] = year.exec(plain) ?? [];
  if (ofYear !== undefined) {
    const fromMs = Date.UTC(Number(ofYear), 0, 1);
    return fromMs > nowMs ? undefined : { fromMs, toMs: Date.UTC(Number(ofYear) + 1, 0, 1) - 1 };
  }
  const span = spans.find(([words]) => words.test(plain));
  if (span === undefined) return undefined;
  const [, back, long] = span;
  const fromMs = startOfDay(nowMs) - back * dayMs;
  return { fromMs, toMs: fromMs + long * dayMs - 1 };
}

/** The question without the time that it names, which no fact has among its words. */
export function withoutThen(text: string): string {
  const plain = plainText(text);
  const [found] = then.exec(plain) ?? year.exec(plain) ?? [];
  const named = found ?? spans.map(([words]) => words.exec(plain)?.[0]).find(Boolean);
  // accents that were taken off would move what is cut
  if (named === undefined || plain.length !== text.length) return text;
  const at = plain.indexOf(named);
  return `${text.slice(0, at)}${text.slice(at + named.length)}`.replace(/\s+/g, ' ').trim();
}

/** From when on a fact holds, where it says so; of a day without a year the nearest. */
export function readHolds(text: string, nowMs: number): number | undefined {
  const [whole, word = '', ...named] = since.exec(plainText(text)) ?? [];
  if (whole === undefined) return undefined;
  const aheadMs = /^(?:since|seit|desde|depuis)/.test(word) ? 0 : 183 * dayMs;
  return spanOf(named, (span) => span.fromMs - nowMs < aheadMs, nowMs)?.fromMs;
}

/** "next week", "Monday", "tomorrow": not a date, but it says when something begins. */
const soon = String.raw`(?:(?:next|coming|this|nachsten?|kommenden?|dieser?|este|esta|proxim[oa]|prochaine?|ce|cette)\s+)*(?:week|month|year|quarter|sprint|spring|summer|autumn|fall|winter|tomorrow|today|\p{L}+day|woche|monat|jahr|morgen|heute|\p{L}+tag|semana|mes|ano|manana|hoy|lunes|martes|miercoles|jueves|viernes|sabado|domingo|semaine|mois|annee|demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|amanha|hoje|segunda|terca|quarta|quinta|sexta)(?:\s+que\s+viene|\s+prochaine?|\s+que\s+vem)?`;
const begins = new RegExp(
  String.raw`^(?:(?:from|since|as of|starting(?: on| from| in| with)?|beginning(?: on| in)?|effective|ab(?: dem| der)?|seit(?: dem)?|desde(?: el| la)?|a partir (?:de la |del |de |do |da |du )|depuis(?: le| la)?|des(?: le| la)?)\s*(?:(?:${date})|${soon})(?![\p{L}\d])(?:\s+(?:on|an|onwards?|forward))?[\s,]*)`,
  'u',
);

/** "From 1 June on …", "as of next week, …": the sentence says when it begins to hold. */
export function beginsAt(text: string): boolean {
  return begins.test(plainText(text));
}

/** A fact without the time from which on it holds, which is not a part of what it says. */
export function withoutHolds(text: string): string {
  const plain = plainText(text);
  const [found] = begins.exec(plain) ?? since.exec(plain) ?? [];
  if (found === undefined || plain.length !== text.length) return text;
  const at = plain.indexOf(found);
  const behind = text.slice(at + found.length).replace(/^\s+(?:on|an|onwards?)(?![\p{L}])/iu, '');
  return `${text.slice(0, at)}${behind}`.replace(/\s+/g, ' ').trim();
}

/** @param isMeant of the same day of several years, the latest that it holds of */
function spanOf(
  found: readonly (string | undefined)[],
  isMeant: (span: Span) => boolean,
  nowMs: number,
): Span | undefined {
  const [isoYear, isoMonth, isoDay, day, name = '', ofYear] = found;
  if (isoYear !== undefined) {
    return dayOf(Number(isoYear), Number(isoMonth) - 1, Number(isoDay));
  }
  const at = months.indexOf(name) % 12;
  const inYear = (number: number): Span =>
    day === undefined
      ? { fromMs: Date.UTC(number, at, 1), toMs: Date.UTC(number, at + 1, 1) - 1 }
      : dayOf(number, at, Number(day));
  if (ofYear !== undefined) return inYear(Number(ofYear));
  const now = new Date(nowMs).getUTCFullYear();
  return [now + 1, now, now - 1].map(inYear).find(isMeant);
}

function dayOf(inYear: number, inMonth: number, day: number): Span {
  const fromMs = Date.UTC(inYear, inMonth, day);
  return { fromMs, toMs: fromMs + dayMs - 1 };
}

function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

function plainText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{L}/gu, (letter) => letter.normalize('NFKD')[0] ?? letter)
    .toLowerCase();
}
