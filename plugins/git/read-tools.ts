import { defineTool, paths, ToolError, v } from '@cuervo/sdk';
import { counted } from './counted.ts';
import { linesLog } from './lines-log.ts';
import { countAuthors, parseBlame } from './parse-blame.ts';
import { type Commit, commitFormat, parseCommit, parseLog } from './parse-log.ts';
import { parseNumstat } from './parse-numstat.ts';
import { parseStatus } from './parse-status.ts';
import { pathArguments, revision, runGit } from './run-git.ts';

/** Bytes of a patch that one answer holds. */
const maxPatchCharacters = 200_000;
const maxEntries = 500;

const onlyPaths = v.optional(
  v.pipe(v.array(v.string()), v.maxLength(200), v.description('only these; default all')),
);
const commitName = (description: string) =>
  v.optional(v.pipe(v.string(), v.minLength(1, 'is empty'), v.description(description)));

const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

export const status = defineTool({
  name: 'status',
  description:
    'What is uncommitted: the branch, how far it is ahead or behind, and which files are staged, changed, untracked or in conflict. Names files; diff shows the lines.',
  effect: 'external',
  input: v.object({ paths: onlyPaths }),
  examples: [{}],
  run: (input) => {
    const output = runGit([
      'status',
      '--porcelain=v2',
      '-z',
      '--branch',
      '--untracked-files=all',
      ...pathArguments(input.paths ?? []),
    ]);
    const found = parseStatus(output.stdout, output.filterNotRun);
    const { entries } = found;
    const torn = entries.filter((entry) => entry.staged === 'unmerged').length;
    const staged = entries.filter((entry) => entry.staged !== undefined).length - torn;
    const where = found.branch ?? 'detached head';
    const conflicts = torn === 0 ? '' : `, ${torn} in conflict`;
    const untold = entries.filter((entry) => entry.unstaged === 'filter not run').length;
    const filters = untold === 0 ? '' : `, ${untold} with filter not run`;
    const counts = `${entries.length} changed, ${staged} of them staged${conflicts}${filters}`;
    const more = entries.length > maxEntries ? { truncated: entries.length - maxEntries } : {};
    return {
      content: { ...found, entries: entries.slice(0, maxEntries), ...more },
      summary: entries.length === 0 ? `${where}: clean` : `${where}: ${counts}`,
    };
  },
});

export const diff = defineTool({
  name: 'diff',
  description:
    'Changed lines as a patch with counts: of the files against the index (default) or, with from HEAD, against the last commit; of what is staged; or between two commits. For one commit use show.',
  effect: 'external',
  input: v.object({
    staged: v.optional(
      v.pipe(v.boolean(), v.description('what is staged, against the last commit')),
    ),
    from: commitName('a commit, branch or tag to compare with; default the index'),
    to: commitName('a second one; default the files as they are'),
    paths: onlyPaths,
  }),
  examples: [{}, { staged: true }, { from: 'main', to: 'HEAD', paths: ['src'] }],
  run: (input) => {
    const revisions = [input.from, input.to].filter((name) => name !== undefined).map(revision);
    const place = [
      ...(input.staged ? ['--cached'] : []),
      ...revisions,
      ...pathArguments(input.paths ?? []),
    ];
    const numbers = runGit(['diff', '--numstat', '-z', ...place]);
    const files = parseNumstat(numbers.stdout);
    const { filterNotRun } = numbers;
    const patch = cut(runGit(['diff', '--no-color', ...place]));
    const untold =
      filterNotRun.length === 0 ? '' : `, filter not run on ${filterNotRun.join(', ')}`;
    const sum = (of: 'added' | 'removed') => files.reduce((all, file) => all + (file[of] ?? 0), 0);
    return {
      content: { files, ...patch, ...(filterNotRun.length === 0 ? {} : { filterNotRun }) },
      summary: `${counted(files.length, 'file')}, ${counted(sum('added'), 'line')} added, ${sum('removed')} removed${untold}`,
    };
  },
});

const time = (description: string) =>
  v.optional(
    v.pipe(v.string(), v.regex(/^[\w.: +-]{1,40}$/, 'is not a time'), v.description(description)),
  );

