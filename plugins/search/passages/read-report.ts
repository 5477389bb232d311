import { escapePattern } from '../escape-pattern.ts';
import { stopWords } from './stop-words.ts';

/** What a long text is about, from what says most to what says least. */
export type Report = {
  /** its words, those of the title first and behind them the ones that it repeats */
  text: string;
  /** names of code that it mentions */
  names: readonly string[];
  /** parts of paths that it mentions, the likeliest first: `sympy/core/add.py`, `sympy/core/add` */
  places: readonly string[];
  /** of those that a trace names with a line, 1-based */
  lines: ReadonlyMap<string, number>;
  /** functions that a trace says were called */
  called: readonly string[];
};

/** A text of so many characters, or one of several lines and so many, is not a question. */
const longLine = 500;
const longText = 240;
const maxNames = 24;
const maxPlaces = 12;

/** Whether a text is a description with examples, output and the like, as issues are, or a trace. */
export function isReport(text: string): boolean {
  if (text.length > longLine) return true;
  const lines = text.trim().split('\n');
  return (
    lines.length > 1 &&
    (text.length > longText || lines.some((line) => calledBy(line) !== undefined))
  );
}

/** Reads it for names, messages and paths first, without what a form or a tool filled in. */
export function readReport(text: string): Report {
  const plain = withoutForms(text);
  const { prose, code } = apart(plain);
  const [title = '', ...rest] = prose.split('\n').filter((line) => line.trim() !== '');
  const said = rest.join('\n');
  const places = placesIn(text).slice(0, maxPlaces);
  const frames = functionsOf(code);
  const names = [
    ...namesIn(title),
    ...namesIn(said),
    ...frames,
    ...code.flatMap((block) => calledIn(block)),
  ];
  const distinct = [...new Set(names)].filter((name) => !commonNames.has(name));
  const errors = code.flatMap(errorsIn);
  return {
    text: weighed(title, said, [...errors, ...distinct.slice(0, maxNames)].join(' ')),
    names: distinct.slice(0, maxNames),
    places,
    called: frames,
    lines: new Map(places.flatMap((place) => lineOf(place, text) ?? [])),
  };
}

