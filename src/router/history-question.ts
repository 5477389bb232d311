import type { HistoryReading } from '../contracts/intent.ts';
import { identifiersIn, pathsIn } from '../lib/text/words.ts';
import { authorIn, comparedIn, rangeIn } from './commit-names.ts';

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
  String.raw`(?:${tell}|what(?:'s| is) in|when was)(?: the)?(?: (?:tag|release|version|commit))? (v?\d+(?:\.\d+)+[\w.-]*?)(?: (?:released|tagged|made|published|cut))?`,
  end,
);
const shownCommit = re(
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
  /^\s*(?:who|when|what|(?:which|show|list)(?=.*\bcommits\b))\b.*\b(?:chang\w*|modif\w*|edit\w*|touch\w*|updat\w*|worked|added|committed|commits?)\b/i;
const commits = re(
  start,
  String.raw`(?:(?:${tell}|how many)${the} )?(?:(?:last|latest|recent|newest|most recent|few|\d+) )*(?:git )?(?:commits|commit (?:history|log|messages)|git (?:log|history))(?: (?:since|from|in|of|on|by|this|today|made|here|there)\b.*)?${end}`,
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
  `what(?:'s| is| was| has| have)? (?:been )?(?:changed|changes|happened|new|done|committed|going on|the latest)(?: (?:here|in (?:the|this) (?:repo(?:sitory)?|project|workspace|code ?base)))? (?:recently|lately|last|today|yesterday|since|in the last(?! (?:version|release))|this (?:week|month|year)|most recently)`,
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
export function readHistory(question: string): HistoryReading | undefined {
  if (question.length > 400) return undefined;
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  const words = path === undefined ? question : question.replaceAll(path, 'PATH');
  const compared = comparedIn(question);
  if (compared !== undefined) return { kind: 'history', about: 'compare', ...compared };
  if (path !== undefined && (whyChanged.test(words) || howOften.test(words)))
    return readLog(words, path);
  if (aboutCode.test(words) || identifiersIn(words).length > 0) return undefined;
  const named = namedCommit.exec(words)?.[1];
  if (named !== undefined) return { kind: 'history', about: 'commit', commit: named };
  const shown = shownCommit.exec(words)?.[1];
  if (shown !== undefined)
    return {
      kind: 'history',
      about: 'commit',
      commit: /previous/i.test(shown) ? 'HEAD~1' : 'HEAD',
    };
  const oldest = firstCommits.exec(words);
  if (oldest !== null)
    return {
      kind: 'history',
      about: 'log',
      limit: Math.min(Number(oldest[1] ?? 1), mostCommits),
      oldest: true,
    };
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
  if (/^\s*(?:show|print|give|what).*\bdiff\b/i.test(words) && diff.test(words))
    return { kind: 'history', about: 'status', patch: true };
  if ([ownChanges, uncommitted, changedFiles].some((each) => each.test(words)))
    return {
      kind: 'history',
      about: 'status',
      patch: !/^\s*(?:which|list) .*\bfiles?\b/i.test(words),
    };
  if (diff.test(words)) return { kind: 'history', about: 'status', patch: true };
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
  // Changes since a version are asked for as a whole.
  const isRange = since !== undefined && 'from' in since && since.from.includes('..');
  const author = authorIn(words.replaceAll('PATH', ''));
  return {
    kind: 'history',
    about: 'log',
    limit: Math.min(Math.max(Number(number ?? usual), 1), mostCommits),
    ...(path === undefined ? {} : { path }),
    ...(since === undefined ? {} : since),
    ...(author === undefined ? {} : { author }),
    ...(countedCommits.test(words) || howOften.test(words) || isRange ? { count: true } : {}),
    ...(isWhy ? { why: true } : {}),
  };
}

/** `since yesterday`, `in the last 3 days`, `this week`; `since v1.2` is a range of commits. */
function sinceOf(words: string): { since: string } | { from: string } | undefined {
  const ago = /\b(?:last|past)\s+(\d{1,3}\s+)?(hour|day|week|month|year)s?\b/i.exec(words);
  if (ago !== null) return { since: `${ago[1]?.trim() ?? 1}.${ago[2]?.toLowerCase()}.ago` };
  if (/\btoday\b/i.test(words)) return { since: 'midnight' };
  if (/\byesterday\b/i.test(words)) return { since: 'yesterday.midnight' };
  const current = /\bthis (week|month|year)\b/i.exec(words)?.[1];
  if (current !== undefined) return { since: `1.${current.toLowerCase()}.ago` };
  const range = rangeIn(words);
  return range === undefined ? undefined : { from: range };
}