export const log = defineTool({
  name: 'log',
  description:
    'What changed recently, and who did it: commits, newest first, with hash, author, date, subject and body; of the whole repository, of some paths, of an author, since a time, or those that speak of a word.',
  effect: 'external',
  input: v.object({
    limit: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(500),
        v.description('commits; default 20'),
      ),
    ),
    from: commitName('a branch, tag, commit or range like v1..main; default HEAD'),
    author: v.optional(v.pipe(v.string(), v.description('only by authors whose name holds this'))),
    grep: v.optional(v.pipe(v.string(), v.description('only with this word in their message'))),
    since: time('only newer ones: 2026-11-01, 3.days.ago, yesterday'),
    until: time('only older ones'),
    paths: onlyPaths,
    lines: v.optional(
      v.pipe(
        v.object({
          ...{ path: v.string(), start: lineNumber, end: lineNumber },
          name: v.optional(v.pipe(v.string(), v.minLength(1, 'is empty'))),
        }),
        v.description(
          'only those that changed these lines of one file, e.g. of a function; with its name none from before it was there',
        ),
      ),
    ),
    topic: v.optional(
      v.pipe(
        v.array(v.pipe(v.string(), v.minLength(1, 'is empty'))),
        v.minLength(1, 'is empty'),
        v.maxLength(10),
        v.description('those whose message holds all these words, and those that changed paths'),
      ),
    ),
    authors: v.optional(
      v.pipe(v.boolean(), v.description('in their place how many commits each author made')),
    ),
    oldest: v.optional(v.pipe(v.boolean(), v.description('the oldest first'))),
    count: v.optional(v.pipe(v.boolean(), v.description('also how many there are in all'))),
  }),
  examples: [
    {},
    { limit: 5, paths: ['src/index.ts'] },
    { grep: 'retry' },
    { since: '1.week.ago' },
    { authors: true },
  ],
  run: (input) => {
    const limit = input.limit ?? 20;
    if (input.authors === true) return authorsOf(input);
    if (input.topic !== undefined) return ofTopic(input.topic, { ...input, limit });
    if (input.lines !== undefined && input.paths !== undefined)
      throw new ToolError('invalid-input', 'lines name their file; leave out paths');
    const ofAnyTime = [
      '--fixed-strings',
      '--regexp-ignore-case',
      ...(input.author === undefined ? [] : [`--author=${input.author}`]),
      ...(input.grep === undefined ? [] : [`--grep=${input.grep}`]),
    ];
    const wanted = [...ofAnyTime, ...timeArguments(input)];
    const ends = input.from?.split('..') ?? [];
    const tags = tagsOf(ends);
    const range = input.from && ends.map((name, at) => tags[at] ?? name).join('..');
    const from = range === undefined ? [] : [revision(range)];
    const only = pathArguments(input.paths ?? []);
    const read = (most: number | undefined, filters: readonly string[]) => {
      if (input.lines !== undefined)
        return linesLog(input.lines, { at: range ?? 'HEAD', most, only: filters });
      const count = most === undefined ? [] : [`--max-count=${most}`];
      const form = ['-z', `--format=${commitFormat}`];
      return {
        commits: parseLog(runGit(['log', ...form, ...count, ...filters, ...from, ...only]).stdout),
      };
    };
    // One more, to know whether there are more. Finding the oldest means counting all.
    const { commits: listed, ...place } = read(
      input.oldest === true ? undefined : limit + 1,
      wanted,
    );
    const found = input.oldest === true ? listed.toReversed() : listed;
    const commits = found.slice(0, limit);
    const amount = counted(commits.length, 'commit');
    const isOfOne = input.author !== undefined && input.count !== true;
    const isBound = timeArguments(input).length > 0 || isOfOne;
    if (found.length === 0 && isBound) {
      return ofNoTime(input, read(1, ofAnyTime).commits);
    }
    if (input.count === true) {
      const all = ['rev-list', '--count', ...wanted, revision(range ?? 'HEAD'), ...only];
      return countedCommits(
        commits,
        found.length > limit ? Number(runGit(all).stdout) : found.length,
      );
    }
    if (found.length <= limit) return { content: { commits, ...place }, summary: amount };
    const which = input.oldest === true ? 'first' : 'latest';
    return {
      content: { commits, truncated: true, ...place },
      summary: `the ${which} ${amount}, and there are more`,
    };
  },
});

function timeArguments({ since, until }: Times): string[] {
  return [
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
  ];
}

/** None of a time, with the newest of any. */
function ofNoTime(
  {
    since,
    until,
    author,
    topic,
  }: Times & { author?: string | undefined; topic?: readonly string[] | undefined },
  [newest]: Commit[],
) {
  const by = author === undefined ? '' : ` by ${author}`;
  const about = topic === undefined ? '' : ` about ${topic.join(' ')}`;
  const dayOf = (text: string) => /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? text.replaceAll('.', ' ');
  const begun = since === undefined ? '' : ` since ${dayOf(since)}`;
  const ended = until === undefined ? '' : ` until ${dayOf(until)}`;
  const isOfTime = begun + ended !== '';
  const last = !isOfTime
    ? ''
    : newest === undefined
      ? `; there are none${by} of any time`
      : `; the newest${by} is ${newest.hash.slice(0, 10)} of ${dayOf(newest.date)}: ${newest.subject}`;
  const summary = `no commits${about}${by}${begun}${ended}${last}`;
  return { content: { commits: [], none: summary }, summary };
}

