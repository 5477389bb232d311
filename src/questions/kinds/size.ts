import { contentWords, pathsIn } from '../../lib/text/words.ts';
import { below, from } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { codePattern, kindPattern, languages, withPlainKinds } from '../words/file-kinds.ts';

/** The thing whose size a question asks for. */
export type SizeReading = { kind: 'size' } & (
  | { about: 'file'; pattern: string }
  /** a path as it stands there; `globs` count only some of the files below it */
  | { about: 'place'; path: string; globs?: string[] }
  /** the largest files, and the longest ones that are code */
  | { about: 'largest'; only?: 'code' /** a glob for code */; code: string }
);

/** As many as are asked for. */
const numbers = '3 5 10 15 20 50 three five ten';

export const size: Kind<SizeReading> = {
  form: ({ text }) =>
    largerThan.test(text) ? { kind: 'size', about: 'largest', code: codePattern } : readSize(text),
  rows: [
    {
      names: 'nothing',
      all: ['largest biggest longest heaviest most huge', 'file files'],
      also: `source code lines line bytes size top sorted by ${languages} ${numbers}`,
      reads: ({ bag }) =>
        !/\b(?:largest|biggest|longest|heaviest|huge|lines?|bytes|size|code)\b/i.test(bag.question)
          ? undefined
          : {
              kind: 'size',
              about: 'largest',
              code: kindPattern(bag.question, [...bag.all]) ?? codePattern,
              ...(ofCode.test(bag.question) ? { only: 'code' } : {}),
            },
    },
  ],
  named: () => ({ kind: 'size', about: 'place', path: '.' }),
  plan: (reading, mentions) => {
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
  },
  applies: (reading) => (reading.about === 'file' ? [] : ['files']),
  isLoose: true,
};

/** Of one language, too, only its files are meant. */
const ofCode = new RegExp(
  `\\b(?:source|code|lines?|longest|${languages.replaceAll(' ', '|')})\\b`,
  'i',
);

/** The largest come first, wherever the bound lies. */
const largerThan =
  /^\s*(?:(?:which|what|list|show|find)(?: me)?(?: all)?(?: the)? )?files\b.*(?:\b(?:larger|bigger|longer|above|over|more) (?:than )?|>=?\s*)\d/i;

const start = String.raw`^\s*(?:please\s+|and\s+|so\s+)?(?:can you\s+)?(?:tell me\s+|show me\s+)?`;
const end = String.raw`\s*[?.!]*\s*$`;
const unit = '(?:lines?|bytes?|[kmg]i?b|kilobytes?|megabytes?)';
const is = '(?:is|are|does|do|has|have)';
const whole =
  '(?:it|(?:the|this|my|our)(?: (?:whole|entire))? (?:repo(?:sitory)?|project|code ?base|workspace|folder|directory|package|code))';

/** In front of what is measured, and behind it. */
const measured: readonly (readonly [string, string])[] = [
  [`how (?:big|large|long|heavy) ${is} `, ''],
  [`how many ${unit}(?: of (?:code|text|source code))? ${is}(?: there)?(?: in| within)? `, ''],
  [`how many ${unit}(?: of (?:code|text|source code))? ${is} `, ' (?:have|contain|hold|take|long)'],
  [`how many ${unit}(?: of (?:code|text|source code))? in `, ''],
  [`(?:what(?:'s| is) )?(?:the )?(?:size|length|line count|number of lines) (?:of|in) `, ''],
];

/** `how many lines of Python are there?` counts in the whole workspace. */
const ofKind = new RegExp(
  `${start}how many ${unit} of (.+?)(?: (?:${is})(?: (?:there|we|${whole}))?(?: have| contain)?)?(?: (?:in|here)(?: ${whole})?)?${end}`,
  'i',
);
const allLines = new RegExp(
  `${start}how many ${unit}(?: of (?:code|text|source code))?(?: ${is} there)?(?: in (?:all|total)| altogether| here)?${end}`,
  'i',
);

/** `how many TypeScript files are there?` */
const filesOfKind = new RegExp(
  `${start}(?:how many|count(?: (?:the|all))*|(?:what is )?the number of) (.+?) ?files?(?: (?:are|is|do|does|has|have)(?: (?:there|we|${whole}))?(?: have| contain)?)?(?: (?:in|here)(?: ${whole})?)?${end}`,
  'i',
);

/** Each other expression begins with one of these. They take 10 ms to compile, for no other question. */
const mayAsk = /\b(?:how (?:big|large|long|heavy|many)|size|length|line count|number|count)\b/i;

/** A line of a file, and the files beside it: one is measured. */
const besideFile =
  /(?<=[^\s/.]\.[a-z]\w{0,9}["'`]?):\d+|(?<=[^\s/.]\.[a-z]\w{0,9}["'`]?) (?:and|or) ["'`]?[^\s"'`]+\.[a-z]\w{0,9}["'`]?(?=[\s?!.]|$)/gi;

/** By rules on its words; undefined for what asks no such thing, as `how big is a cache line?`. */
function readSize(asked: string): SizeReading | undefined {
  if (!mayAsk.test(asked)) return undefined;
  const question = asked.replace(besideFile, '');
  if (allLines.test(question)) return { kind: 'size', about: 'place', path: '.' };
  for (const [front, behind] of measured) {
    const thing = new RegExp(`${start}${front}(.+?)${behind}${end}`, 'i').exec(question)?.[1];
    const found = thing === undefined ? undefined : readThing(thing);
    if (found !== undefined) return found;
  }
  return readFilesOfKind(question);
}

function readThing(thing: string): SizeReading | undefined {
  if (new RegExp(`^${whole}$`, 'i').test(thing)) return { kind: 'size', about: 'place', path: '.' };
  const named =
    /^(?:the )?(?:(?:file|folder|directory|module|package) )?[`"']?([^\s`"']+?)\/?[`"']?(?: (?:file|folder|directory|module|package))?$/i.exec(
      thing,
    )?.[1];
  if (named === undefined) return undefined;
  const [path] = pathsIn(named);
  const isFile = path === named && !path.includes('*') && /[^/]\.\w+$/.test(path);
  return isFile
    ? { kind: 'size', about: 'file', pattern: path }
    : { kind: 'size', about: 'place', path: named };
}

function readFilesOfKind(question: string): SizeReading | undefined {
  const plain = withPlainKinds(question);
  const kind = ofKind.exec(plain)?.[1] ?? filesOfKind.exec(plain)?.[1];
  if (kind === undefined) return undefined;
  const words = contentWords(kind).filter((word) => !/^(?:code|source|files?)$/.test(word));
  const glob = words.length === 1 ? kindPattern(kind, words) : undefined;
  return glob === undefined
    ? undefined
    : { kind: 'size', about: 'place', path: '.', globs: [glob] };
}
