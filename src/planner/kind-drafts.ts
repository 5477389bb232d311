import type { Mentions, Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape.ts';
import {
  below,
  type Draft,
  definitionOf,
  from,
  inDocuments,
  namesIn,
  type Of,
  rankedPassages,
  readAt,
} from './drafts.ts';
import { planHistory } from './history-drafts.ts';

/** Lines of a tree that fit on a screen. */
const screenLines = 20;

/** Words that a heading may have all of. */
const wordsOfHeading = 3;

/** How each kind of question is answered by the tools that come along. */
const planners: {
  readonly [Kind in Reading['kind']]: (reading: Of<Kind>, mentions: Mentions) => Draft[];
} = {
  web: ({ url }) => [{ tool: 'web.fetch', input: { url } }],
  history: planHistory,
  references: ({ name, only }, mentions) => {
    if (only === undefined)
      return [{ tool: 'search.references', input: { name, limit: 100, ...below(mentions) } }];
    if (only === 'heirs')
      return [{ tool: 'search.symbols', input: { from: name, limit: 100, ...below(mentions) } }];
    // `lib/symbols` is imported by other paths from beside it.
    const isPath = /^[\w.-]+(?:\/[\w.-]+)+$/.test(name);
    return [
      ...(isPath
        ? [
            { tool: 'file.find', input: { pattern: `{,**/}${name}.*`, limit: 1 } },
            importsOf('s1', 'importedBy'),
          ]
        : []),
      {
        tool: 'search.grep',
        input: { pattern: importing(name), limit: 100, ...below(mentions) },
      },
    ];
  },
  imports: ({ path, direction }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    importsOf('s1', direction),
  ],
  complexity: ({ path, by }, mentions) => [
    {
      tool: 'search.complexity',
      input: {
        limit: 20,
        ...below(mentions),
        ...(path === undefined ? {} : { path }),
        ...(by === undefined ? {} : { by }),
      },
    },
  ],
  value: ({ of }, mentions) => [
    {
      tool: 'search.values',
      input: { names: namesOf(of), about: besideOf(of, mentions), ...below(mentions) },
    },
    ...rankedPassages('s2', mentions),
    ...namesIn(mentions),
  ],
  members: planMembers,
  outline: (reading, { folder }) =>
    planOutline(
      reading.path === '.' && folder !== undefined ? { ...reading, path: folder } : reading,
    ),
  size: planSize,
  todo: ({ path, mark }, mentions) => [
    {
      tool: 'search.todos',
      input: {
        ...below(mentions),
        ...(path === undefined ? {} : { path }),
        ...(mark === undefined ? {} : { type: mark }),
      },
    },
    ...(path === undefined && mentions.folder === undefined
      ? [{ tool: 'file.find', input: { pattern: '{TODO,ROADMAP,BACKLOG}*' } }]
      : []),
  ],
  listing: planListing,
  file: ({ path, lines, wants }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'file.read', input: { path: from('s1', '/paths/0'), ...lines } },
    ...(wants === undefined
      ? []
      : [{ tool: 'search.symbols', input: { path: from('s1', '/paths/0'), limit: 100 } }]),
  ],
  definition: planDefinition,
  manifest: ({ about, name }, mentions) => [
    {
      tool: 'search.manifest',
      input: { about, ...below(mentions), ...(name === undefined ? {} : { name }) },
    },
    // Documents say it in words, with what has to be done before.
    ...(['build', 'run', 'test', 'lint', 'scripts', 'platforms'].includes(about)
      ? [inDocuments(mentions, 2)]
      : []),
  ],
  about: planAbout,
  guide: (_, mentions) => [inDocuments(mentions, 4), ...rankedPassages('s2', mentions)],
  changes: ({ version }, mentions) =>
    version === undefined
      ? [
          { tool: 'file.find', input: { pattern: changeLogs, limit: 1, ...below(mentions) } },
          { tool: 'file.read', input: { path: from('s1', '/paths/0'), end: 60 } },
        ]
      : [
          {
            tool: 'search.grep',
            input: {
              pattern: versionHeading(version),
              globs: [changeLogs],
              after: 30,
              grouped: true,
              limit: 5,
              ...below(mentions),
            },
          },
        ],
  comparison: ({ names }, mentions) => [
    ...names.map((name) => definitionOf(name, 1, mentions)),
    inDocuments(mentions, 2),
  ],
  tests: ({ name }, mentions) => [
    { tool: 'file.find', input: { pattern: testsOf(name), limit: 10, ...below(mentions) } },
    {
      tool: 'search.references',
      input: { name, tests: true, limit: 100, ...below(mentions) },
    },
  ],
  collection: ({ of, pattern, files, globs, path }, mentions) => [
    ...(enumsOf[of] === undefined
      ? []
      : [
          { tool: 'search.grep', input: { pattern: enumsOf[of], limit: 50, ...below(mentions) } },
          readAt('s1', '/matches/0'),
        ]),
    {
      tool: 'search.grep',
      input: {
        pattern,
        limit: 1000,
        // A call over several lines says on the next ones what it is about.
        after: 2,
        ...below(mentions),
        ...(globs === undefined ? {} : { globs }),
        ...(path === undefined ? {} : { path }),
      },
    },
    ...(files === undefined
      ? []
      : [{ tool: 'file.find', input: { pattern: files, limit: 200, ...below(mentions) } }]),
  ],
  where: ({ name }, mentions) => [
    ...rankedPassages('s1', mentions),
    ...(name === undefined
      ? []
      : [
          {
            tool: 'search.grep',
            input: { pattern: name, literal: true, limit: 30, ...below(mentions) },
          },
        ]),
    ...namesIn(mentions),
  ],
  how: (_, mentions) => [
    ...rankedPassages('s1', mentions),
    // A section may be about the few words that are named.
    ...(mentions.words.length <= wordsOfHeading ? [inDocuments(mentions, 3)] : []),
    ...namesIn(mentions),
  ],
};

