import fc from 'fast-check';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { words } from './search-trees.ts';

export type TreeName = 'project' | 'encodings' | 'random';

/** One search, for `search.grep` and for ripgrep. */
export type Query = {
  tree: TreeName;
  input: JsonObject;
  /** folder that ripgrep is started in, and what both look at in it */
  folder: string;
  /** what to look for; and in which files, without globs */
  pattern: string[];
  files: string[];
  globs: string[];
};

const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('retry', 'limit', 'error', 'value', 'con') },
  { weight: 1, arbitrary: fc.constantFrom(...words) },
);
const odd = fc.constantFrom(
  ...[
    'Größe',
    'é',
    'повтор',
    'σ',
    '再試行',
    '💡',
    'cafe\u0301',
    'straße',
    'İ',
    'ı',
    '\t',
    '"',
    "'",
  ],
  ...['\u2028', '\u00a0', '\u001b', '👩', 'ſ'],
);

/** Texts with what means something in an expression. */
const literal = fc.oneof(
  word,
  fc
    .tuple(
      word,
      fc.constantFrom(' ', '(', ')', '.', '*', '[', '{', '\\', '$', '^', '|', '+', '?'),
      word,
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('retry(', '.ts', '= 5;', "'limit'", '{limit}', '[odd]', '# ', '- ', '()', ' = '),
);

const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{1,3}', '{2}', '+?', '*?');

/**
 * What V8 and Rust's engine read alike, whatever the text is: literals, classes of letters,
 * repetition, alternatives, groups and the ends of a line. Left out is what differs by design:
 * `\w \d \s \b` know ASCII in ECMAScript and Unicode in Rust, `.` and `[^…]` take a byte that is no
 * UTF-8 (U+FFFD here) and U+2028 or not, and ripgrep 13 shows the `\r` of a Windows line to them.
 * V8 tries again where Rust's engine never does: no line here is so long that it shows.
 */
const plainAtom = fc.oneof(
  word,
  fc.constantFrom(
    '[a-z]',
    '[A-Z]',
    '[0-9]',
    '[Rr]',
    '[a-zA-Z_]',
    '[xyz ]',
    'e',
    'r',
    't',
    ' ',
    '\\.',
    '\\(',
    '\\{',
  ),
);

/** And those, where every byte is ASCII and every line ends with LF. */
const asciiAtom = fc.oneof(
  plainAtom,
  fc.constantFrom(
    '.',
    '\\w',
    '\\d',
    '\\s',
    '\\S',
    '\\W',
    '[^a-z]',
    '[^ ]',
    '[\\w.]',
    '\\b',
    '\\B',
    '\\t',
  ),
);

function expressionOf(atom: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const repeated = fc
    .tuple(atom, quantifier)
    .map(([text, times]) =>
      times === '' || /^\\[bB]$/.test(text)
        ? text
        : text.length > 1 && !/^[[\\]/.test(text)
          ? `(?:${text})${times}`
          : text + times,
    );
  const sequence = fc
    .array(repeated, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(''));
  const group = fc
    .tuple(
      fc.constantFrom('(', '(?:'),
      fc.array(sequence, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '?', '+'),
    )
    .map(([open, parts, times]) => `${open}${parts.join('|')})${times}`);
  const part = fc.oneof({ weight: 3, arbitrary: sequence }, { weight: 1, arbitrary: group });
  return fc
    .tuple(
      fc.constantFrom('', '', '^'),
      fc.array(part, { minLength: 1, maxLength: 1 }),
      fc.constantFrom('', '', '$'),
      fc.option(word),
    )
    .map(
      ([start, parts, end, or]) => `${start}${parts.join('')}${end}${or === null ? '' : `|${or}`}`,
    );
}

/**
 * Ripgrep's globs are overrides, where the last one that matches decides and brings back what is
 * ignored; here they narrow, and a folder that one names stands for all in it. So: what leaves out
 * comes last, and none that keeps names a folder.
 */
const globs = fc.option(
  fc
    .tuple(
      fc.uniqueArray(
        fc.constantFrom(
          ...['*.ts', '*.{ts,js,txt}', 'src/**', '**/lib/**', '*.md', '*.txt', '[a-c]*.*'],
          ...['**/*.py', 'docs/*.*', '?.ts', '*.log'],
        ),
        { maxLength: 2 },
      ),
      fc.uniqueArray(
        fc.constantFrom('!*.md', '!src', '!docs/**', '!**/x1*', '!/lib', '!*.{go,py}'),
        {
          maxLength: 1,
        },
      ),
    )
    .map((parts) => parts.flat())
    .filter((parts) => parts.length > 0),
  { nil: undefined, freq: 3 },
);

/** @param numRuns how many; a third of them for each tree */
export function searchQueries(seed: number, numRuns: number): Query[] {
  const query = (tree: TreeName) =>
    fc.record({
      tree: fc.constant(tree),
      what: fc.oneof(
        {
          weight: 1,
          arbitrary: (tree === 'encodings' ? fc.oneof(literal, odd) : literal).map((pattern) => ({
            pattern,
            literal: true,
          })),
        },
        {
          weight: 2,
          arbitrary: expressionOf(tree === 'encodings' ? plainAtom : asciiAtom).map((pattern) => ({
            pattern,
            literal: false,
          })),
        },
      ),
      caseInsensitive: fc.boolean(),
      hidden: fc.boolean(),
      globs,
      path: tree === 'encodings' ? fc.constant('.') : fc.constantFrom('.', '.', '.', 'src', 'docs'),
    });
  const each = (tree: TreeName, at: number) =>
    fc.sample(query(tree), { seed: seed + at, numRuns: Math.ceil((numRuns - at) / 3) });
  return (['project', 'encodings', 'random'] as const).flatMap(each).map(queryOf);
}

type Drawn = {
  tree: TreeName;
  what: { pattern: string; literal: boolean };
  caseInsensitive: boolean;
  hidden: boolean;
  globs: string[] | undefined;
  path: string;
};

function queryOf({ tree, what, caseInsensitive, hidden, globs, path }: Drawn): Query {
  return {
    tree,
    folder: path,
    input: {
      ...what,
      ...{ caseInsensitive, hidden, path, limit: 10_000 },
      ...(globs === undefined ? {} : { globs }),
    },
    pattern: [
      ...(what.literal ? ['--fixed-strings'] : []),
      ...(caseInsensitive ? ['--ignore-case'] : ['--case-sensitive']),
      ...['-e', what.pattern],
    ],
    // Neither looks into the repository itself.
    files: hidden ? ['--hidden', '--glob', '!.git'] : [],
    globs: (globs ?? []).flatMap((glob) => ['--glob', glob]),
  };
}
