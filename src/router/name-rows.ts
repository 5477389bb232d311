import type { Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { isCodeExtension } from './file-kinds.ts';
import {
  changing,
  engineOf,
  having,
  isOfEngine,
  type KindRow,
  log,
  type Named,
  writing,
} from './kind-row.ts';
import { linesIn } from './read-kind.ts';

const using =
  'calls calling callers uses used using users usage usages referenced references invoked thrown raised consumes instantiated instantiates';

/** Questions that name something of the code, or a file; the most particular kind first. */
export const nameRows: readonly KindRow[] = [
  {
    names: 'two names',
    all: [
      'difference differences differ different differs compare comparison versus vs distinguish',
    ],
    also: 'between explain main',
    reads: ({ name, second, bag }) =>
      areBeside(bag.question, name, second)
        ? { kind: 'comparison', names: [name, likeFirst(name, second)] }
        : undefined,
  },
  {
    names: 'name',
    all: ['where how what which does do explain show'],
    also: 'flag option switch mean means handled parsed read set used defined implemented declared documented for',
    reads: ({ name }) => (name.startsWith('--') ? definition({ name, isWord: false }) : undefined),
  },
  {
    names: 'name',
    all: ['tests tested testing coverage covered covering covers spec specs'],
    also: 'unit case cases suite exercise check exist where how which what import use call reference',
    reads: ({ name }) => (isModule(name) ? undefined : { kind: 'tests', name }),
  },
  {
    names: 'word',
    all: ['tests test specs', 'where which show list find what'],
    also: 'unit for of',
    reads: ({ name, bag }) =>
      new RegExp(
        `\\b(?:tests?|specs?)\\s+(?:for|of)\\s+(?:the\\s+)?${escapePattern(name)}\\s*[?.!]*$`,
        'i',
      ).test(bag.question)
        ? { kind: 'tests', name }
        : undefined,
  },
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
    names: 'word',
    all: ['version versions', 'what which'],
    also: 'required requires needed needs used depends do does on pinned installed dependency',
    reads: ({ name, bag }) =>
      isOfEngine(bag) ? engineOf(bag) : { kind: 'manifest', about: 'dependency', name },
  },
  {
    // `which version of spring boot is used?`: packages join their words.
    names: 'words',
    all: ['version versions', 'what which'],
    also: `${having} required needed on run depend pinned installed`,
    reads: ({ words, bag }) => {
      const name = new RegExp(
        `\\bversion of (?:the )?(${words.map(escapePattern).join('[ -]')})(?: (?:is|are|does|do)\\b|\\s*[?.!]*$)`,
        'i',
      ).exec(bag.question)?.[1];
      return words.length !== 2 || name === undefined
        ? undefined
        : { kind: 'manifest', about: 'dependency', name: name.replaceAll(' ', '-') };
    },
  },
  {
    names: 'word',
    all: ['who what which why', 'needs requires depends pulls dependency dependencies'],
    also: 'on in package packages',
    reads: dependency,
  },
  {
    names: 'word',
    all: ['do is are', 'depend dependency dependencies'],
    also: 'on',
    reads: (named) => (/^\s*how\b/i.test(named.bag.question) ? undefined : dependency(named)),
  },
  {
    names: 'name',
    all: ['imports imported import importing importers required requires includes included'],
    also: 'where who which from else list all module package library crate header',
    reads: ({ name }) => ({ kind: 'references', name, only: 'imports' }),
  },
  {
    names: 'name',
    all: [
      'subclasses subclassed extends extended inherits inherited derived implements implementations implementers heirs',
    ],
    also: 'who which from list all modules module behaviour behavior protocol base abstract mixin concern',
    reads: ({ name, bag }) =>
      /\bhow\b|\bwhere\b/i.test(bag.question) || /\bimplemented\b/i.test(bag.question)
        ? undefined
        : { kind: 'references', name, only: 'heirs' },
  },
  {
    names: 'name',
    all: [`${using} depends relies`],
    also: 'where who which from else on list all direct site sites place',
    reads: ({ name, bag }) =>
      /^\s*(?:why|how (?:do|can|should|to))\b/i.test(bag.question) ||
      (isModule(name) && /\bpackages?\b.*\bdepends?\b/i.test(bag.question))
        ? undefined
        : // What it calls itself stands in its definition.
          new RegExp(`\\bdo(?:es)? ["'\`]?${name}`).test(bag.question)
          ? definition({ name, isWord: true })
          : { kind: 'references', name, ...(isModule(name) ? { only: 'imports' } : {}) },
  },
  {
    names: 'word',
    all: ['what explain describe purpose summarise summarize responsible'],
    also: 'does do for about of is job role responsible used',
    // A module is called after its file where no folder has its name.
    reads: ({ name, bag }) =>
      new RegExp(
        `\\b(?:does|is|explain|describe|of|summari[sz]e)\\s+(?:the\\s+)?["'\`]?${escapePattern(name)}["'\`]?\\s+(?:module|file|script)\\b`,
        'i',
      ).test(bag.question)
        ? { kind: 'file', path: name, lines: {}, wants: 'purpose' }
        : undefined,
  },
  {
    names: 'name',
    all: ['methods members functions', 'what which list show all does has have'],
    also: 'public all class struct type interface module of in on defined offer offers provide provides expose exposes export exports exported define defines declare declares available there',
    reads: ({ name, bag }) =>
      /\b(?:methods|members|functions)\b/i.test(bag.question) &&
      !/\b(?:call|use|test|import)/i.test(bag.question)
        ? { kind: 'outline', path: '.', of: name }
        : undefined,
  },
  {
    names: 'name',
    all: ['callbacks hooks', 'what which list show'],
    also: `all behaviour behavior module protocol interface must implement implemented call calls optional of in on can be ${having}`,
    reads: ({ name }) => ({ kind: 'outline', path: '.', of: name, named: 'callback' }),
  },
  {
    names: 'name',
    all: [
      'where how what which explain describe definition declaration defined declared implemented implementation located signature parameters arguments params args docstring show print open meaning look see view me tell find get give display list',
    ],
    also: 'means works work stand living accept accepts take takes returned returns return definition body definition declare define implement located live whole signature parameter argument purpose do full up contains contain holds hold has file throw throws raise raises exception exceptions error errors values variants cases fields possible all option property attribute field',
    reads: ({ name, isWord, bag }) =>
      // A question about its contents is not about its definition.
      isWord && new RegExp(`\\bin\\s+["'\`]?${escapePattern(name)}`).test(bag.question)
        ? undefined
        : definition({ name: asClass(name, bag.question), isWord }),
  },
  {
    names: 'file',
    all: ['test tests tested coverage covers'],
    also: 'unit case where',
    reads: ({ file }) => ({ kind: 'tests', name: stemOf(file) }),
  },
  {
    names: 'file',
    all: [`${changing} changes`],
    also: 'last lately recently who when why how often time git latest',
    reads: ({ file, bag }) =>
      log({
        about: 'log',
        path: file,
        limit: bag.all.has('why') ? 5 : 15,
        ...(bag.all.has('why') ? { why: true } : {}),
      }),
  },
  {
    names: 'file',
    all: ['where find locate is are do does have has exists'],
    also: 'located live lives which folder directory there any called named path exist in stand',
    reads: ({ file, bag }) =>
      /^\s*(?:where|find|locate|which folder|is|are|do|does)\b/i.test(bag.question)
        ? { kind: 'listing', pattern: file, tree: false, isNamed: true }
        : undefined,
  },
  {
    names: 'file',
    all: ['what explain describe purpose summarise summarize responsible'],
    also: 'does do for about of is job role good responsible contain used why exist file',
    reads: ({ file, bag }) =>
      /\b(?:does|do|for|about|explain|describe|purpose|summari[sz]e|responsible|role|job|good)\b/i.test(
        bag.question,
      ) && isCode(file)
        ? { kind: 'file', path: file, lines: {}, wants: 'purpose' }
        : undefined,
  },
  {
    names: 'file',
    all: [
      'what show open print cat view display content contents read see written inside head beginning look explain describe summarise summarize lines first',
    ],
    also: 'say contain contains lines says top first whole stand in me do does 5 10 15 20 25 30 40 50 100',
    reads: ({ file, bag }) => ({ kind: 'file', path: file, lines: linesIn(bag.question, file) }),
  },
];

