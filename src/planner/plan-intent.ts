import type { AskIntent, HistoryReading, Mentions, Reading } from '../contracts/intent.ts';
import { rankPassagesTool } from '../contracts/kernel-tools.ts';
import type { InputRef, Step, StepInput } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';
import { renumberSteps } from './renumber-steps.ts';
import { type LikenessesToGoal, type SpokenTool, spokenTool } from './spoken-tools.ts';

/** A step before it has an id; `needs` follows from the references in its input. */
type Draft = { tool: string; input: StepInput };

type Of<Kind extends Reading['kind']> = Extract<Reading, { kind: Kind }>;

/** How each kind of question is answered by the tools that come along. */
const planners: {
  readonly [Kind in Reading['kind']]: (reading: Of<Kind>, mentions: Mentions) => Draft[];
} = {
  web: ({ url }) => [{ tool: 'web.fetch', input: { url } }],
  history: planHistory,
  references: ({ name }) => [
    { tool: 'search.references', input: { name, limit: 50 } },
    { tool: 'search.symbols', input: { name, limit: 3 } },
  ],
  imports: ({ path, direction }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.imports', input: { path: from('s1', '/paths/0'), direction } },
  ],
  complexity: ({ path }) => [
    { tool: 'search.complexity', input: { limit: 20, ...(path === undefined ? {} : { path }) } },
  ],
  outline: planOutline,
  size: planSize,
  todo: ({ path, mark }) => [
    {
      tool: 'search.todos',
      input: {
        ...(path === undefined ? {} : { path }),
        ...(mark === undefined ? {} : { type: mark }),
      },
    },
    { tool: 'file.find', input: { pattern: '{TODO,ROADMAP,BACKLOG}*' } },
  ],
  listing: planListing,
  file: ({ path, lines }) => [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'file.read', input: { path: from('s1', '/paths/0'), ...lines } },
  ],
  definition: planDefinition,
  manifest: ({ about, name }) => [
    {
      tool: 'search.manifest',
      input: { about, ...(name === undefined ? {} : { name }) },
    },
  ],
  about: () => [
    { tool: 'file.find', input: { pattern: 'readme', limit: 1 } },
    { tool: 'file.read', input: { path: from('s1', '/paths/0'), end: 30 } },
    { tool: 'file.tree', input: { depth: 1 } },
  ],
  guide: (_, mentions) => [
    { tool: 'search.passages', input: { question: mentions.text, documents: true, limit: 4 } },
    ...rankedPassages('s2', mentions),
  ],
  changes: ({ version }) => [
    {
      tool: 'file.find',
      input: { pattern: '{CHANGELOG,CHANGES,HISTORY,NEWS,RELEASES}*', limit: 1 },
    },
    version === undefined
      ? { tool: 'file.read', input: { path: from('s1', '/paths/0'), end: 40 } }
      : {
          tool: 'search.grep',
          input: {
            pattern: version,
            literal: true,
            path: from('s1', '/paths/0'),
            after: 20,
            grouped: true,
            limit: 2,
          },
        },
  ],
  comparison: ({ names }) =>
    names.map((name) => ({ tool: 'search.definition', input: { name, limit: 1 } })),
  tests: ({ name }) => [
    {
      tool: 'search.grep',
      input: {
        pattern: String.raw`\b${name}\b`,
        globs: ['*test*', '*spec*', '**/test/**', '**/tests/**', '**/spec/**', '**/__tests__/**'],
        limit: 40,
      },
    },
  ],
  collection: ({ pattern, path }) => [
    {
      tool: 'search.grep',
      input: { pattern, limit: 200, ...(path === undefined ? {} : { path }) },
    },
  ],
  where: ({ name }, mentions) => [
    ...rankedPassages('s1', mentions),
    readAround('s2', 0),
    ...(name === undefined
      ? []
      : [{ tool: 'search.grep', input: { pattern: name, literal: true, limit: 30 } }]),
  ],
  how: (_, mentions) => [
    ...rankedPassages('s1', mentions),
    readAround('s2', 0),
    readAround('s2', 1),
  ],
};

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
 * @returns no steps where passages were searched already, where nothing to do is the answer, or
 * where a page of the web was asked for, of which the files say nothing
 */
