import { stopWords } from '../../lib/text/words.ts';
import { isAsked } from './to-english.ts';

/** Words that stand behind `by` and are nobody's name. */
const nobody =
  /^(?:us|any\w*|default|date|day|week|month|year|author|hand|mistake|files?|folder|name|branch|tag)$/i;

/** Letters of a name or a mail address; further words of a name begin with capitals. */
const letters = String.raw`[\p{L}\d][\p{L}\p{M}\w.@+'’-]*`;
const person = String.raw`(${letters}(?: (?:(?:von|van|de|der|den|la|di|da|al) )?\p{Lu}[\p{L}\p{M}.'’-]*)*)`;
const by = new RegExp(
  String.raw`(?<!\b(?:not|than|nor|except(?: for)?) )\b[Bb]y (?:the author )?${person}`,
  'u',
);
const did = new RegExp(
  String.raw`\b(?:did|has) ${person} (?:been )?(?:make|made|do|doing|up to|working on|done|change|changed|commit|committed|contribute|contributed|work|worked|write|written)\b`,
  'u',
);

/** Who made the commits that are asked for: `by Ann`, `did Ann Lee make`; undefined for all. */
export function authorIn(words: string): string | undefined {
  const name = (by.exec(words)?.[1] ?? did.exec(words)?.[1])?.replace(/[.'’-]+$/, '');
  const [first = ''] = name?.split(' ') ?? [];
  // `what has recently changed?`: in small letters, a word of every day is no name.
  const isWord = stopWords.has(first.toLowerCase()) || (/^\p{Ll}/u.test(first) && isAsked(first));
  return first.length > 1 && !nobody.test(first) && !isWord ? name : undefined;
}

const commit = String.raw`[\w][\w./~^@-]*?`;
/** A version, a place from HEAD on, a usual branch or a hash; other words need one beside them. */
const surely =
  /^(?:v?\d+(?:\.\d+)+[\w.-]*|v\d+[\w.-]*|HEAD[~^\d@{}-]*|main|master|develop|trunk|[0-9a-f]{7,64})$/;
const and = String.raw`(?:\.{2,3}|\s+(?:and|with|to|vs\.?|versus|against|from)\s+)`;
const two = String.raw`(?:the )?(?:branch |tag |version |release )?(${commit})${and}(?:the )?(?:branch |tag |version |release )?(${commit})(?: branch)?(?=[?.!]*(?:\s|$))`;
const compared = new RegExp(
  String.raw`^\s*(?:please\s+)?(?:compare|diff|(?:show|print|give|what)\b.*\b(?:diffs?|differences?|differs|changed|changes|different)(?: is there)?(?: between| from)?)\s+${two}`,
  'i',
);
const between = new RegExp(String.raw`\bbetween ${two}`, 'i');

/** `compare v1.2 with main`, `what changed between v1 and v2?`: two names of commits. */
export function comparedIn(question: string): { from: string; to: string } | undefined {
  return pairOf(compared.exec(question));
}

/** `since v1.2`, `between v1 and v2`, `on main`: the commits that git gives for these. */
export function rangeIn(words: string): string | undefined {
  const pair = pairOf(between.exec(words));
  if (pair !== undefined) return `${pair.from}..${pair.to}`;
  const since = /\bsince (?:the )?(?:version |release |tag )?(v?\d+(?:\.\d+)*[\w.-]*)/i.exec(words);
  if (since !== null && /[.v]/.test(since[1] ?? ''))
    return `${since[1]?.replace(/[.-]+$/, '')}..HEAD`;
  return /\b(?:on|in|of|from) (?:the )?(?:branch ([\w./-]*\w)|([\w./-]*\w) branch\b|(main|master|develop|trunk)\b)/i
    .exec(words)
    ?.slice(1)
    .find((name) => name !== undefined && !/^(?:this|current|which|what|my|our)$/i.test(name));
}

function pairOf(match: RegExpExecArray | null): { from: string; to: string } | undefined {
  const [, from, to] = match ?? [];
  if (from === undefined || to === undefined) return undefined;
  return surely.test(from) || surely.test(to) ? { from, to } : undefined;
}
