import type { AskIntent, HistoryReading, Mentions, Reading } from '../contracts/intent.ts';
import { rankPassagesTool } from '../contracts/kernel-tools.ts';
import type { InputRef, Step, StepInput } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';
import { escapePattern } from '../lib/text/escape-pattern.ts';
import { renumberSteps } from './renumber-steps.ts';
import { type LikenessesToGoal, type SpokenTool, spokenTool } from './spoken-tools.ts';

/** A step before it has an id; `needs` follows from the references in its input. */
type Draft = { tool: string; input: StepInput };

type Of<Kind extends Reading['kind']> = Extract<Reading, { kind: Kind }>;

/** Lines of a tree that fit on a screen. */
const screenLines = 20;

/** How each kind of question is answered by the tools that come along. */
const planners: {
  readonly [Kind in Reading['kind']]: (reading: Of<Kind>, mentions: Mentions) => Draft[];
} = {
  web: ({ url }) => [{ tool: 'web.fetch', input: { url } }],
  history: planHistory,
  references: ({ name, only }, mentions) => {
    if (only === undefined)
      return [{ tool: 'search.references', input: { name, limit: 100, ...below(mentions) } }];
    const pattern = only === 'heirs' ? madeFrom(name) : importing(name);
    return [{ tool: 'search.grep', input: { pattern, limit: 100, ...below(mentions) } }];
  },
  imports: ({ path, direction }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.imports', input: { path: from('s1', '/paths/0'), direction } },
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
    { tool: 'search.values', input: { names: namesOf(of), ...below(mentions) } },
    ...rankedPassages('s2', mentions),
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
    ...(['build', 'run', 'test', 'lint', 'scripts'].includes(about)
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
  collection: ({ pattern, files, path }, mentions) => [
    {
      tool: 'search.grep',
      input: {
        pattern,
        limit: 1000,
        // A call over several lines says on the next ones what it is about.
        after: 2,
        ...below(mentions),
        ...(path === undefined ? {} : { path }),
      },
    },
    ...(files === undefined
      ? []
      : [{ tool: 'file.find', input: { pattern: files, limit: 200, ...below(mentions) } }]),
  ],
  where: ({ name }, mentions) => [
    ...rankedPassages('s1', mentions),
    readAround('s2', 0),
    ...(name === undefined
      ? []
      : [
          {
            tool: 'search.grep',
            input: { pattern: name, literal: true, limit: 30, ...below(mentions) },
          },
        ]),
  ],
  how: (_, mentions) => [
    ...rankedPassages('s1', mentions),
    readAround('s2', 0),
    readAround('s2', 1),
  ],
};

const designs = `{${['ARCHITECTURE', 'DESIGN', 'HACKING', 'INTERNALS', 'OVERVIEW']
  .flatMap((name) => [name, name.toLowerCase()])
  .join(',')}}.{md,rst,adoc,txt}`;

/** Of a project its README, manifest and layout; of a folder also what it defines. */
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
    ...read('readme', 60, 's1'),
    { tool: 'search.manifest', input: { about: 'about', ...below(mentions) } },
    { tool: 'file.tree', input: { depth: 1, ...below(mentions) } },
    ...(mentions.folder === undefined
      ? []
      : [{ tool: 'search.symbols', input: { limit: 100, ...below(mentions) } }]),
  ];
}

const changeLogs = `{${['CHANGELOG', 'CHANGES', 'HISTORY', 'NEWS', 'RELEASES', 'RELEASE_NOTES']
  .flatMap((name) => [name, name.toLowerCase(), `${name[0]}${name.slice(1).toLowerCase()}`])
  .concat('ChangeLog', 'RELEASE-NOTES', 'release-notes')
  .join(',')}}*`;

