import { below, type Draft, from } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import type { WordBag } from '../words/word-bag.ts';

/** What a project or a folder is, by its README and its layout; or how its code is parted. */
export type AboutReading = { kind: 'about'; of?: 'architecture' };

export const about: Kind<AboutReading> = {
  form: ({ told }) => (told === undefined ? undefined : { kind: 'about' }),
  rows: [
    {
      names: 'nothing',
      all: ['started start begin', 'get getting how where'],
      also: 'quick quickstart with do',
      reads: ({ bag }) => (/\bstarted\b|where/i.test(bag.question) ? { kind: 'about' } : undefined),
    },
    {
      names: 'nothing',
      all: [
        'architecture architectural structured organised organized organisation organization laid',
      ],
      also: 'how what explain describe code codebase overview main parts source out internal design',
      // To be shown the structure is to be shown the tree.
      reads: ({ bag }) =>
        /^\s*(?:show|print|draw|list)\b/i.test(bag.question)
          ? undefined
          : { kind: 'about', of: 'architecture' },
    },
    {
      names: 'nothing',
      all: ['summarise summarize summary overview describe introduce introduction purpose'],
      also: 'about short brief quick me this does do',
      reads: () => ({ kind: 'about' }),
    },
    {
      names: 'nothing',
      all: [
        'what tell explain',
        'this it about project repo package library codebase program tool that app application repository',
      ],
      also: 'about does do purpose goal for tool main point good all',
      reads: ({ bag }) =>
        bag.words.length === 0 ||
        /\babout|purpose|point\b/.test(bag.question) ||
        bag.words.every((word) => ['explain', 'tool'].includes(word))
          ? ofProject(bag)
          : undefined,
    },
  ],
  named: () => ({ kind: 'about' }),
  plan: ({ of }, mentions) => {
    const read = (pattern: string, end: number, step: string): Draft[] => [
      { tool: 'file.find', input: { pattern, limit: 1, ...below(mentions) } },
      { tool: 'file.read', input: { path: from(step, '/paths/0'), end } },
    ];
    if (of === 'architecture')
      return [
        ...read(designs, 60, 's1'),
        { tool: 'file.tree', input: { depth: 2, ...below(mentions) } },
      ];
    return [
      ...read(mentions.folder === undefined ? 'readme' : aboutFolder(mentions.folder), 60, 's1'),
      { tool: 'search.manifest', input: { about: 'about', ...below(mentions) } },
      { tool: 'file.tree', input: { depth: 1, ...below(mentions) } },
      ...(mentions.folder === undefined
        ? []
        : [{ tool: 'search.symbols', input: { limit: 100, ...below(mentions) } }]),
    ];
  },
  shape: (_, { isWidened }) =>
    isWidened
      ? {}
      : {
          says: 'the README and the layout',
          // There may be no README that it could be said to be.
          saysOfEvidence: true,
          whole: { pieces: 1, lines: 9 },
          skips: 'markup',
          rows: ['search.manifest'],
        },
};

function ofProject({ question }: WordBag): AboutReading | undefined {
  return /\bwhere\b|\bwho\b|\bwhen\b|\bwhy\b/i.test(question) ? undefined : { kind: 'about' };
}

const designs = `{${['ARCHITECTURE', 'DESIGN', 'HACKING', 'INTERNALS', 'OVERVIEW']
  .flatMap((name) => [name, name.toLowerCase()])
  .join(',')}}.{md,rst,adoc,txt}`;

/** What says what a folder is for: its README, the file of its language for that, or one of its name. */
function aboutFolder(folder: string): string {
  const own = /[\w-]+$/.exec(folder)?.[0] ?? 'index';
  const names = [
    ...['README*', 'Readme*', 'readme*', '__init__.py', 'doc.go', 'mod.rs', 'lib.rs'],
    ...['package-info.java', 'index.{ts,tsx,js,mjs}', `${own}.{go,py,rb,ts,js}`],
  ];
  return `/{${names.join(',')}}`;
}
