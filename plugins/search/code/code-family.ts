/** How a language writes comments, texts and blocks; enough to tell code from everything else. */
export type CodeFamily = {
  /** begins a comment that ends with its line */
  line: readonly string[];
  /** begin and end of comments of several lines */
  block: readonly (readonly [open: string, close: string])[];
  /** quotes of texts that end with their line at the latest */
  quotes: string;
  /** quotes of texts over several lines, the longest first */
  long: readonly string[];
  /** what bounds a definition */
  blocks: 'braces' | 'indent';
  /** `${…}` in a text between backquotes is code */
  templates?: boolean;
  /** `/…/` can be a regular expression */
  regexes?: boolean;
  /** `'` also stands alone: lifetimes, apostrophes of numbers */
  loneQuote?: boolean;
};

const slashes = { line: ['//'], block: [['/*', '*/']] } as const;
const cLike: CodeFamily = { ...slashes, quotes: '"\'', long: [], blocks: 'braces' };
const hashes = { line: ['#'], block: [], quotes: '"\'' } as const;

const families: readonly (readonly [endings: string, CodeFamily])[] = [
  ['ts tsx mts cts js jsx mjs cjs', { ...cLike, templates: true, regexes: true }],
  ['java kt kts scala swift groovy', { ...cLike, long: ['"""'] }],
  ['rs c h cc cpp cxx hh hpp hxx cs dart zig proto wit m mm', { ...cLike, loneQuote: true }],
  ['go', { ...cLike, long: ['`'] }],
  ['php', { ...cLike, line: ['//', '#'] }],
  ['py pyi pyx pxd pxi ipynb', { ...hashes, long: ['"""', "'''"], blocks: 'indent' }],
  ['rb ex exs jl nim cr', { ...hashes, long: ['"""'], blocks: 'indent' }],
  ['sh bash zsh pl pm r', { ...hashes, long: [], blocks: 'braces' }],
  ['lua', { ...hashes, line: ['--'], block: [['--[[', ']]']], long: [], blocks: 'indent' }],
];

const byEnding: ReadonlyMap<string, CodeFamily> = new Map(
  families.flatMap(([endings, family]) => endings.split(' ').map((ending) => [ending, family])),
);

/** By the name of the file; undefined where it is not a language that is known here. */
export function codeFamily(path: string): CodeFamily | undefined {
  return byEnding.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}

/** Globs of the files whose code can be told from comments and texts. */
export const codeGlobs: readonly string[] = [`*.{${[...byEnding.keys()].join(',')}}`];
