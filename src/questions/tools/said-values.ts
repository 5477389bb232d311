import { countOf } from '../../lib/text/read-time.ts';

/** A number of a text, with the word that it counts. */
type SaidNumber = { value: number; unit: string; before: string };

/**
 * The numbers of a text in digits or in words, in order: `36 months`, `5kg`, `three times`. What is
 * part of a date, a version or a path is none.
 */
export function numbersIn(text: string, paths: readonly string[]): SaidNumber[] {
  const beside = paths.reduce((rest, path) => rest.replaceAll(path, ' '), text);
  const words = beside
    .split(/[\s;()"'“”?!]+/)
    .map((word) => word.replace(/[.,:]+$/, ''))
    .filter((word) => word !== '');
  return words.flatMap((word, at) => {
    const [, digits, joined = ''] = /^(-?\d+(?:\.\d+)?)(\p{L}*|%)$/u.exec(word) ?? [];
    const value = digits === undefined ? countOf(word) : Number(digits);
    if (value === undefined) return [];
    return [
      { value, unit: joined === '' ? (words[at + 1] ?? '') : joined, before: words[at - 1] ?? '' },
    ];
  });
}

/**
 * One number for each field: the one that counts what the field is called after, in full or as it is
 * abbreviated (`21 km` for `kilometres`); what is left in order, where there is one for each.
 */
export function numbersFor(
  fields: readonly string[],
  said: readonly SaidNumber[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const left = [...said];
  for (const isNamed of [isCalled, isShortFor])
    for (const field of fields) {
      const at = left.findIndex(({ unit, before }) =>
        wordsOf(field).some((name) => isNamed(unit, name) || isNamed(before, name)),
      );
      if (found.has(field) || at < 0) continue;
      found.set(field, (left.splice(at, 1)[0] as SaidNumber).value);
    }
  const others = fields.filter((field) => !found.has(field));
  if (others.length === left.length)
    for (const [at, field] of others.entries()) found.set(field, (left[at] as SaidNumber).value);
  return found;
}

/** `interestRate` is called after both of its words. */
function wordsOf(field: string): string[] {
  return field
    .split(/[^A-Za-z]+|(?=[A-Z])/)
    .filter((word) => word.length > 1)
    .map((word) => word.toLowerCase());
}

function isCalled(said: string, name: string): boolean {
  return said.toLowerCase().replace(/s$/, '') === name.replace(/s$/, '');
}

const longestShort = 3;

/** `km`, `min`, `kg`: its first letter, and others in their order. */
function isShortFor(said: string, name: string): boolean {
  const short = said.toLowerCase();
  if (!/^[a-z]+$/.test(short) || short.length > longestShort) return false;
  return new RegExp(`^${short.split('').join('.*')}`).test(name);
}

/**
 * One choice for each field whose choices are the same: the one behind the name of the field (`to
 * miles`); then, in order, what is counted first (`5 pounds`), and the others as they stand.
 */
export function choicesFor(
  fields: readonly string[],
  choices: readonly string[],
  text: string,
): ReadonlyMap<string, string> {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}.%°-]+/gu, ' ')} `;
  const placed = choices
    .flatMap((choice) => {
      const word = choice.toLowerCase();
      const at = [` ${word} `, ` ${word}s `, ` ${word}. `]
        .map((each) => plain.indexOf(each))
        .find((each) => each >= 0);
      return at === undefined ? [] : [{ choice, at, before: plain.slice(0, at) }];
    })
    .toSorted((one, other) => one.at - other.at);
  const found = new Map<string, string>();
  for (const field of fields) {
    const named = placed.find(({ before }) => before.endsWith(` ${field.toLowerCase()}`));
    if (named === undefined) continue;
    found.set(field, named.choice);
    placed.splice(placed.indexOf(named), 1);
  }
  const counted = placed.filter(
    ({ before }) => /\s(?:\S*\d|\p{L}+)$/u.test(before) && isCounted(before),
  );
  const left = [...counted, ...placed.filter((each) => !counted.includes(each))];
  for (const field of fields.filter((each) => !found.has(each))) {
    const next = left.shift();
    if (next !== undefined) found.set(field, next.choice);
  }
  return found;
}

function isCounted(before: string): boolean {
  const word = before.split(' ').at(-1) ?? '';
  return /^-?\d/.test(word) || countOf(word) !== undefined;
}
