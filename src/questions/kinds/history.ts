import type { Mentions } from '../../contracts/intent.ts';
import type { InputRef } from '../../contracts/plan.ts';
import { escapePattern } from '../../lib/text/escape.ts';
import { identifiersIn, pathsIn } from '../../lib/text/words.ts';
import { withoutUndefined } from '../../lib/without-undefined.ts';
import { below, type Draft, from, nameOf, pathOf } from '../drafts.ts';
import { type Kind, writing } from '../kind.ts';
import { authorIn, comparedIn, rangeIn } from '../words/commit-names.ts';

/** What a question about a repository wants to know. */
export type HistoryReading = { kind: 'history'; since?: string; until?: string } & (
  | { about: 'status'; patch: boolean }
  | { about: 'branches' }
  | { about: 'tags' }
  | { about: 'compare'; from: string; to: string }
  /** who wrote the lines of a file */
  | { about: 'authors'; path: string }
  | { about: 'commit'; commit: string }
  /** the commits that changed the lines of what is defined by a name */
  | { about: 'lines'; name: string; why?: true }
  /** the first commit that brought a name */
  | { about: 'added'; name: string; why?: true }
  /** commits that speak of words, or changed files whose path holds them */
  | { about: 'topic'; words: readonly string[]; oldest?: true; why?: true }
  /** who made how many commits */
  | { about: 'contributors' }
  | {
      about: 'log';
      path?: string;
      limit: number;
      from?: string;
      author?: string;
      /** how many there are is wanted, too */
      count?: boolean;
      /** the first ones */
      oldest?: true;
      /** reasons are wanted: the whole message of the last one */
      why?: true;
    }
);

const changing = 'changed modified edited touched updated history blame commit commits log';
const done =
  'changed changes change added introduced removed deleted dropped renamed rewritten replaced reverted updated touched worked modified edited switched moved fixed happened happening done new come came land landed appear appeared start started';

export const history: Kind<HistoryReading> = {
  form: ({ rest }) => readHistory(rest),
  rows: [
    {
      names: 'name',
      all: [
        'when who which why commit version',
        'added introduced created appeared born come came land landed arrive arrived appear',
      ],
      also: 'first commit originally version git option flag argument parameter support did',
      reads: ({ name, bag }) =>
        /^\s*how\b/i.test(bag.question)
          ? undefined
          : log({ about: 'added', name, ...(bag.all.has('why') ? { why: true } : {}) }),
    },
    {
      names: 'name',
      all: [`${changing} ${writing} changes`],
      also: 'last lately recently recent who when why how often time git latest did does',
      // `how is a Block written?` asks for what is done now.
      reads: ({ name, bag }) =>
        /^\s*how (?:is|are|can|should)\b/i.test(bag.question)
          ? undefined
          : log({ about: 'lines', name, ...(bag.all.has('why') ? { why: true } : {}) }),
    },
    {
      names: 'nothing',
      all: [
        'contributors contributes contributor contributed committers authors author commits active',
        'main top most biggest active contributors contributes contributor contributed committers',
      ],
      also: 'who what which list all how many by has have made is are',
      reads: ({ bag }) =>
        bag.all.has('how') ||
        (/\bcommits?\b/i.test(bag.question) && !/\b(?:most|author)/i.test(bag.question))
          ? undefined
          : log({ about: 'contributors' }),
    },
    {
      names: 'file',
      all: [`${changing} changes new`],
      also: 'is last lately recently who when why how often time git latest',
      reads: ({ file, bag }) =>
        log({
          about: 'log',
          path: file,
          limit: bag.all.has('why') ? 5 : 15,
          ...(bag.all.has('why') ? { why: true } : {}),
        }),
    },
    {
      // Of a folder, for which `here` stands.
      names: 'nothing',
      all: [`${changing} changes happened happening worked`, 'here'],
      also: 'who when why what which last recently lately latest recent in was were did has have been on the part week month year',
      reads: ({ bag }) =>
        ofPast.test(bag.question)
          ? log({
              about: 'log',
              ...(bag.all.has('why') ? { limit: 5, why: true } : { limit: 15 }),
            })
          : undefined,
    },
    {
      names: 'words',
      all: [`${done} history commits commit log wrote written created`],
      also: 'who when why what which how latest recently recently lately last recent week month year time first did was were has have had been going on to with for code part thing support commit commits show list tell about option flag feature',
      isLast: true,
      reads: ({ words, bag }) => {
        // Behind `and who` stands what somebody does: `and who maintains it?`
        if (!ofPast.test(bag.question) || words.some((word) => isVerb(word, bag.question)))
          return undefined;
        if (/^\s*who\b.*\bmost of\b/i.test(bag.question) && words.length === 1)
          return log({ about: 'authors', path: words[0] as string });
        const isFirst =
          /\b(?:added|introduced|created|first|come|came|land(?:ed)?|appear(?:ed)?|start(?:ed)?)\b/i.test(
            bag.question,
          );
        return log({
          about: 'topic',
          words: words.flatMap((word) => word.replace(/^--/, '').split(/\s+/)),
          ...(isFirst && /^\s*(?:when|who|why)\b/i.test(bag.question) ? { oldest: true } : {}),
          ...(/^\s*why\b/i.test(bag.question) ? { why: true } : {}),
        });
      },
    },
  ],
  named: (mentions) =>
    pathOf(mentions, (path) => log({ about: 'log', path, limit: 15 })) ??
    nameOf(mentions, (name) => log({ about: 'lines', name })) ??
    log({ about: 'log', limit: 15 }),
  plan: planHistory,
  wider: (reading, { mentions, isFirst }) =>
    isFirst && (reading.about === 'lines' || reading.about === 'added')
      ? planHistory(asTopic(reading), mentions)
      : undefined,
  // What only leads to the commits is not an answer.
  shape: (_, { isWidened }) => (isWidened ? {} : { rows: ['search.definition'] }),
  within: (reading, time) => (timed.test(reading.about) ? { ...reading, ...time } : undefined),
  applies: (reading) => {
    const { from: range = '' } = reading.about === 'log' ? reading : {};
    return (reading.since ?? reading.until) !== undefined || range.includes('..') ? ['time'] : [];
  },
  searches: true,
  takesAnyWord: true,
};

