import { stemWord } from '../lib/text/stem-word.ts';
import type { KindRow } from './kind-row.ts';

/** What programs are told, and have a value of their own for. */
const settings =
  'port ports host hostname address timeout interval ttl delay retries concurrency workers threads';
const doing =
  'listen listens bind binds use used uses run runs connect connects start starts serve serves set value wait waits take takes have has get configured happen server servers long many which what how number';

/** Questions about the value that something has when nobody sets it. */
export const settingRows: readonly KindRow[] = [
  {
    names: 'words',
    all: ['default defaults', 'what which how where is'],
    also: `value setting set configured defined ${doing}`,
    reads: ({ words, bag }) =>
      asksValue.test(bag.question) ? { kind: 'value', of: words.join(' ') } : undefined,
  },
  {
    names: 'nothing',
    all: [settings, 'what which'],
    also: `default defaults ${doing} or and on to`,
    reads: ({ bag }) => {
      const named = settings.split(' ').filter((word) => bag.all.has(stemWord(word)));
      const [first] = named;
      return first === undefined ? undefined : { kind: 'value', of: first };
    },
  },
  {
    names: 'words',
    all: [settings, 'what which'],
    also: `default defaults ${doing} or and on to`,
    reads: ({ bag }) => {
      const named = besideWhich.exec(bag.question)?.[1];
      return named === undefined ? undefined : { kind: 'value', of: named.toLowerCase() };
    },
  },
];

/** `which port does the dev server use?` */
const besideWhich = new RegExp(
  `^\\s*(?:what|which)(?:\\s+(?:is|are)\\s+the)?\\s+(${settings.replaceAll(' ', '|')})\\b`,
  'i',
);
/** `what is the default X`, `which X is used by default`; not `what happens by default`. */
const asksValue =
  /\bdefault(?:s)?\s+(?:value\s+(?:of|for)\s+)?(?:the\s+)?[\p{L}_-]+|\b(?:which|what|how (?:many|long|big|large|much))\s+[\p{L}_-]+.*\bby default\b|\bdefaults?\s+(?:to|of|for)\b|\bdefault\s*[?.!]*$/iu;