type Times = { since?: string | undefined; until?: string | undefined };

type LogWish = Times & {
  limit: number;
  from?: string | undefined;
  paths?: string[] | undefined;
  oldest?: boolean | undefined;
};

/** A topic may stand in a message or in names of changed files. */
function ofTopic(topic: readonly string[], { limit, from, paths, oldest, ...times }: LogWish) {
  const range = [...timeArguments(times), ...(from === undefined ? [] : [revision(from)])];
  // Finding the oldest means reading all.
  const most = oldest === true ? [] : [`--max-count=${limit + 1}`];
  const read = (...only: string[]): Commit[] =>
    parseLog(runGit(['log', '-z', `--format=${commitFormat}`, ...most, ...only]).stdout);
  const words = ['--fixed-strings', '--regexp-ignore-case', '--all-match'];
  const said = read(...words, ...topic.map((word) => `--grep=${word}`), ...range);
  const changed = (paths ?? []).length === 0 ? [] : read(...range, ...pathArguments(paths ?? []));
  const all = new Map([...said, ...changed].map((each) => [each.hash, each]));
  const sign = oldest === true ? 1 : -1;
  const sorted = [...all.values()].sort((one, other) =>
    one.date === other.date ? 0 : one.date < other.date ? -sign : sign,
  );
  const commits = sorted.slice(0, limit);
  if (commits.length === 0 && timeArguments(times).length > 0)
    return ofNoTime({ ...times, topic }, read('--max-count=1'));
  const more = sorted.length > limit ? ', and there are more' : '';
  return {
    content: { topic, commits, ...(more === '' ? {} : { truncated: true }) },
    summary: `${counted(commits.length, 'commit')} about ${topic.join(' ')}${more}`,
  };
}

/** Authors by the number of their commits, the most first. */
function authorsOf({ from, paths, ...times }: Omit<LogWish, 'limit'>) {
  const output = runGit([
    'log',
    '-z',
    '--format=%aN%x1f%aI',
    ...timeArguments(times),
    ...(from === undefined ? [] : [revision(from)]),
    ...pathArguments(paths ?? []),
  ]);
  const all = new Map<string, { author: string; commits: number; date: string }>();
  for (const row of output.stdout.split('\0').filter(Boolean)) {
    const [author = '', date = ''] = row.split('\u001f');
    const known = all.get(author) ?? { author, commits: 0, date };
    all.set(author, { ...known, commits: known.commits + 1 });
  }
  if (all.size === 0 && timeArguments(times).length > 0) {
    const behind = ['-z', `--format=${commitFormat}`, '--max-count=1'];
    return ofNoTime(times, parseLog(runGit(['log', ...behind]).stdout));
  }
  const authors = [...all.values()].sort(
    (one, other) => other.commits - one.commits || (one.author < other.author ? -1 : 1),
  );
  const more = output.truncated
    ? { truncated: 'there are older commits; name a time with since to count them apart' }
    : {};
  return {
    content: { authors: authors.slice(0, maxEntries), ...more },
    summary: `${counted(authors.length, 'author')} by their commits`,
  };
}

/** A shallow clone has but the latest commits, which is not an answer to how many there are. */
function countedCommits(commits: readonly Commit[], total: number) {
  const isShallow = runGit(['rev-parse', '--is-shallow-repository']).stdout.trim() === 'true';
  const where = isShallow ? ' in this shallow clone, which lacks the older ones' : '';
  const amount = `${counted(total, 'commit')}${where}`;
  const left = total - commits.length;
  return {
    content: { commits, total, ...(isShallow ? { shallow: true } : {}) },
    summary: left === 0 ? amount : `${amount}, the latest ${commits.length} and ${left} more`,
  };
}

export const show = defineTool({
  name: 'show',
  description: 'One commit, default the last: its message and what it changed, as a patch.',
  effect: 'external',
  input: v.object({
    commit: commitName('a commit, branch or tag; default HEAD'),
    paths: onlyPaths,
  }),
  examples: [{}, { commit: 'v1.0.0' }],
  run: (input) => {
    const wanted = input.commit ?? 'HEAD';
    const [tag] = tagsOf([wanted]);
    // An annotated tag is an object of its own, so ask for its commit.
    const name = revision(tag === undefined ? wanted : `${tag}^{commit}`);
    const behind = [name, ...pathArguments(input.paths ?? [])];
    const meta = runGit(['show', '--no-patch', `--format=${commitFormat}`, name]);
    const files = parseNumstat(runGit(['show', '--format=', '--numstat', '-z', ...behind]).stdout);
    const patch = cut(runGit(['show', '--format=', '--no-color', ...behind]));
    const commit = parseCommit(meta.stdout.trimEnd());
    return {
      content: { commit, files, ...patch },
      summary: `${commit.hash.slice(0, 10)} ${commit.subject}: ${counted(files.length, 'file')}`,
    };
  },
});