/** What is asked of many commits may be asked of those of a time. */
const timed = /^(?:log|topic|lines|contributors)$/;

function log(reading: Partial<HistoryReading>): HistoryReading {
  return { kind: 'history', ...reading } as HistoryReading;
}

/** What was done, and no rule of the code: `why was X removed`, `what happened to X`, `X lately`. */
const ofPast =
  /^\s*(?:when|why)\s+(?:was|were|did|have|has)\b(?!.*\b(?:if|when)\b)|^\s*who\s+(?:has\s+|have\s+|last\s+)?(?:added|introduced|removed|deleted|wrote|written|created|changed|renamed|rewrote|fixed|touched|worked|modified|updated)\b|\b(?:recently|lately|recent changes|latest changes|history of|commits (?:about|on|to|for|in)|last (?:week|month|year))\b|^\s*what\s+(?:has\s+)?(?:happened|changed)\b(?!.*\b(?:if|when)\b)/i;

function isVerb(word: string, question: string): boolean {
  const behind = String.raw`(?=\s*(?:$|[?.!,]|(?:it|this|that|them|us|the|recently|last|and)\b))`;
  return new RegExp(`\\bwho (?:(?:it|the|this) )?${escapePattern(word)}${behind}`).test(question);
}

/** Commits that are shown when no number is said. */
const defaultCommits = 15;
/** Where the last one is shown whole behind them. */
const commitsBeforeOne = 5;
const mostCommits = 100;

/** It asks for code or reasons, whatever words of git it uses. */
const aboutCode =
  /^\s*(?:how (?!many|old|long)|why|where|explain|which (?:function|class|method|module|code|place|part|test)s?\b)|\b(?:function|class|method|code|implement\w*|handle[sd]?|parse[sd]?|compute[sd]?|decide[sd]?|determine[sd]?|plugins?|tools?|commands?|users?)\b/i;

const start = String.raw`^\s*(?:please\s+)?(?:can you\s+)?(?:tell me\s+)?`;
const tell = `(?:(?:show|print|list|give|display)(?: me)?|what(?:'s| is| are| was| were)?|which(?: are| were| is)?)`;
const the = `(?: (?:the|my|our|all(?: the)?|any))?`;
const end = String.raw`\s*[?.!]*\s*$`;
const re = (...parts: string[]) => new RegExp(parts.join(''), 'i');
const defined = (field: string): InputRef => from('s1', `/definitions/0/${field}`);

