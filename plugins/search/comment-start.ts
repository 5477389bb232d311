type Syntax = {
  /** begins a comment that ends with its line */
  line: readonly string[];
  /** begin and end of a comment over lines */
  block: readonly (readonly [string, string])[];
  quotes: readonly string[];
};

const cLike: Syntax = { line: ['//'], block: [['/*', '*/']], quotes: ['"', "'", '`'] };
const hash: Syntax = { line: ['#'], block: [], quotes: ['"', "'"] };
const python: Syntax = { line: ['#'], block: [], quotes: ['"""', "'''", '"', "'"] };
const markup: Syntax = { line: [], block: [['<!--', '-->']], quotes: [] };
const lisp: Syntax = { line: [';'], block: [], quotes: ['"'] };
const sql: Syntax = { line: ['--'], block: [['/*', '*/']], quotes: ["'", '"'] };
const lua: Syntax = { line: ['--'], block: [['--[[', ']]']], quotes: ['"', "'"] };
const haskell: Syntax = { line: ['--'], block: [['{-', '-}']], quotes: ['"'] };
const percent: Syntax = { line: ['%'], block: [], quotes: [] };
const php: Syntax = { line: ['//', '#'], block: [['/*', '*/']], quotes: ['"', "'"] };
const css: Syntax = { line: ['//'], block: [['/*', '*/']], quotes: ['"', "'"] };
/** `'a` is a lifetime there and a label elsewhere, so one quote opens no string. */
const rust: Syntax = { line: ['//'], block: [['/*', '*/']], quotes: ['"'] };

const byEnding: Readonly<Record<string, Syntax>> = Object.fromEntries(
  (
    [
      [
        'js jsx mjs cjs ts tsx mts cts go java kt kts scala swift c h cc cpp cxx hpp hh m mm cs dart groovy gradle proto zig d v sol wit jsonc json5 graphql',
        cLike,
      ],
      ['rs', rust],
      ['py pyi pyx pxd pxi', python],
      [
        'sh bash zsh fish rb pl pm r toml yaml yml conf cfg ini mk cmake tf ex exs nim jl ps1 dockerfile makefile gemfile rakefile',
        hash,
      ],
      ['html htm xml svg md mdx markdown', markup],
      [
        'vue svelte',
        {
          line: ['//'],
          block: [
            ['<!--', '-->'],
            ['/*', '*/'],
          ],
          quotes: ['"', "'", '`'],
        },
      ],
      ['el lisp clj cljs cljc scm rkt asm s', lisp],
      ['sql', sql],
      ['lua', lua],
      ['hs elm purs', haskell],
      ['tex erl hrl', percent],
      ['php', php],
      ['css scss sass less', css],
    ] as [string, Syntax][]
  ).flatMap(([endings, syntax]) => endings.split(' ').map((ending) => [ending, syntax])),
);

/** Where a file's kind is not known, each of these may begin a comment. */
const unknown: Syntax = {
  line: ['//', '#', ';', '--'],
  block: [
    ['/*', '*/'],
    ['<!--', '-->'],
  ],
  quotes: ['"', "'", '`'],
};

export function syntaxOf(path: string): Syntax {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return byEnding[name.slice(name.lastIndexOf('.') + 1)] ?? unknown;
}

/**
 * Where the comment begins that holds column `at` of a line, or -1: in a string, in code.
 *
 * A line is judged alone. One that starts like the inside of a block (` * text`) is taken
 * as a comment; a text over several lines is not followed.
 *
 * @param at from 0
 */
export function commentStart(line: string, at: number, syntax: Syntax): number {
  const margin = line.length - line.trimStart().length;
  const blocks = syntax.block.length > 0;
  if (blocks && syntax.block[0]?.[0] === '/*' && /^\s*\*(?!\/)/.test(line)) return margin;
  let position = 0;
  while (position <= at && position < line.length) {
    const begin = syntax.line.find((mark) => isLineComment(line, position, mark));
    if (begin !== undefined) return position;
    const block = syntax.block.find(([mark]) => line.startsWith(mark, position));
    if (block !== undefined) {
      const end = line.indexOf(block[1], position + block[0].length);
      if (end < 0 || end > at) return position;
      position = end + block[1].length;
      continue;
    }
    const quote = syntax.quotes.find((mark) => line.startsWith(mark, position));
    if (quote === undefined) position += 1;
    else {
      position = afterString(line, position + quote.length, quote);
      if (position > at) return -1;
    }
  }
  return -1;
}

/** `#` and `--` only at a word's begin: `$#`, `a#b`, `i--` and `://` are code. */
function isLineComment(line: string, position: number, mark: string): boolean {
  if (!line.startsWith(mark, position)) return false;
  const before = position === 0 ? ' ' : (line[position - 1] as string);
  if (mark === '//') return before !== ':';
  return mark === ';' || mark === '%' ? before !== '\\' : /\s/.test(before);
}

/** An open string ends with its line, but an apostrophe in a text opens none. */
function afterString(line: string, from: number, quote: string): number {
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line.startsWith(quote, at)) return at + quote.length;
  }
  return quote === "'" ? from : line.length;
}