export const blame = defineTool({
  name: 'blame',
  description:
    'Who wrote a file: for each line author, commit and time, and how many lines are whose.',
  effect: 'external',
  input: v.object({
    path: v.pipe(v.string(), v.description('relative to the workspace')),
    start: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('first line'))),
    end: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description('last line'))),
    authorsOnly: v.optional(
      v.pipe(v.boolean(), v.description('only how many of the lines each author wrote')),
    ),
  }),
  examples: [
    { path: 'src/index.ts', start: 1, end: 20 },
    { path: 'src/index.ts', authorsOnly: true },
  ],
  run: (input) => {
    const range = `${input.start ?? 1},${input.end ?? ''}`;
    const args = ['blame', '--porcelain', '-L', range, ...pathArguments([input.path])];
    const output = runGit(args);
    const lines = parseBlame(output.stdout);
    const authors = countAuthors(lines);
    const more = output.truncated
      ? { truncated: 'the file has more lines; name start and end to see them' }
      : {};
    return {
      content: {
        ...{ path: paths.shown(paths.host(input.path)), authors },
        ...(input.authorsOnly === true ? {} : { lines }),
        ...more,
      },
      summary: `${counted(lines.length, 'line')} by ${counted(authors.length, 'author')}`,
    };
  },
});

export const branches = defineTool({
  name: 'branches',
  description:
    'Branches with their last commit, the newest first; which one is checked out. Or the tags.',
  effect: 'external',
  input: v.object({
    remote: v.optional(v.pipe(v.boolean(), v.description('those of remotes, too'))),
    tags: v.optional(v.pipe(v.boolean(), v.description('tags, the newest first, in their place'))),
  }),
  examples: [{}, { tags: true }],
  run: (input) => {
    if (input.tags === true) {
      const tags = refsOf('creatordate', ['refs/tags']);
      return { content: { tags }, summary: counted(tags.length, 'tag') };
    }
    const found = refsOf('committerdate', [
      'refs/heads',
      ...(input.remote ? ['refs/remotes'] : []),
    ]);
    return {
      content: { branches: found },
      summary: `${found.length} ${found.length === 1 ? 'branch' : 'branches'}`,
    };
  },
});

/**
 * The tags that versions stand for: `1.2.0` may be called `v1.2.0`, `kit-1.2.0` or `kit@1.2.0`, and
 * people say the number. Undefined for every other name.
 */
function tagsOf(names: readonly string[]): (string | undefined)[] {
  const numbers = names.map((name) => /^v?(\d+(?:\.\d+)+[\w.-]*)$/.exec(name)?.[1]);
  if (numbers.every((number) => number === undefined)) return [];
  const tags = refsOf('creatordate', ['refs/tags']).map((tag) => tag.name);
  return numbers.map((number, at) => {
    if (number === undefined) return undefined;
    const isCalled = (tag: string): boolean =>
      tag.endsWith(number) && !/[\d.]$/.test(tag.slice(0, -number.length));
    return tags.find((tag) => tag === names[at]) ?? tags.find(isCalled);
  });
}

/** Names with what they point at, the newest first; of a tag with a message that is its own. */
function refsOf(date: 'committerdate' | 'creatordate', places: readonly string[]) {
  const fields = ['refname:short', 'objectname', '*objectname', 'HEAD', `${date}:iso-strict`];
  const format = [...fields, 'subject'].map((field) => `%(${field})`).join('%00');
  const output = runGit(['for-each-ref', `--sort=-${date}`, `--format=${format}`, ...places]);
  return output.stdout
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [name = '', own = '', target = '', head, when = '', subject = ''] = row.split('\0');
      const hash = target || own;
      return { name, hash, date: when, subject, ...(head === '*' ? { current: true } : {}) };
    });
}

function cut({ stdout, truncated }: { stdout: string; truncated: boolean }) {
  if (stdout.length <= maxPatchCharacters && !truncated) return { patch: stdout };
  const shown = stdout.slice(0, maxPatchCharacters);
  return { patch: shown, truncated: 'the patch is longer; name paths to see the rest' };
}