/** Enums and tables that hold a whole collection; in Rust clap makes a command of each value. */
const enumsOf: Readonly<Record<string, string>> = {
  commands: String.raw`^\s*#\[derive\(.*\bSubcommand\b|^\s*(?:pub )?enum\s+\w*(?:Command|Cmd)s?\b|^[\w\s*]*\b\w*(?:[cC]omman|[cC]m)d(?:s|s?_?(?:[tT]able|[lL]ist))\s*\[\w*\]\s*=`,
  'exit codes': String.raw`^\s*(?:[a-z]+\s+)*(?:enum|class)\s+\w*Exit_?(?:[Cc]ode|[Ss]tatus)\w*|^\s*(?:[a-z]+\s+)*\w*(?:exit|Exit|EXIT)_?(?:[Cc]odes?|CODES?|[Ss]tatus(?:es)?)\b[^=]*=[^{[(]*[{[]\s*(?:$|["'\w])`,
};

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

/** A project is its README, manifest and layout; a folder also what it defines. */
function planAbout({ of }: Of<'about'>, mentions: Mentions): Draft[] {
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
}

function importsOf(step: string, direction: Of<'imports'>['direction']): Draft {
  return { tool: 'search.imports', input: { path: from(step, '/paths/0'), direction } };
}

const changeLogs = `{${['CHANGELOG', 'CHANGES', 'HISTORY', 'NEWS', 'RELEASES', 'RELEASE_NOTES']
  .flatMap((name) => [name, name.toLowerCase(), `${name[0]}${name.slice(1).toLowerCase()}`])
  .concat('ChangeLog', 'RELEASE-NOTES', 'release-notes')
  .join(',')}}*`;

/** `## [1.2.3] - 2026-01-01`, `Version 1.2.3`, `1.2.3 / 2026-01-01`; no dependency's version, and no line of contents. */
function versionHeading(version: string): string {
  const number = version.replaceAll('.', String.raw`\.`);
  const word = String.raw`[A-Za-z][\w@/-]*`;
  // `CHANGES FROM 1.2.2 TO 1.2.3` is of the second one, and 3.5a is another than 3.5.
  return String.raw`^(?!.*\]\(#)(?:#+\s+(?:${word}\s+)?|[#=*\s]*)\[?(?:${word}\s+){0,2}(?:[\d.]+\w*\s+(?:to|TO)\s+)?v?${number}(?!\w|\s+(?:to|TO)\b)`;
}

export function draftsOf<Kind extends Reading['kind']>(
  reading: Of<Kind>,
  mentions: Mentions,
): Draft[] {
  const plan: (reading: Of<Kind>, mentions: Mentions) => Draft[] = planners[reading.kind as Kind];
  return plan(reading, mentions);
}

function planOutline({ path, defines, of, named }: Of<'outline'>): Draft[] {
  if (of !== undefined)
    return [
      {
        tool: 'search.symbols',
        input: {
          of,
          limit: 100,
          ...(named === undefined ? {} : { name: named }),
          ...(path === '.' ? {} : { path }),
        },
      },
    ];
  const input = {
    limit: 100,
    ...(defines === undefined ? {} : { kind: defines }),
    ...(named === undefined ? {} : { name: named }),
  };
  if (!/\.\w+$/.test(path)) return [{ tool: 'search.symbols', input: { path, ...input } }];
  return [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.symbols', input: { path: from('s1', '/paths/0'), ...input } },
  ];
}

/** A word that is not a path of the workspace is one of the text: `how big is the cache?`. */
function planSize(reading: Of<'size'>, mentions: Mentions): Draft[] {
  if (reading.about === 'largest') {
    const place = below(mentions);
    const longest = {
      tool: 'file.stat',
      input: { largest: 'lines', limit: 8, globs: [reading.code], ...place },
    };
    return reading.only === 'code'
      ? [longest]
      : [{ tool: 'file.stat', input: { largest: 'bytes', limit: 8, ...place } }, longest];
  }
  if (reading.about === 'place') {
    const globs = reading.globs === undefined ? {} : { globs: reading.globs };
    return [{ tool: 'file.stat', input: { path: reading.path, count: true, ...globs } }];
  }
  return [
    { tool: 'file.find', input: { pattern: reading.pattern, limit: 5 } },
    { tool: 'file.stat', input: { path: from('s1', '/paths/0'), count: true } },
  ];
}

