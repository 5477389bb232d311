import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { isSource, isSourceAt } from '../passages/path-factor.ts';

/** Lines that hold the name and are looked at. */
const maxLines = 5000;
/** An option is described over some lines. */
const around = 6;
const above = 3;
const maxText = 400;

export type FoundValue = { path: string; line: number; endLine: number; text: string };

/** A number, a text, a truth, or an address without quotes. */
const literal = String.raw`(?:-?\d[\w.]*|["'\x60][^"'\x60]{0,80}["'\x60]|true\b|false\b|True\b|False\b|None\b|null\b|nil\b)`;
/** `= 8080`, `: Int = 8080`, `, 8080`, `?? 8080`, `("PORT", 8080)`, `defaults to 8080`. */
const assigned = String.raw`\w*["'\x60]?[\])]?\s*(?::\s*[\w<>|?.&\[\] ]{1,40}?)?\s*(?:=(?!=)|:=?|\?\?|\|\||,|\bor\b|=>)\s*(?:\w+\()?`;
const isGiven = new RegExp(`^${assigned}${literal}`);
const isConstant = /^\w*["'\x60]?\s*(?::\s*[\w<>|?.&[\] ]{1,40}?)?\s*(?:=(?!=)|:)/;
const saysDefault = new RegExp(
  String.raw`\bdefault\w*["'\x60]?\s*(?:[=:(,]|is\b|to\b|are\b|value\b)+\s*(?:\w+\()?["'\x60(\[]*\s*${literal}|\bdefault\w*[^\n]{0,20}?["'\x60\s(:=]${literal}`,
  'i',
);
/** A place for a value, rather than one. */
const isEmpty = /^[^=:]*[=:]+\s*(?:null|nil|None|undefined)\b/;
const leastScore = 3;
/** What a word of the question is worth in the path, and on the line. */
const [inPath, onLine] = [3, 2];

/**
 * Where the value of a setting is given: lines that hold its name and a literal beside it, or a
 * default of the same option a few lines on.
 *
 * @param wish.names what it may be called, each of one or several words
 * @param wish.about words for what has it
 * @returns the likeliest first
 */
export function findValues(
  host: Pick<typeof fs, 'scan'>,
  wish: {
    names: readonly string[];
    about?: readonly string[] | undefined;
    place: string;
    limit: number;
  },
): { values: FoundValue[]; total: number } {
  const pattern = wish.names.map(spelled).join('|');
  const found = host.scan(wish.place, {
    pattern,
    before: above,
    after: around,
    limit: maxLines,
    walk: { exclude: ['*.lock', '*-lock.*', '*.sum', '*.min.*', '*.svg', '*.map'] },
  });
  const name = new RegExp(pattern, 'gu');
  const wanted = new RegExp(spelled(wish.names[0] ?? ''), 'u');
  const about = (wish.about ?? []).map((word) => new RegExp(spelled(word), 'u'));
  const nearness = ({ path, before, text }: Match): number => {
    if (!isSourceAt(path)) return 0;
    const lines = [...before, text].join('\n');
    return about.reduce(
      (sum, word) => sum + (word.test(path) ? inPath : 0) + (word.test(lines) ? onLine : 0),
      0,
    );
  };
  const scored = found.matches
    .map((match) => ({ match, ...rate(match, name) }))
    .filter(({ score }) => score >= leastScore)
    // The first of the names is what is meant; the others are what it may be a kind of.
    .map((each) => ({
      ...each,
      score: each.score + (wanted.test(each.match.text) ? 4 : 0) + nearness(each.match),
    }))
    .sort((one, other) => other.score - one.score);
  const seen = new Set<string>();
  const values = scored.flatMap(({ match, until }) => {
    const { path, line } = match;
    const near = Math.max(0, until - line);
    const isKnown = [-3, -2, -1, 0, 1, 2, 3].some((by) => seen.has(`${path}:${line + by}`));
    if (isKnown) return [];
    seen.add(`${path}:${line}`);
    const text = [match.text, ...match.after.slice(0, near)].join('\n').slice(0, maxText);
    return [{ path, line, endLine: line + near, text }];
  });
  return { values: values.slice(0, wish.limit), total: values.length };
}

type Match = ReturnType<typeof fs.scan>['matches'][number];

/** How surely a line tells the value, and the last line that does. */
function rate({ path, line, text, after }: Match, name: RegExp): { score: number; until: number } {
  const own = path.replace(/^\w+:/, '');
  const place = isSource(own) ? 1 : 0;
  const isDefault = /default/i.test(text);
  const given = [...text.matchAll(name)].some(({ index, 0: word }) =>
    isGiven.test(text.slice(index + word.length)),
  );
  const isOwn = [...text.matchAll(name)].some(({ index, 0: word }) =>
    isConstant.test(text.slice(index + word.length)),
  );
  if (given) {
    const own = (isDefault ? 2 : 0) + (isOwn ? 1 : 0) - (isEmpty.test(text) ? 1 : 0);
    return { score: 2 + place + own, until: line };
  }
  if (saysDefault.test(text)) return { score: 3 + place, until: line };
  // Lines of the same option: a blank line, a bracket or the next option ends it.
  const [head] = /^\W*[\w.]+\W?/.exec(text) ?? [text];
  const end = after.findIndex(
    (each) => /^\s*(?:[)\]}]+[,;]?\s*)?$/.test(each) || each.startsWith(head),
  );
  const below = end < 0 ? after : after.slice(0, end);
  const at = below.findIndex((each) => saysDefault.test(each));
  return at < 0 ? { score: 0, until: line } : { score: 3 + place, until: line + at + 1 };
}

/** `request timeout` as `request_timeout`, `requestTimeout`, `RequestTimeout` and `REQUEST-TIMEOUT`. */
function spelled(name: string): string {
  const words = name
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/)
    .map(escapePattern);
  const big = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const upper = words.map((word) => word.toUpperCase());
  const [first = ''] = words;
  return [
    `(?<![A-Za-z])${words.join('[ _.-]?')}s?(?![a-z])`,
    `(?<![A-Za-z])${[first, ...big.slice(1)].join('')}s?(?![a-z])`,
    `(?<![A-Z])${big.join('[ _-]?')}s?(?![a-z])`,
    `(?<![A-Z])${upper.join('[ _-]?')}S?(?![A-Z])`,
  ].join('|');
}