const comment = /<!--[\s\S]*?(?:-->|$)/g;
const details = /<details>[\s\S]*?(?:<\/details>|$)/gi;
const address = /\bhttps?:\/\/[^\s)>\]]+/g;
const box = /^\s*[-*] \[[ xX]\].*$/gm;
/** Heads of a part that describes a machine. */
const machine =
  /^(?:#+ *|\*\*)?(?:(?:os|operating system|your|system|python|package)\b.{0,20}|.{0,20}\b)?(?:environment|system (?:information|details|info)|versions?|platform|additional dependencies)\b.{0,20}$/i;
const heading = /^(?:#{1,6} .*|\*\*[^*]{1,60}\*\*:?\s*)$/;

function withoutForms(text: string): string {
  const kept: string[] = [];
  let isMachine = false;
  const lines = text
    .replace(comment, '')
    .replace(details, '')
    .replace(box, '')
    .replace(/\r/g, '')
    .split('\n');
  for (const [at, line] of lines.entries()) {
    if (at > 0 && machine.test(line.trim())) {
      isMachine = true;
      continue;
    }
    if (at > 0 && heading.test(line.trim())) {
      isMachine = false;
      continue;
    }
    if (!isMachine) kept.push(line);
  }
  return kept.join('\n');
}

/** Prose, and blocks of code or output: fenced, behind prompts, indented, or tracebacks. */
function apart(text: string): { prose: string; code: string[] } {
  const prose: string[] = [];
  const code: string[][] = [[]];
  let isFenced = false;
  let isTrace = false;
  for (const line of text.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isFenced = !isFenced;
      code.push([]);
      continue;
    }
    if (/^\s*Traceback \(most recent/.test(line)) isTrace = true;
    const isCode = isFenced || isTrace || codeLine.test(line) || calledBy(line) !== undefined;
    if (isCode) code.at(-1)?.push(line);
    else prose.push(line.replace(address, ' '));
    if (isTrace && /^[\w.]+(?:Error|Exception|Exit|Interrupt|Warning)\b/.test(line))
      isTrace = false;
  }
  return { prose: prose.join('\n'), code: code.map((lines) => lines.join('\n')) };
}

const codeLine = /^(?:>>>|\.\.\.|In \[\d+\]:|Out\[\d+\]:| {4}|\t)/;
/** What stands between names, paths and addresses. */
const between = /[\s"'()[\]{}<>,;=|:]+/;
/** No person writes a longer word. */
const maxWord = 160;
const dotted = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const inner = /^(?=\w*[a-z])(?:\w*[a-z0-9][A-Z]\w*|[A-Za-z0-9]+_\w+|__\w+)$/;
const nameParts = /[A-Za-z_]\w{2,}/g;

/** Names of code: in backticks, with capitals or `_` inside, dotted or called. Each part of a dotted one. */
function namesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const quoted = line.split('`').filter((_, at) => at % 2 === 1);
    const plain = line
      .split('`')
      .filter((_, at) => at % 2 === 0)
      .join(' ');
    const called = [...plain.matchAll(/(?<!\w)([A-Za-z_]\w{2,60})\(/g)].map(
      ([, name = '']) => name,
    );
    const written = plain
      .split(between)
      .map((word) => word.replace(/\.+$/, ''))
      .filter((word) => word.length <= maxWord && (dotted.test(word) || inner.test(word)));
    const parts = [...quoted.filter((one) => one.length <= maxWord), ...written];
    return [...parts.flatMap((one) => one.match(nameParts) ?? []), ...called];
  });
}

/** What code calls or brings in; the names of its own variables say nothing. */
function calledIn(code: string): string[] {
  return code.split('\n').flatMap((line) => {
    const brought = /^\s*(?:from\s+\S{1,160}\s+)?import\s+(.{1,200})/.exec(line)?.[1];
    const called = [...line.matchAll(/(?<!\w)([A-Za-z_]\w{2,60})\(|\.([A-Za-z_]\w{2,60})/g)];
    return [
      ...called.map(([, one, other]) => one ?? other ?? ''),
      ...(brought?.match(nameParts) ?? []),
    ];
  });
}

/** Lines of tracebacks, each with the function that was called. */
const frames: readonly RegExp[] = [
  // Python and IPython.
  /, line \d+, in (\w{3,60})/,
  /\.\w{1,4} in (\w{3,60})\(/,
  // JavaScript, Java and C#.
  /^\s+at (?:[\w$<>\x60]{1,60}\.){0,8}(\w{3,60}) ?\(/,
  // Ruby, PHP, Elixir, Rust and Go.
  /:in [\x60'](?:.{0,60}[ #.])?(\w{3,60})[?!]?'/,
  /^#\d+ .{0,200}(?:->|::)(\w{3,60})\(/,
  /: [A-Z][\w.]{0,100}\.(\w{3,60})[?!]?\/\d+$/,
  /^\s*\d+:\s+(?:[\w<>{}&']{1,60}::){1,12}(\w{3,60})$/,
  /^[\w./-]{1,120}\.(?:\(\*?\w{1,60}\)\.)?(\w{3,60})\((?:0x|\{|\.\.\.|\))/,
];
/** Functions of one traceback that are looked for. */
const maxFrames = 4;

function calledBy(line: string): string | undefined {
  return frames.map((frame) => frame.exec(line)?.[1]).find((name) => name !== undefined);
}

/** Functions of tracebacks, the one that failed first. */
function functionsOf(blocks: readonly string[]): string[] {
  return blocks.flatMap((block) => {
    const called = block.split('\n').flatMap((line) => calledBy(line) ?? []);
    return (isFirst(block) ? called : called.reverse()).slice(0, maxFrames);
  });
}

/** `ValueError: …`: what went wrong, from blocks of output. */
function errorsIn(block: string): string[] {
  const isError = (line: string) => /^[\w.]{0,80}(?:Error|Exception|Warning)$/.test(headOf(line));
  return block.split('\n').filter(isError).slice(-2);
}

function headOf(line: string): string {
  return line.replace(/^E\s{1,8}/, '').split(/[:\s]/, 1)[0] ?? '';
}

const extension =
  /\.(?:py|pyx|[cm]?[jt]sx?|go|rs|rb|java|kt|c|cc|cpp|h|hpp|cs|php|swift|scala|lua|vue|svelte|exs?|erl|dart|clj|hs|ml|zig|jl)$/;
const moduleName = /^[a-z_]\w*(?:\.[a-z_]\w*){2,}$/;
const imported = /^\W*(?:from|import)\s+([a-z_]\w*(?:\.\w+)+)/;
/** Folders that stand in front of what belongs to a project. */
const installed =
  /^.*(?:(?:site-packages|dist-packages|node_modules)|\/gems\/[^/]+|\/vendor\/[^/]+\/[^/]+|\/pkg\/mod\/(?:[^/@]+\/)*[^/]+@[^/]+)\//;

/** Python says the call that failed last, most other languages say it first. */
const failsLast = /most recent call last|^\s*File "[^"\n]+", line \d+/m;
/** So do `goroutine 7 [running]:`, `stack backtrace:` of Rust and lines that begin with `at`. */
const failsFirst =
  /^\s*at .+:(?:line )?\d+|^goroutine \d+|^stack backtrace:|:\d+:in |^#0 |^\s+\(\w+ [\d.]+\) \S+:\d+: /m;

function isFirst(text: string): boolean {
  return failsFirst.test(text) && !failsLast.test(text);
}

/** The file that failed comes first; behind paths come names of modules. */
function placesIn(whole: string): string[] {
  // The address of a file of a repository names it; those of pages name nothing here.
  const text = whole.replace(address, (url) => /\/blob\/[^/]+\/([^#?]+)/.exec(url)?.[1] ?? ' ');
  const words = text.split(/[\s"'`()[\]{}<>,;=|:#]+/).filter((word) => word.length <= maxWord);
  const paths = words
    .map((word) => word.replace(/[.]+$/, '').replaceAll('\\', '/'))
    .filter((word) => extension.test(word))
    .map((path) => path.replace(installed, '').replace(/^[~.]*\//, ''));
  const modules = text.split('\n').flatMap((line) => {
    const brought = imported.exec(line)?.[1];
    const written = line
      .split(between)
      .filter((word) => word.length <= maxWord && moduleName.test(word));
    return [...(brought === undefined || brought.length > maxWord ? [] : [brought]), ...written];
  });
  const deep = paths.filter((path) => path.includes('/'));
  if (!isFirst(text)) deep.reverse();
  return [
    ...new Set([
      ...deep,
      ...paths.filter((path) => !path.includes('/')),
      ...modules.map((name) => name.replaceAll('.', '/')),
    ]),
  ];
}

/** `a.py", line 3`, `a.js:3:9`, `a.php(3)`, `a.cs:line 3`. */
function lineOf(place: string, text: string): [string, number][] | undefined {
  const name = escapePattern(place.replace(/^.*\//, ''));
  const line = new RegExp(`(?<![\\w.-])${name}["']?(?:, line |:line |:|\\()(\\d{1,7})`).exec(
    text,
  )?.[1];
  return line === undefined ? undefined : [[place, Number(line)]];
}

/** Words of a title count first; behind them go those that are said most often. */
function weighed(title: string, said: string, names: string): string {
  const counts = new Map<string, number>();
  for (const word of said.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []) {
    const key = word.toLowerCase();
    if (word.length > 2 && !stopWords.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const often = [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word);
  return [title, names, often.join(' ')].join('\n');
}

const commonNames = new Set(
  `print range len list dict str int float bool set tuple type object self import from return None True False
  super isinstance open repr map filter zip sorted enumerate join append format items keys values get
  python code pip install test tests main init name args kwargs array arange zeros ones the and for not
  numpy pandas pyplot show plot console log require module exports foo bar baz np pd plt assert`.split(
    /\s+/,
  ),
);
