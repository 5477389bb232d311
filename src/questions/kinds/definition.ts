import { escapePattern } from '../../lib/text/escape.ts';
import { identifiersIn } from '../../lib/text/words.ts';
import {
  below,
  definitionOf,
  inDocuments,
  nameOf,
  placesOf,
  rankedPassages,
  readAt,
} from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asShown } from '../shape.ts';
import { asClass, kindNouns } from '../words/word-bag.ts';
import { guide } from './guide.ts';

/**
 * The definition of a name; one that is not a name of code is looked for as it is written, and a
 * plain word may be none.
 */
export type DefinitionReading = {
  kind: 'definition';
  name: string;
  isName: boolean;
  isWord?: true;
};

/** What may stand behind a name that is written as any word. */
const beside = new RegExp(
  `^\\s+(?:${kindNouns}|module|package|library|crate|command|option|flag|do|does|mean|means|stand|stands|work|works)\\b`,
  'i',
);

/** Passages that speak of a word are no answer to where it is defined. */
const asksDefined = /\bwhere (?:is|are)\b.*\b(?:defined|declared)\b/i;

export const definition: Kind<DefinitionReading> = {
  rows: [
    {
      names: 'name',
      all: ['where how what which does do explain show'],
      also: 'flag option switch mean means handled parsed read set used defined implemented declared documented for',
      reads: ({ name }) =>
        name.startsWith('--') ? definitionReading({ name, isWord: false }) : undefined,
    },
    {
      names: 'name',
      all: [
        'where how what which explain describe definition declaration defined declared implemented implementation located signature parameters arguments params args docstring show print open meaning look see view me tell find get give display list',
      ],
      also: 'means works work stand living accept accepts take takes returned returns return definition body definition declare define implement located live whole signature parameter argument purpose do full up contains contain holds hold has file throw throws raise raises exception exceptions error errors values variants cases fields possible all option property attribute field',
      reads: ({ name, isWord, bag }) =>
        // What is in something is not a definition of it.
        isWord && new RegExp(`\\bin\\s+["'\`]?${escapePattern(name)}`).test(bag.question)
          ? undefined
          : definitionReading({
              name: asClass(name, bag.question),
              isWord: isWord && !asksDefined.test(bag.question),
            }),
    },
    {
      names: 'word',
      all: ['what who explain describe define where mean'],
      also: 'means meaning defined definition declared implemented do does',
      isLast: true,
      reads: ({ name, bag }) => {
        const asked = new RegExp(
          `\\b(?:is|are|does|do|explain|describe|define)\\s+(?:an?\\s+|the\\s+)?["'\`]?${escapePattern(name)}["'\`]?(?=$|[\\s?.!])(.*)$`,
          'i',
        ).exec(bag.question);
        // `the largest file`, `which types are exported?`: what they say of a thing is not a name.
        const behind = asked?.[1]?.replace(/[\s?.!]+$/, '') ?? '';
        const isOfThing = behind !== '' && !beside.test(behind);
        const isPlace = /^(?:files?|folders?|director(?:y|ies))$/i.test(name);
        return asked === null ||
          isPlace ||
          isOfThing ||
          (/ed$/.test(name) && /\bare\b/.test(bag.question))
          ? undefined
          : definitionReading({
              name: asClass(name, bag.question),
              isWord: !asksDefined.test(bag.question),
            });
      },
    },
    // A name and nothing else.
    {
      names: 'name',
      all: [],
      isLast: true,
      reads: ({ name, isWord, bag }) =>
        bag.all.size <= 1 ? definitionReading({ name, isWord }) : undefined,
    },
  ],
  fallback: (text, asks) => {
    const [name] = asks === 'show' ? identifiersIn(text) : [];
    if (name === undefined) return undefined;
    return { kind: 'definition', name, isName: /^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(name) };
  },
  named: (mentions) =>
    nameOf(mentions, (name) => ({ kind: 'definition', name, isName: true, isWord: true })),
  plan: (reading, mentions) => {
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
      placesOf(name, 10, mentions),
      readAt('s1', '/matches/0'),
      ...rankedPassages('s3', mentions),
    ];
  },
  wider: ({ name, isName }, { mentions, readings }) => {
    // What nobody here defines may be what a document is about.
    if (readings.some(({ kind }) => kind === 'guide'))
      return guide.plan({ kind: 'guide' }, mentions);
    if (!isName) return undefined;
    // No definition has exactly this name: it stands in a text, or a part of one has it.
    return [
      { tool: 'search.symbols', input: { name, limit: 10, ...below(mentions) } },
      readAt('s1', '/symbols/0'),
      ...rankedPassages('s3', mentions),
      placesOf(name, 200, mentions),
    ];
  },
  shape: ({ name, isName, isWord }, { isWidened, readings }) => {
    // Of a name that nothing defines, where it stands.
    const rows = ['search.grep'];
    if (isWidened) {
      // How something is used that nothing here defines, documents say.
      if (readings.some(({ kind }) => kind === 'guide')) return { leads: 2 };
      return isName && isWord !== true ? { rows, lacks: `nothing here defines ${name}` } : { rows };
    }
    if (name.startsWith('--')) return { rows, says: `the places that name ${name}` };
    return { ...asShown, says: `the definition of ${name} and who uses it` };
  },
  searches: true,
};

export function definitionReading({
  name,
  isWord,
}: {
  name: string;
  isWord: boolean;
}): DefinitionReading {
  const isName = /^[\p{L}_$][\p{L}\p{N}_$.:#]*$/u.test(name);
  return { kind: 'definition', name, isName, ...(isWord ? { isWord: true } : {}) };
}

/** A flag stands in code without its dashes, too: `--dry-run`, `"dry-run"`, `pub dry_run: bool`. */
function spelledFlag(flag: string): string {
  const own = escapePattern(flag);
  const field = own.replaceAll('-', '_');
  return String.raw`(?<![\w-])--${own}\b(?!-)|["'\x60]${own}["'\x60]\s*[,)\]]|^\s*pub ${field}:`;
}
