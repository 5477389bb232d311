import type { Mentions } from '../../contracts/intent.ts';
import {
  contentWords,
  goalWords,
  identifiersIn,
  pathsIn,
  quotedIn,
  urlIn,
} from '../../lib/text/words.ts';

const changing =
  /\b(?:fix|repair|mend|correct|change|edit|modify|replace|rename|refactor|rewrite|implement|add|remove|delete|update|write|make|let|resolve|solve)\b/i;
const committing = /\bcommit(?:s|ted|ting)?\b/i;

/** @param wantsWhole whether the question asks to see something */
export function readMentions(text: string, wantsWhole: boolean): Mentions {
  const paths = pathsIn(text);
  const beside = paths.reduce((rest, path) => rest.replaceAll(path, ' '), text);
  const number = /(?:(?<=^|\s)-)?\b\d+(?:\.\d+)?\b/.exec(beside)?.[0];
  return {
    text,
    words: contentWords(text),
    goal: goalWords(text),
    paths,
    names: identifiersIn(text),
    url: urlIn(text),
    quoted: quotedIn(text)[0],
    number: number === undefined ? undefined : Number(number),
    wantsChange: changing.test(text),
    wantsCommit: committing.test(text),
    wantsWhole,
    wantsSupported: /\bsupport/i.test(text),
  };
}