const uncommitted = re(
  start,
  String.raw`(?:${tell}|is|are|do|did|have|has|any|there)\b.*\b(?:uncommitted|unstaged|untracked|staged|(?:not|n't) (?:yet )?(?:been )?committed)\b`,
);
const workTree = re(
  start,
  `(?:${tell}|is)${the} (?:status of${the} )?(?:git |repo(?:sitory)? )?(?:working (?:tree|copy|directory)|work tree|repo(?:sitory)?|status of the repo(?:sitory)?|git status)(?: (?:clean|dirty|state|status|changes))?${end}`,
);
const gitStatus = re(start, `(?:${tell}${the} )?git (?:status|state)${end}`);
const ownChanges = re(
  start,
  String.raw`(?:what|which files?) (?:have|did|has|are|were|is) (?:I|we|been|being)\b.*\b(?:chang|modif|edit|touch)`,
);
const changedFiles = re(
  start,
  `(?:what|which|list|show(?: me)?)${the} (?:files? )?(?:are |is |were |was |have |has )?(?:been )?(?:modified|changed|dirty)(?: files?)?(?: (?:right now|locally|so far|yet|at the moment|now))?${end}`,
);
const diff = re(
  start,
  `${tell}${the} (?:git )?(?:diff|(?:local |uncommitted |unstaged |current )?changes)(?: (?:of|in) (?:the )?(?:working (?:tree|copy)|repo(?:sitory)?))?${end}`,
);
const branches = re(
  start,
  `(?:${tell}${the} (?:current |local |git |active )*branch(?:es)?(?: (?:am I|are we|is (?:this|it|checked out|current|active|in use)|are there|exist|do (?:I|we) have|name)(?: on| in)?)?|(?:on|in) (?:which|what) (?:git )?branch (?:am I|are we|is this)|how many (?:git )?branches (?:are there|exist|do (?:I|we) have))${end}`,
);
const tags = re(
  start,
  `(?:(?:${tell}|when was|how many)${the}(?: (?:git|last|latest|newest|most recent|current))* (?:tags?|releases?|tagged version)(?: (?:are there|exist|made|tagged|released|do (?:I|we) have|does (?:it|this (?:repo(?:sitory)?|project)) have|(?:in|of) (?:this|the) (?:repo(?:sitory)?|project)))?)${end}`,
);
/** `show v1.2.0`, `when was version 1.2.0 released?` */
const taggedCommit = re(
  start,
  String.raw`(?:${tell}|what(?:'s| is) in|when (?:was|did))(?: the)?(?: (?:tag|release|version|commit))? (v?\d+(?:\.\d+)+[\w.-]*?)(?: (?:released|tagged|made|published|cut|come out|appear|ship))?`,
  end,
);
const latestCommit = re(
  start,
  `(?:${tell}|what(?: is| was| did|'s)?)(?: (?:in|is in|did|does|changed in|was changed in|(?:the )?(?:diff|patch|details|message|changes) (?:of|in|from)))?${the} (last|latest|newest|most recent|current|HEAD|previous)(?: git)? commit(?: (?:do|does|did|change|changed|contain|contains|say|about))*${end}`,
);
const namedCommit = re(start, String.raw`(?:${tell}|what)\b.*\bcommit ([0-9a-f]{7,64})\b`);
const wrote =
  /^\s*who (?:has |have )?(?:wrote|written|authored|owns|created|is the author of|are the authors of|maintains)\b/i;
/** Its commits say why, as far as anything does. */
const whyChanged =
  /^\s*why (?:was|were|did|has|have|is|are)\b.*\bPATH\b.*\b(?:chang|modif|edit|touch|updat|add|creat|renam|mov)\w*/i;
const touched =
  /^\s*(?:who|when|what|(?:which|show|list)(?=.*\bcommits\b))\b.*\b(?:chang\w*|modif\w*|edit\w*|touch\w*|updat\w*|worked|added|created|committed|commits?)\b/i;
const commits = re(
  start,
  String.raw`(?:(?:${tell}|how many)${the} )?(?:(?:last|latest|recent|newest|most recent|few|\d+) )*(?:git )?(?:commits|commit (?:history|log|messages)|git (?:log|history))(?: (?:are|were)(?: there| made)?)?(?: (?:since|from|in|of|on|by|this|today|made|here|there)\b.*)?${end}`,
);
const firstCommits = re(
  start,
  `(?:${tell}|who made|when was)${the} (?:very )?(?:first|oldest|initial)(?: (\\d+))? commits?(?: made| (?:in|of) (?:the|this) (?:repo(?:sitory)?|project))?${end}`,
);
const countedCommits = re(
  start,
  `(?:how many|(?:what(?:'s| is) )?(?:the )?(?:total )?number of|count(?: (?:the|all))*) (?:git )?commits`,
  String.raw`(?:\s*[?.!]*$| (?:are|were) (?:there|made)\b| have been made\b| (?:do|does|did|has|have) (?!an? ).*\b(?:have|had|make|made|done|commit|committed|contributed?)\b`,
  String.raw`| (?:since|from|in|of|on|by|to|for|this|last|today|yesterday|between|so far|altogether|touch\w*|chang\w*|modif\w*)\b(?! (?:an?|each|every|one)\b))`,
);
const howOften =
  /^\s*how (?:often|many times) (?:was|were|is|has|have|did)\b.*\b(?:chang\w*|modif\w*|edit\w*|touch\w*|updat\w*|commit\w*)\b/i;
