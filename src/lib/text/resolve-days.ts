import { once } from '../memo.ts';
import { datedPart } from './amounts.ts';
import {
  amount,
  inMonth,
  plainText,
  type SpanOf,
  spanAway,
  spanOfDays,
  weekdays,
} from './read-time.ts';

type Day = readonly [RegExp, (found: readonly string[]) => SpanOf];

/** Days and weeks as words count them from today; "next Tuesday" is the first behind today. */
const days = once((): Day[] => {
  const away = (words: RegExp, count: number): Day => [
    words,
    () => (y, m, d) => spanOfDays([y, m, d + count]),
  ];
  const next = 'next|nachste[nrms]?|kommende[nrms]?|proxim[oa]';
  const behind = 'que viene|que vem|prochaine?';
  const following = (names: string): RegExp =>
    new RegExp(
      String.raw`\b(?:(?:${next})\s+(?:${names})|(?:${names})\s+(?:${behind}))(?!\p{L})`,
      'u',
    );
  return [
    away(/\b(?:day after tomorrow|ubermorgen|pasado manana|apres-demain|depois de amanha)\b/, 2),
    away(/\b(?:tomorrow|demain|amanha)\b|(?<!\b(?:la|am|jeden|guten) )\b(?:manana|morgen)\b/, 1),
    away(/\b(?:today|tonight|heute|hoy|aujourd'hui|hoje)\b/, 0),
    away(/\b(?:yesterday|last night|gestern|ayer|ontem)\b/, -1),
    away(/\b(?:day before yesterday|vorgestern|anteayer|avant-hier|anteontem)\b/, -2),
    ...weekdays().map(
      (names, at): Day => [
        new RegExp(
          String.raw`${following(names).source}|\b(?:this|coming|diese[nrms]?|este|esta|ce)\s+(?:${names})(?!\p{L})`,
          'u',
        ),
        () => (y, m, d) => spanOfDays([y, m, d + 1 + ((at + 6 - dayOfWeek(y, m, d)) % 7)]),
      ],
    ),
    [
      following('week|woche|semana|semaine'),
      () => (y, m, d) => {
        const monday = d + 7 - ((dayOfWeek(y, m, d) + 6) % 7);
        return spanOfDays([y, m, monday], [y, m, monday + 6]);
      },
    ],
    [following('month|monat|mes|mois'), () => (y, m) => inMonth(y, m + 1, 1)],
    [
      new RegExp(String.raw`(?<!\p{L})(?:in|dans|dentro de|daqui a)\s+${amount}(?!\p{L})`, 'u'),
      ([, many = '', of = '']) => spanAway(many, of, 1),
    ],
  ];
});

function dayOfWeek(y: number, m: number, d: number): number {
  return new Date(Date.UTC(y, m, d)).getUTCDay();
}

/**
 * A fact with the date behind each day that it counts from today: "next Tuesday" says nothing four
 * weeks later.
 */
export function resolveDays(text: string, nowMs: number): string {
  const plain = plainText(text);
  // accents that were taken off would move the place
  if (plain.length !== text.length || text.search(datedPart) >= 0) return text;
  const now = new Date(nowMs);
  const found = days().flatMap(([words, of]) => {
    const match = words.exec(plain);
    if (match === null) return [];
    const span = of(match)(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
    return [{ start: match.index, end: match.index + match[0].length, span }];
  });
  return found
    .filter((one) => !found.some((other) => other !== one && contains(other, one)))
    .sort((one, other) => other.end - one.end)
    .reduce((all, { end, span: { fromMs, toMs } }) => {
      const dates = [
        ...new Set([fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 10))),
      ];
      return `${all.slice(0, end)} (${dates.join(' to ')})${all.slice(end)}`;
    }, text);
}

type Place = { start: number; end: number };

/** "Tomorrow" stands in "the day after tomorrow". */
function contains(outer: Place, inner: Place): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}