export function planWider({ readings, mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  if (readings.some(({ kind }) => kind === 'todo' || kind === 'web')) return [];
  const [named] = readings.filter((each) => each.kind === 'definition' && each.isName);
  if (named?.kind === 'definition') {
    // No definition has exactly this name: perhaps a part of one has it.
    return toSteps(
      [
        { tool: 'search.symbols', input: { name: named.name, limit: 10 } },
        readAt('s1', '/symbols/0'),
        ...rankedPassages('s3', mentions),
      ],
      tools,
    );
  }
  const looked = readings.filter(({ kind }) => kind !== 'history');
  const isSearched = looked.every(({ kind }) => searching.includes(kind));
  return isSearched ? [] : toSteps(draftsOf({ kind: 'how' }, mentions), tools);
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

function planHistory(reading: HistoryReading): Draft[] {
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
    case 'authors':
      return [
        { tool: 'file.find', input: { pattern: reading.path, limit: 5 } },
        { tool: 'git.blame', input: { path: from('s1', '/paths/0'), authorsOnly: true } },
        { tool: 'git.log', input: { paths: [from('s1', '/paths/0')], limit: 5 } },
      ];
    case 'log': {
      const { limit, path, since, from: range, author, count } = reading;
      // A bare name is that of a file anywhere; git would look for it in the root.
      const isBare = path !== undefined && !path.includes('/');
      const place = isBare ? from('s1', '/paths/0') : path;
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
          },
        },
      ];
    }
  }
}

function planOutline({ path, defines }: Of<'outline'>): Draft[] {
  const input = { limit: 100, ...(defines === undefined ? {} : { kind: defines }) };
  if (!/\.\w+$/.test(path)) return [{ tool: 'search.symbols', input: { path, ...input } }];
  return [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.symbols', input: { path: from('s1', '/paths/0'), ...input } },
  ];
}

/** A word that is not a path of the workspace is one of the text: `how big is the cache?`. */
function planSize(reading: Of<'size'>): Draft[] {
  if (reading.about === 'place') {
    const globs = reading.globs === undefined ? {} : { globs: reading.globs };
    return [{ tool: 'file.stat', input: { path: reading.path, count: true, ...globs } }];
  }
  return [
    { tool: 'file.find', input: { pattern: reading.pattern, limit: 5 } },
    { tool: 'file.stat', input: { path: from('s1', '/paths/0'), count: true } },
  ];
}

function planListing({ pattern, path, tree }: Of<'listing'>): Draft[] {
  const place = path === undefined ? {} : { path };
  if (tree && pattern === '*') return [{ tool: 'file.tree', input: { ...place, depth: 3 } }];
  return [
    { tool: 'file.find', input: { pattern, ...place } },
    { tool: 'file.stat', input: { paths: from('s1', '/paths') } },
  ];
}

function planDefinition({ name, isName }: Of<'definition'>, mentions: Mentions): Draft[] {
  if (isName) {
    return [
      { tool: 'search.definition', input: { name, limit: 3 } },
      { tool: 'search.references', input: { name, limit: 20 } },
    ];
  }
  return [
    { tool: 'search.grep', input: { pattern: name, literal: true, limit: 10 } },
    readAt('s1', '/matches/0'),
    ...rankedPassages('s3', mentions),
  ];
}

/**
 * A search and the ranking of what it found, which takes the search's name for that: the lines
 * themselves would fill the journal.
 *
 * @param search id of the search; the ranking is the step behind it
 */
function rankedPassages(search: string, { text: question }: Mentions): Draft[] {
  return [
    { tool: 'search.passages', input: { question, regions: true } },
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