/** `## [1.2.3] - 2026-01-01`, `Version 1.2.3`, `1.2.3 / 2026-01-01`; not a dependency's version. */
function versionHeading(version: string): string {
  const number = version.replaceAll('.', String.raw`\.`);
  return String.raw`^[#=*\s]*\[?(?:[A-Za-z][\w@/-]*\s+){0,2}v?${number}(?![\d])`;
}

/** Readings that search passages already: there is nothing wider to look for. */
const searching: readonly Reading['kind'][] = ['how', 'where', 'definition'];

/**
 * A plan without a model: the first reading of a question for which there are tools; outputs feed
 * later steps.
 *
 * @param tools those that are there; steps only call these
 * @param options.repository the workspace is a repository, so that git is asked about history
 * @param options.likenesses by these, too, a tool of an installed plugin is chosen
 * @returns steps with ids and needs, not yet ordered or checked
 */
export function planIntent(
  { readings, mentions }: AskIntent,
  tools: readonly Tool[],
  { repository = false, likenesses }: PlanOptions = {},
): Step[] {
  for (const reading of readings) {
    if (reading.kind === 'history' && !repository) continue;
    const isParticular = isParticularIn(reading, readings);
    const spoken = spokenTool(mentions, tools, { isParticular, likenesses });
    const others =
      spoken?.input === undefined ? [] : [{ tool: spoken.tool.name, input: spoken.input }];
    const steps = toSteps([...draftsOf(reading, mentions), ...others], tools);
    if (steps.length > 0) return steps;
  }
  return [];
}

export type PlanOptions = { repository?: boolean; likenesses?: LikenessesToGoal | undefined };

/** The tool of an installed plugin that goes with the reading that is planned first. */
export function spokenFor(
  { readings, mentions }: AskIntent,
  tools: readonly Tool[],
  { repository = false, likenesses }: PlanOptions,
): SpokenTool | undefined {
  const first = readings.find(({ kind }) => kind !== 'history' || repository) ?? readings[0];
  return spokenTool(mentions, tools, { isParticular: isParticularIn(first, readings), likenesses });
}

/** Every question has a last reading, which says little about what it wants. */
function isParticularIn(reading: Reading, readings: AskIntent['readings']): boolean {
  return reading !== readings[readings.length - 1];
}

/**
 * What to try when the plan of a question brought nothing: a listing that named no file, or
 * a name that nothing has, may have been a question about what the code does.
 *
 * @returns no steps where passages were searched already, where nothing to do is the answer, where
 * a file was asked for, or a page of the web, of which the files say nothing
 */