const typeNouns = 'class|struct|interface|trait|enum';

/** `a blueprint` is one of a class, as `the blueprint class` is, which is looked for in other spellings where there is none. */
export function asClass(name: string, question: string): string {
  const own = escapePattern(name);
  const isOne = new RegExp(
    `\\ban?\\s+${own}\\b|\\b${own}\\s+(?:${typeNouns})\\b|\\b(?:${typeNouns})\\s+${own}\\b`,
  ).test(question);
  return isOne ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** `A and B`, `the A class vs. B`. */
function areBeside(question: string, one: string, other: string): boolean {
  const text = question.toLowerCase();
  const behind = text.indexOf(one.toLowerCase()) + one.length;
  const between = text.slice(behind, text.indexOf(other.toLowerCase(), behind));
  return /^[\s"'`()]*(?:\w+\s+)?(?:and|vs\.?|versus|with|to|from|or|than)\s+(?:(?:an?|the)\s+)?(?:\w+\s+)?["'`]?$/i.test(
    between,
  );
}

/** `FuzzyMatchV1 and v2`: the second one is called as the first, but for its number. */
function likeFirst(name: string, second: string): string {
  const number = /^v?(\d+)$/i.exec(second)?.[1];
  return number === undefined ? second : name.replace(/\d+$/, number);
}

export function definition({ name, isWord }: { name: string; isWord: boolean }): Reading {
  const isName = /^[\p{L}_$][\p{L}\p{N}_$.:#]*$/u.test(name);
  return { kind: 'definition', name, isName, ...(isWord ? { isWord: true } : {}) };
}

/** `@scope/name`, `github.com/spf13/pflag`: it is imported, and defined elsewhere. */
function isModule(name: string): boolean {
  return name.includes('/');
}

/** `who needs semver?`, but not `the dependency graph`, nor what a program needs while it works. */
function dependency({ name, bag }: Named): Reading | undefined {
  return new RegExp(
    `\\bdependenc(?:y|ies)\\s+${escapePattern(name)}|^\\s*why\\b(?!.*\\b(?:we|depend\\w*)\\b).*\\b(?:needs?|requires?)\\s+\\w`,
    'i',
  ).test(bag.question)
    ? undefined
    : { kind: 'manifest', about: 'dependency', name };
}

/** A file that defines something; a document says what it is about itself. */
function isCode(file: string): boolean {
  return isCodeExtension(/\.(\w+)$/.exec(file)?.[1] ?? '');
}

function stemOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}
