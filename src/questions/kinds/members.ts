import { escapePattern } from '../../lib/text/escape.ts';
import { below, inDocuments, namesIn, rankedPassages, readAt, screenLines } from '../drafts.ts';
import type { Kind } from '../kind.ts';

/** Things of one kind by the name of that kind, as `themes` and `plugins` are. */
export type MembersReading = { kind: 'members'; of: string };

const highest = 2;

export const members: Kind<MembersReading> = {
  rows: [
    {
      // `what are the bundled plugins?`, `list all themes`: things that go by the name of their kind.
      names: 'words',
      all: ['list what which show enumerate name'],
      also: 'all every available supported there bundled built-in builtin included provided shipped exist offered have has does do come with support are is of in this collection',
      isLast: true,
      reads: ({ words, bag }) => {
        const [, written] = ofKind.exec(bag.question) ?? [];
        const noun = written?.toLowerCase();
        // `chart types` are types of charts.
        const kindOf = /\b([a-z]{3,}?)s?\s+(?:types|kinds)\b/i.exec(bag.question)?.[1];
        if (kindOf !== undefined && /^(?:types|kinds)$/.test(noun ?? ''))
          return words.length === 1 ? { kind: 'members', of: `${kindOf}s` } : undefined;
        // Files and folders are listed as such.
        if (noun === undefined || /^(?:files|folders|directories)$/.test(noun)) return undefined;
        const isNamed = words.length <= 2 && words.at(-1)?.toLowerCase() === noun;
        return isNamed ? { kind: 'members', of: noun } : undefined;
      },
    },
  ],
  named: ({ words }) => {
    const of = words.at(-1);
    return of === undefined ? undefined : { kind: 'members', of };
  },
  plan: ({ of }, mentions) => {
    const { folder } = mentions;
    if (folder !== undefined && singular(folder.replace(/^.*\//, '')) === singular(of))
      return [{ tool: 'file.tree', input: { path: folder, depth: 1, lines: screenLines } }];
    const named = { name: singular(of), ...below(mentions) };
    return [
      // The values of an enum, or of a list that has their name, are what there is.
      {
        tool: 'search.grep',
        input: { pattern: listOf(of), limit: 50, globs: sources, ...below(mentions) },
      },
      readAt('s1', '/matches/0'),
      { tool: 'file.find', input: { pattern: packagesOf(of), limit: 18, ...below(mentions) } },
      { tool: 'file.find', input: { pattern: foldersOf(of), limit: 200, ...below(mentions) } },
      // What is supported, documents say.
      mentions.wantsSupported
        ? inDocuments(mentions, 3)
        : { tool: 'search.symbols', input: { ...named, kind: 'class', limit: 18 } },
      ...rankedPassages('s6', mentions),
      ...namesIn(mentions),
    ];
  },
  // `which transports are there?`: the folder that holds them and nothing else, high up in the tree.
  holder: ({ of }, { folderCalled }) => {
    const folder = folderCalled(of) ?? folderCalled(of.replace(/s$/, ''));
    const isHigh = folder !== undefined && folder.split('/').length <= highest;
    return isHigh && !/^(?:docs?|tests?|examples?)\//i.test(folder) ? folder : undefined;
  },
  shape: (_, { isWidened }) =>
    isWidened ? {} : { whole: { pieces: 1, lines: 14 }, leads: 1, listsFirst: true },
  isOpen: true,
  takesAnyWord: true,
};

/** A plural of plain letters, behind what asks for all of them or with what says that they are there. */
const ofKind =
  /^\s*(?:please\s+)?(?:(?:list|enumerate|name|show(?:\s+me)?)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+)?|(?:what|which)\s+(?:are\s+)?(?:all\s+)?(?:the\s+)?)(?:(?:available|supported|bundled|built-in|builtin|included|existing|different)\s+)?(?:[a-z][\w-]*\s+)?([a-z]{3,}s)(?:\s+(?:are|is|do|does|come|have|has|can|exists?)\b.*)?\s*[?.!]*$/i;

/** `enum LogLevel {`, `const LOG_LEVELS = {`: an enum of them, or a list that has their name at the margin. */
function listOf(kind: string): string {
  // The name ends in the word, which is a part of its own: `NEWKEYS` are no keys.
  const named = (word: string): string => {
    const [low, capital] = [word, `${word.charAt(0).toUpperCase()}${word.slice(1)}`];
    return String.raw`(?:(?:\w*_)?(?:${low}|${word.toUpperCase()})|\w*${capital})`;
  };
  const one = named(escapePattern(singular(kind)));
  const enums = String.raw`(?:[a-z]+(?:\(\w+\))?\s+)*enum\s+(?:class\s+)?${one}(?:s|es|Type|Kind|Name)?\b(?!;)|(?:[a-z]+\s+)*type\s+${one}(?:s|es|Type|Kind|Name)?\s*=\s*(?:["'|].*)?$|class\s+${one}s?\((?:\w+, )*\w*(?:Enum|Flag)\)`;
  const lists = String.raw`(?:[a-z]+\s+)*${named(escapePattern(kind))}\b\s*(?::[^=]*)?:?=\s*(?:[\w.]+\()?[&*\w\[\]<>]*[\[{(](?!\s*[\]})])(?:[^;(]*\)?)?;?\s*$`;
  return `^(?:\\s*${enums}|${lists})`;
}

/** No tests, examples and documents. */
const sources = [
  '!**/{test,tests,__tests__,spec,examples,docs,benchmarks,fixtures}/**',
  '!**/*.{test,spec}.*',
];

/** Manifests of packages that are called after their kind: `packages/adapter-node`. */
function packagesOf(kind: string): string {
  const one = singular(kind);
  return `**/{${one}-*,*-${one}}/{package.json,Cargo.toml,pyproject.toml,go.mod,pom.xml,build.gradle}`;
}

/** Files below a folder of that name. */
function foldersOf(kind: string): string {
  return `**/{${kind},${singular(kind)}}/**`;
}

function singular(kind: string): string {
  if (/ies$/.test(kind)) return kind.replace(/ies$/, 'y');
  return kind.replace(/(?<=ss|us|ias|x|zz|ch|sh)es$|s$/, '');
}