function planListing(reading: Of<'listing'>, mentions: Mentions): Draft[] {
  const { tree } = reading;
  const folder = reading.path ?? mentions.folder;
  const place = folder === undefined ? {} : { path: folder };
  // The folder is known, so it need not be looked for at any depth.
  const pattern =
    mentions.folder === undefined
      ? reading.pattern
      : reading.pattern.replace(/^\*\*\/.+?\/\*\*\//, '');
  if (tree && pattern === '*')
    return [{ tool: 'file.tree', input: { ...place, depth: 3, lines: screenLines } }];
  return [
    { tool: 'file.find', input: { pattern, limit: 200, ...place } },
    { tool: 'file.stat', input: { paths: from('s1', '/paths') } },
  ];
}

function planDefinition(reading: Of<'definition'>, mentions: Mentions): Draft[] {
  const { name, isName, isWord } = reading;
  if (isName) {
    return [
      definitionOf(name, 10, mentions),
      { tool: 'search.references', input: { name, limit: 20, ...below(mentions) } },
      // A plain word may be spoken of and not defined.
      ...(isWord === true ? rankedPassages('s3', mentions) : []),
    ];
  }
  const flag = /^--([\w-]+)$/.exec(name)?.[1];
  if (flag !== undefined) {
    const input = { pattern: spelledFlag(flag), limit: 500, after: 2, ...below(mentions) };
    return [{ tool: 'search.grep', input }, inDocuments(mentions, 3)];
  }
  return [
    { tool: 'search.grep', input: { pattern: name, literal: true, limit: 10, ...below(mentions) } },
    readAt('s1', '/matches/0'),
    ...rankedPassages('s3', mentions),
  ];
}

/** A flag stands in code without its dashes, too: `--dry-run`, `"dry-run"`, `pub dry_run: bool`. */
function spelledFlag(flag: string): string {
  const own = escapePattern(flag);
  const field = own.replaceAll('-', '_');
  return String.raw`(?<![\w-])--${own}\b(?!-)|["'\x60]${own}["'\x60]\s*[,)\]]|^\s*pub ${field}:`;
}

/** `session timeout` is a kind of timeout, where nothing is called so as a whole; so is `session.timeout`. */
function namesOf(setting: string): string[] {
  const last = setting.split(/[ .]/).at(-1) as string;
  return last === setting ? [setting] : [setting, last];
}

/** `default port for mysql`: what else a question for a value speaks of. */
function besideOf(setting: string, { words }: Mentions): string[] {
  const own = setting.toLowerCase();
  return words
    .filter(
      (word) =>
        !own.includes(word) && !/^(?:defaults?|values?|set|used|configured|defined)$/.test(word),
    )
    .slice(0, 10);
}

/** Of things that a folder is called after, what lies there; else types that end in their name. */
export function planMembers({ of }: Of<'members'>, mentions: Mentions): Draft[] {
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
    // Documents say what is supported.
    /\bsupport/i.test(mentions.text)
      ? inDocuments(mentions, 3)
      : { tool: 'search.symbols', input: { ...named, kind: 'class', limit: 18 } },
    ...rankedPassages('s6', mentions),
    ...namesIn(mentions),
  ];
}

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

/** Lines that import a name or a module, as the common languages write them; Go has a line for the path alone. */
function importing(name: string): string {
  const own = escapePattern(name);
  const edge = (at: string) => (/^\w/.test(at) ? String.raw`\b` : '');
  const whole = `${edge(name)}${own}${edge(name.at(-1) ?? '')}`;
  return [
    String.raw`^\s*(?:from|import|export|use|pub use|require|require_once|include|include_once|using|load|source)\b.*${whole}`,
    String.raw`\b(?:require|import)\s*\(.*${whole}`,
    String.raw`^\s*#\s*(?:include|import)\b.*${whole}`,
    String.raw`^\s*(?:[\w.]+\s+)?"[^"\s]*${whole}"$`,
  ].join('|');
}

/** Files of tests that are named after a file or a name. */
function testsOf(name: string): string {
  const own = name.replace(/^.*(?:\.|::|#)/, '');
  const snake = own.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  const all = new Set([own, snake, snake.replaceAll('_', '-')]);
  const forms = [...all].flatMap((each) => [
    ...[`test_${each}`, `test-${each}`, `${each}_test`, `${each}-test`],
    ...[`${each}.test`, `${each}.tests`, `${each}.spec`, `${each}_spec`],
    ...[`${each}Test`, `${each}Tests`, `Test${each}`],
  ]);
  return `{${forms.join(',')}}.*`;
}