export function planWider({ readings, mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  if (readings.some(({ kind }) => kind === 'todo' || kind === 'web')) return [];
  // A file that is not there is not answered by what speaks of it.
  const [wanted] = readings;
  if (wanted.kind === 'file' || (wanted.kind === 'listing' && wanted.isNamed)) return [];
  if (wanted.kind === 'history' && (wanted.about === 'lines' || wanted.about === 'added'))
    return toSteps(planHistory(asTopic(wanted), mentions), tools);
  if (wanted.kind === 'manifest' && wanted.about === 'author')
    return toSteps(planHistory({ kind: 'history', about: 'contributors' }, mentions), tools);
  // What no line says may be said by where files lie, as routes and commands are.
  if (wanted.kind === 'collection') {
    const of = wanted.of.replace(/^.* /, '');
    return toSteps(planMembers({ kind: 'members', of }, mentions), tools);
  }
  const [named] = readings.filter((each) => each.kind === 'definition' && each.isName);
  if (named?.kind === 'definition') {
    // No definition has exactly this name: it stands in a text, or a part of one has it.
    return toSteps(
      [
        { tool: 'search.symbols', input: { name: named.name, limit: 10, ...below(mentions) } },
        readAt('s1', '/symbols/0'),
        ...rankedPassages('s3', mentions),
        {
          tool: 'search.grep',
          input: { pattern: named.name, literal: true, limit: 200, ...below(mentions) },
        },
      ],
      tools,
    );
  }
  if (readings[0].kind === 'manifest' && readings[0].about === 'version') {
    // Some projects say it in their code, or with tags alone.
    return toSteps(
      [
        {
          tool: 'search.grep',
          input: {
            pattern: String.raw`\b(?:__version__|[Vv]ersion|VERSION)\b\s*(?::?=|:)\s*["']v?\d+\.\d+`,
            globs: ['*.py', '*.go', '*.rb', '*.js', '*.ts', '*.rs', '*.h'],
            limit: 5,
            ...below(mentions),
          },
        },
        { tool: 'git.branches', input: { tags: true } },
      ],
      tools,
    );
  }
  const looked = readings.filter(({ kind }) => kind !== 'history');
  const isSearched = looked.every(({ kind }) => searching.includes(kind));
  const wider = readings.find(({ kind }) => kind === 'guide') ?? { kind: 'how' as const };
  return isSearched ? [] : toSteps(draftsOf(wider, mentions), tools);
}

/**
 * What to do instead when git could not be asked: the question as one about the text. None
 * where git was not in the plan.
 */
export function planWithoutGit(
  intent: AskIntent,
  steps: readonly Pick<Step, 'tool'>[],
  tools: readonly Tool[],
): Step[] {
  return steps.some(({ tool }) => tool.startsWith('git.')) ? planIntent(intent, tools) : [];
}

function draftsOf<Kind extends Reading['kind']>(reading: Of<Kind>, mentions: Mentions): Draft[] {
  const plan: (reading: Of<Kind>, mentions: Mentions) => Draft[] = planners[reading.kind as Kind];
  return plan(reading, mentions);
}

function toSteps(drafts: readonly Draft[], tools: readonly Tool[]): Step[] {
  const steps = drafts.map((draft, index): Step => {
    const needs = new Set<string>();
    collectReferences(draft.input, needs);
    return {
      id: `s${index + 1}`,
      tool: draft.tool,
      input: draft.input,
      needs: [...needs],
      effect: tools.find((tool) => tool.name === draft.tool)?.effect ?? 'external',
    };
  });
  return renumberSteps(possibleSteps(steps, tools), 1);
}

/** Without those whose tool is not there, and without what would take from them. */
function possibleSteps(steps: readonly Step[], tools: readonly Tool[]): Step[] {
  const possible: Step[] = [];
  for (const step of steps) {
    const isThere = tools.some((tool) => tool.name === step.tool);
    const isFed = step.needs.every((need) => possible.some(({ id }) => id === need));
    if (isThere && isFed) possible.push(step);
  }
  return possible;
}

/** What nothing defines may stand in a message. */
function asTopic(
  reading: HistoryReading & { about: 'lines' | 'added' },
): HistoryReading & { about: 'topic' } {
  return {
    ...{ kind: 'history', about: 'topic', words: [reading.name.replace(/^-+/, '')] },
    ...(reading.about === 'added' ? { oldest: true as const } : {}),
    ...(reading.why === true ? { why: true as const } : {}),
  };
}

function planHistory(reading: HistoryReading, mentions: Mentions): Draft[] {
  const { folder } = mentions;
  switch (reading.about) {
    case 'status':
      return [
        { tool: 'git.status', input: {} },
        ...(reading.patch ? [{ tool: 'git.diff', input: { from: 'HEAD' } }] : []),
      ];
    case 'branches':
      return [
        { tool: 'git.status', input: {} },
        { tool: 'git.branches', input: {} },
      ];
    case 'tags':
      return [{ tool: 'git.branches', input: { tags: true } }];
    case 'commit':
      return [{ tool: 'git.show', input: { commit: reading.commit } }];
    case 'compare':
      return [
        {
          tool: 'git.log',
          input: { from: `${reading.from}..${reading.to}`, limit: 10, count: true },
        },
        { tool: 'git.diff', input: { from: reading.from, to: reading.to } },
      ];
    case 'contributors':
      return [
        {
          tool: 'git.log',
          input: { authors: true, ...(folder === undefined ? {} : { paths: [folder] }) },
        },
      ];
    case 'topic': {
      const { words, oldest } = reading;
      const place = folder === undefined ? {} : { path: folder };
      return [
        { tool: 'file.find', input: { pattern: words.join(' '), limit: 100, ...place } },
        {
          tool: 'git.log',
          input: {
            topic: [...words],
            paths: from('s1', '/paths'),
            limit: reading.why === true ? 5 : 15,
            ...(oldest === true ? { oldest } : {}),
          },
        },
        ...(reading.why === true ? [shownCommit('s2')] : []),
      ];
    }
    case 'lines':
    case 'added':
      if (reading.name.startsWith('--')) return planHistory(asTopic(reading), mentions);
      return [
        { tool: 'search.definition', input: { name: reading.name, limit: 1 } },
        {
          tool: 'git.log',
          input: {
            ...(reading.about === 'added'
              ? { limit: 3, oldest: true }
              : { limit: reading.why === true ? 5 : 15 }),
            lines: {
              path: from('s1', '/definitions/0/path'),
              start: from('s1', '/definitions/0/line'),
              end: from('s1', '/definitions/0/endLine'),
            },
          },
        },
        ...(reading.why === true || reading.about === 'added'
          ? [shownCommit('s2', from('s1', '/definitions/0/path'))]
          : []),
      ];
    case 'authors':
      return [
        { tool: 'file.find', input: { pattern: reading.path, limit: 5 } },
        { tool: 'git.blame', input: { path: from('s1', '/paths/0'), authorsOnly: true } },
        { tool: 'git.log', input: { paths: [from('s1', '/paths/0')], limit: 5 } },
      ];
    case 'log': {
      const { limit, path, since, from: range, author, count, oldest } = reading;
      // A bare name is that of a file anywhere; git would look for it in the root.
      const isBare = path !== undefined && !path.includes('/');
      const place = isBare ? from('s1', '/paths/0') : (path ?? folder);
      return [
        ...(isBare ? [{ tool: 'file.find', input: { pattern: path, limit: 5 } }] : []),
        {
          tool: 'git.log',
          input: {
            limit,
            ...(since === undefined ? {} : { since }),
            ...(range === undefined ? {} : { from: range }),
            ...(author === undefined ? {} : { author }),
            ...(place === undefined ? {} : { paths: [place] }),
            ...(count === true ? { count } : {}),
            ...(oldest === true ? { oldest } : {}),
          },
        },
        ...(reading.why === true ? [shownCommit(isBare ? 's2' : 's1', place)] : []),
      ];
    }
  }
}

function planOutline({ path, defines, of }: Of<'outline'>): Draft[] {
  if (of !== undefined)
    return [
      { tool: 'search.symbols', input: { of, limit: 100, ...(path === '.' ? {} : { path }) } },
    ];
  const input = { limit: 100, ...(defines === undefined ? {} : { kind: defines }) };
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

/** A flag stands in code without its dashes, too, in quotes: `--force`, `"force"`. */
function spelledFlag(flag: string): string {
  const own = escapePattern(flag);
  return String.raw`(?<![\w-])--${own}\b(?!-)|["'\x60]${own}["'\x60]\s*[,)\]]`;
}

function definitionOf(name: string, limit: number, mentions: Mentions): Draft {
  return { tool: 'search.definition', input: { name, limit, ...below(mentions) } };
}

function inDocuments({ text, folder }: Mentions, limit: number): Draft {
  const path = folder === undefined ? {} : { path: folder };
  return { tool: 'search.passages', input: { question: text, documents: true, limit, ...path } };
}

/** `session timeout` is a kind of timeout, where nothing is called so as a whole. */
function namesOf(setting: string): string[] {
  const last = setting.split(' ').at(-1) as string;
  return last === setting ? [setting] : [setting, last];
}

/** Of things that a folder is called after, what lies there; else classes that end in their name. */
function planMembers({ of }: Of<'members'>, mentions: Mentions): Draft[] {
  const { folder } = mentions;
  if (folder !== undefined && singular(folder.replace(/^.*\//, '')) === singular(of))
    return [{ tool: 'file.tree', input: { path: folder, depth: 2, lines: screenLines } }];
  const symbols = { name: singular(of), kind: 'class', limit: 18, ...below(mentions) };
  return [
    { tool: 'file.find', input: { pattern: packagesOf(of), limit: 18, ...below(mentions) } },
    { tool: 'file.find', input: { pattern: foldersOf(of), limit: 18, ...below(mentions) } },
    { tool: 'search.symbols', input: symbols },
    ...rankedPassages('s4', mentions),
  ];
}

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
  return kind.replace(/(?<=[sxz]|ch|sh)es$|s$/, '');
}

/** Heads of classes that name another one behind what says so: `class A extends B`, `class A(B)`. */
function madeFrom(name: string): string {
  const own = escapePattern(name.replace(/^.*(?:\.|::|#)/, ''));
  // A long line without the name is left at once.
  const alternatives = [
    String.raw`(?!\s*(?:\*|//|/\*|#|--)).*\b(?:class|interface|struct|trait|object|record)\b.*(?:[(:<,]|\b(?:extends|implements|for|with)\b).*\b${own}\b`,
    String.raw`\s*\)\s*(?::|extends\b|implements\b)\s*(?:[\w.<>, ]+,\s*)?${own}\b`,
    // `impl<T> Name for List<T>` of Rust, and `_ Name = (*List)(nil)`, by which Go makes sure.
    String.raw`\s*(?:unsafe\s+)?impl\b(?:\s*<.*>)?\s+(?:[\w$]+::)*${own}\b.*\bfor\b`,
    String.raw`\s*(?:var\s+)?_\s+(?:\w+\.)?${own}\s*=`,
  ];
  return String.raw`^(?=.*\b${own}\b)(?:${alternatives.join('|')})`;
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
    ...[`${each}.test`, `${each}.spec`, `${each}_spec`, `${each}Test`, `${each}Tests`],
  ]);
  return `{${forms.join(',')}}.*`;
}

/** Whole, with its message, and what it changed in the file that is asked about. */
function shownCommit(log: string, path?: InputRef | string): Draft {
  const paths = path === undefined ? {} : { paths: [path] };
  return { tool: 'git.show', input: { commit: from(log, '/commits/0/hash'), ...paths } };
}

/** The folder that the question is about bounds every search. */
function below({ folder }: Mentions): { path?: string } {
  return folder === undefined ? {} : { path: folder };
}

/**
 * A search and the ranking of what it found, which takes the search's name for that: the lines
 * themselves would fill the journal.
 *
 * @param search id of the search; the ranking is the step behind it
 */
function rankedPassages(search: string, mentions: Mentions): Draft[] {
  const question = mentions.text;
  return [
    { tool: 'search.passages', input: { question, regions: true, ...below(mentions) } },
    { tool: rankPassagesTool.name, input: { question, found: from(search, '/found') } },
  ];
}

/** The definition around the passage of this rank. */
function readAround(step: string, rank: number): Draft {
  return readAt(step, `/passages/${rank}`);
}

/** The definition around a row that has a path and a line. */
function readAt(step: string, row: string): Draft {
  return {
    tool: 'file.read',
    input: { path: from(step, `${row}/path`), around: from(step, `${row}/line`) },
  };
}

function from(step: string, path: string): InputRef {
  return { $from: step, path };
}

function collectReferences(value: unknown, needs: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$from' in value && typeof value.$from === 'string') needs.add(value.$from);
  for (const item of Object.values(value)) collectReferences(item, needs);
}