const personDid =
  /^\s*(?:what|which \w+) (?:did|has) (?!(?:the|an?|this|that|these|it|we|you|i|they)\b)\p{L}[\p{L}'’. -]* (?:been )?(?:do|doing|up to|working on|done|change|changed|commit|committed|contribute|contributed|work on|worked on|write|written)\b/u;
const latestChanges = re(
  start,
  `${tell}${the} (?:\\d+ )?(?:last|latest|recent|newest|most recent) (?:\\d+ )?changes(?: (?:here|in (?:the|this) (?:repo(?:sitory)?|project)))?${end}`,
);
const recently = re(
  start,
  `(?:what(?:'s| is| was| has| have)?|which files?(?: were| have)?|(?:is there |was there )?anything) (?:been )?(?:(?:last|recently|lately|most recently) (?:changed|committed|done)|(?:changed|changes|happened|new|done|committed|going on|the latest)(?: (?:here|in (?:the|this) (?:repo(?:sitory)?|project|workspace|code ?base)))? (?:recently|lately|last|today|yesterday|since|in the last(?! (?:version|release))|this (?:week|month|year)|most recently))`,
);
const lastCommitter =
  /^\s*(?:who|when)\b.*\b(?:last commit|latest commit|committed last|made the (?:last|latest) commit|commits? here)\b/i;
const contributors =
  /^\s*(?:who|when|what|which|list|show)\b.*\b(?:contributed|contributors|committers|authors of (?:this|the) (?:repo(?:sitory)?|project))\b/i;
const historyOf =
  /^\s*(?:show|print|give|what|list)\b.*\b(?:history|log|commits|changes)\b.*\b(?:of|to|for|in|on)\b/i;

/**
 * What a question asks of the repository, by rules on its words; undefined for what may be
 * about the code. A question with names of code is one about the code.
 */
function readHistory(question: string): HistoryReading | undefined {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  const words = path === undefined ? question : question.replaceAll(path, 'PATH');
  const compared = comparedIn(question);
  if (compared !== undefined) return { kind: 'history', about: 'compare', ...compared };
  if (path !== undefined && (whyChanged.test(words) || howOften.test(words)))
    return readLog(words, path);
  if (aboutCode.test(words) || identifiersIn(words).length > 0) return undefined;
  const named = namedCommit.exec(words)?.[1];
  if (named !== undefined) return { kind: 'history', about: 'commit', commit: named };
  const shown = latestCommit.exec(words)?.[1];
  if (shown !== undefined)
    return log({ about: 'commit', commit: /previous/i.test(shown) ? 'HEAD~1' : 'HEAD' });
  const oldest = firstCommits.exec(words);
  if (oldest !== null) {
    const limit = Math.min(Number(oldest[1] ?? 1), mostCommits);
    return log({ about: 'log', limit, oldest: true });
  }
  if (path === undefined && contributors.test(words))
    return { kind: 'history', about: 'contributors' };
  if (branches.test(words)) return { kind: 'history', about: 'branches' };
  if (tags.test(words)) return { kind: 'history', about: 'tags' };
  const tagged = taggedCommit.exec(words)?.[1];
  if (tagged !== undefined) return { kind: 'history', about: 'commit', commit: tagged };
  if (path !== undefined) {
    if (wrote.test(words)) return { kind: 'history', about: 'authors', path };
    const isLog = [touched, historyOf, countedCommits].some((each) => each.test(words));
    return isLog ? readLog(words, path) : undefined;
  }
  if ([ownChanges, uncommitted, changedFiles, diff].some((each) => each.test(words)))
    return {
      kind: 'history',
      about: 'status',
      patch: !/^\s*(?:which|list) .*\bfiles?\b/i.test(words),
    };
  if (workTree.test(words) || gitStatus.test(words))
    return { kind: 'history', about: 'status', patch: false };
  if (
    [recently, latestChanges, commits, countedCommits, personDid, lastCommitter].some((each) =>
      each.test(words),
    )
  )
    return readLog(words);
  return undefined;
}

function readLog(words: string, path?: string): HistoryReading {
  const number =
    /\b(?:last|latest|recent|newest)?\s*(\d{1,4})\s+(?:\w+\s+)?(?:commits|changes)\b/i.exec(
      words,
    )?.[1];
  const isWhy = /^\s*why\b/i.test(words);
  const usual = isWhy ? commitsBeforeOne : defaultCommits;
  const since = sinceOf(words);
  // What changed since a version is asked for as a whole.
  const isRange = since !== undefined && 'from' in since && since.from.includes('..');
  const author = authorIn(words.replaceAll('PATH', ''));
  return {
    kind: 'history',
    about: 'log',
    limit: Math.min(Math.max(Number(number ?? usual), 1), mostCommits),
    ...withoutUndefined({ path, author, ...since }),
    ...(countedCommits.test(words) || howOften.test(words) || isRange ? { count: true } : {}),
    ...(isWhy ? { why: true } : {}),
  };
}

/** `since yesterday`, `in the last 3 days`, `this week`; `since v1.2` is a range of commits. */
function sinceOf(words: string): { since: string } | { from: string } | undefined {
  const ago = /\b(?:last|past)\s+(\d{1,3}\s+)?(hour|day|week|month|year)s?\b(?! of\b)/i.exec(words);
  if (ago !== null) {
    const [, count = '1', unit = ''] = ago;
    return { since: `${count.trim()}.${unit.toLowerCase()}${Number(count) === 1 ? '' : 's'}.ago` };
  }
  if (/\btoday\b/i.test(words)) return { since: 'midnight' };
  if (/\byesterday\b/i.test(words)) return { since: 'yesterday.midnight' };
  const current = /\bthis (week|month|year)\b/i.exec(words)?.[1];
  if (current !== undefined) return { since: `1.${current.toLowerCase()}.ago` };
  const range = rangeIn(words);
  return range === undefined ? undefined : { from: range };
}

/** What nothing defines may stand in a message. */
function asTopic(
  reading: HistoryReading & { about: 'lines' | 'added' },
): HistoryReading & { about: 'topic' } {
  const { since, until } = reading;
  return {
    ...withoutUndefined({ since, until }),
    ...{ kind: 'history', about: 'topic', words: [reading.name.replace(/^-+/, '')] },
    ...(reading.about === 'added' ? { oldest: true as const } : {}),
    ...(reading.why === true ? { why: true as const } : {}),
  };
}

function planHistory(reading: HistoryReading, mentions: Mentions): Draft[] {
  const { folder } = mentions;
  const { since, until } = reading;
  const time = withoutUndefined({ since, until });
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
          input: { authors: true, ...time, ...(folder === undefined ? {} : { paths: [folder] }) },
        },
      ];
    case 'topic': {
      const { words, oldest } = reading;
      return [
        { tool: 'file.find', input: { pattern: words.join(' '), limit: 100, ...below(mentions) } },
        {
          tool: 'git.log',
          input: {
            topic: [...words],
            paths: from('s1', '/paths'),
            limit: reading.why === true ? 5 : 15,
            ...time,
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
            ...time,
            ...(reading.about === 'added'
              ? { limit: 3, oldest: true }
              : { limit: reading.why === true ? 5 : 15 }),
            lines: {
              ...{ path: defined('path'), name: defined('name') },
              ...{ start: defined('line'), end: defined('endLine') },
            },
          },
        },
        ...(reading.why === true || reading.about === 'added'
          ? [shownCommit('s2', from('s2', '/path'))]
          : []),
      ];
    case 'authors':
      return [
        { tool: 'file.find', input: { pattern: reading.path, limit: 5 } },
        { tool: 'git.blame', input: { path: from('s1', '/paths/0'), authorsOnly: true } },
        { tool: 'git.log', input: { paths: [from('s1', '/paths/0')], limit: 5 } },
      ];
    case 'log': {
      const { limit, path, from: range, author, count, oldest } = reading;
      // A bare name is that of a file anywhere; git would look for it in the root.
      const isBare = path !== undefined && !path.includes('/');
      const place = isBare ? from('s1', '/paths/0') : (path ?? folder);
      return [
        ...(isBare ? [{ tool: 'file.find', input: { pattern: path, limit: 5 } }] : []),
        {
          tool: 'git.log',
          input: {
            ...{ limit, ...time, ...withoutUndefined({ from: range, author, count, oldest }) },
            ...(place === undefined ? {} : { paths: [place] }),
          },
        },
        ...(reading.why === true ? [shownCommit(isBare ? 's2' : 's1', place)] : []),
      ];
    }
  }
}

/** Whole, with its message, and what it changed in the file that is asked about. */
function shownCommit(log: string, path?: InputRef | string): Draft {
  const paths = path === undefined ? {} : { paths: [path] };
  return { tool: 'git.show', input: { commit: from(log, '/commits/0/hash'), ...paths } };
}
