import type { HistoryReading, ManifestTopic, Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape-pattern.ts';
import { stemWord } from '../lib/text/stem-word.ts';
import { collections } from './collections.ts';
import { linesIn } from './read-kind.ts';
import { isBareWord, readBag, type WordBag } from './word-bag.ts';

/** What a question of a kind names, beside the words of that kind. */
type Named = { name: string; isWord: boolean; second: string; file: string; bag: WordBag };

/**
 * A kind of question: it has a word of each group, and no words but these, those of `also` and
 * those that say little. What it names comes on top.
 */
type KindRow = {
  names: 'name' | 'two names' | 'file' | 'word' | 'nothing';
  all: readonly string[];
  also?: string;
  reads(named: Named): Reading | undefined;
};

const changing = 'changed modified edited touched updated history blame commit commits log';
const writing = 'wrote written write author authors authored owns';
const using =
  'calls calling callers uses used using users usage usages referenced references invoked consumes instantiated instantiates';
const doing = 'how command way steps instructions';
const engines =
  'node nodejs node.js python go golang rust java ruby php deno bun engine engines runtime toolchain msrv jdk interpreter compiler';

/** The most particular kind first. */
const rows: readonly KindRow[] = [
  {
    names: 'two names',
    all: [
      'difference differences differ different differs compare comparison versus vs distinguish',
    ],
    also: 'between explain main',
    reads: ({ name, second, bag }) =>
      areBeside(bag.question, name, second)
        ? { kind: 'comparison', names: [name, second] }
        : undefined,
  },
  {
    names: 'name',
    all: ['tests tested testing coverage covered covering covers spec specs'],
    also: 'unit case cases suite exercise check exist where how which what import use call reference',
    reads: ({ name }) => ({ kind: 'tests', name }),
  },
  {
    names: 'name',
    all: ['when who which why commit version', 'added introduced created appeared born'],
    also: 'first commit originally version git',
    reads: ({ name, bag }) =>
      log({ about: 'added', name, ...(bag.all.has('why') ? { why: true } : {}) }),
  },
  {
    names: 'name',
    all: [`${changing} ${writing} changes`],
    also: 'last lately recently recent who when why how often time git latest did does',
    reads: ({ name, bag }) =>
      log({ about: 'lines', name, ...(bag.all.has('why') ? { why: true } : {}) }),
  },
  {
    names: 'word',
    all: ['version versions', 'what which'],
    also: 'required requires needed needs used depends do does on pinned installed dependency',
    reads: ({ name, bag }) => engine(bag) ?? { kind: 'manifest', about: 'dependency', name },
  },
  {
    names: 'word',
    all: ['who what which why', 'needs requires depends pulls dependency dependencies'],
    also: 'on in package packages',
    reads: manifest('dependency'),
  },
  {
    names: 'word',
    all: ['do is are', 'depend dependency dependencies'],
    also: 'on',
    reads: manifest('dependency'),
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
    also: 'who which from list all',
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
      /^\s*how (?:do|can|should|to)\b/i.test(bag.question)
        ? undefined
        : // What it calls itself stands in its definition.
          new RegExp(`\\bdo(?:es)? ["'\`]?${name}`).test(bag.question)
          ? definition({ name, isWord: true })
          : { kind: 'references', name },
  },
  {
    names: 'name',
    all: [
      'where how what which explain describe definition declaration defined declared implemented implementation located signature parameters arguments params args docstring show print open meaning look see view me tell find get give display',
    ],
    also: 'means works work stand living accept accepts take takes returned returns return definition body definition declare define implement located live whole signature parameter argument purpose do full up contains contain holds hold has file',
    reads: ({ name, isWord, bag }) =>
      // What is in something is not a definition of it.
      isWord && new RegExp(`\\bin\\s+["'\`]?${escapePattern(name)}`).test(bag.question)
        ? undefined
        : definition({ name, isWord }),
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
      log({ about: 'log', path: file, limit: 10, ...(bag.all.has('why') ? { why: true } : {}) }),
  },
  {
    names: 'file',
    all: [
      'what show open print cat view display content contents read see written inside head beginning look explain describe summarise summarize lines first',
    ],
    also: 'say contain contains lines says top first whole stand in me do does 5 10 15 20 25 30 40 50 100',
    reads: ({ file, bag }) => ({ kind: 'file', path: file, lines: linesIn(bag.question, file) }),
  },
  {
    names: 'nothing',
    all: ['licence license licensed'],
    also: 'under which',
    reads: manifest('license'),
  },
  {
    names: 'nothing',
    all: ['maintains maintainer maintainers'],
    also: 'author authors',
    reads: manifest('author'),
  },
  {
    names: 'nothing',
    all: ['who', `${writing} made develops`],
    also: 'is are',
    reads: manifest('author'),
  },
  {
    names: 'nothing',
    all: ['dependencies deps requirements libraries', 'what which list show does do how'],
    also: 'runtime dev development direct external third party other depend needed required production install',
    reads: (named) =>
      manifest('dependencies')({
        ...named,
        name: /\bdev(?:elopment)?\b/i.test(named.bag.question) ? 'dev' : '',
      }),
  },
  { names: 'nothing', all: ['depend', 'what'], also: 'on', reads: manifest('dependencies') },
  {
    names: 'nothing',
    all: [
      engines,
      'version versions needed needs required requires supported supports minimum minimal target targets oldest lowest run',
    ],
    also: 'work do which at least with',
    reads: manifest('engine'),
  },
  { names: 'nothing', all: ['msrv'], also: 'what which', reads: manifest('engine') },
  {
    names: 'nothing',
    all: ['version'],
    also: 'current latest release released number what',
    reads: manifest('version'),
  },
  {
    names: 'nothing',
    all: ['workspaces crates monorepo members packages subpackages submodules modules'],
    also: 'consist contains contain make up part parts there',
    reads: (named) =>
      /\ban?\s/i.test(named.bag.question) ? undefined : manifest('workspaces')(named),
  },
  {
    names: 'nothing',
    all: ['scripts targets tasks'],
    also: 'npm make makefile available run yarn pnpm exist defined',
    reads: manifest('scripts'),
  },
  {
    names: 'nothing',
    all: [doing, 'test tests testsuite'],
    also: 'run running execute start launch suite all unit whole single one locally do',
    reads: manifest('test'),
  },
  {
    names: 'nothing',
    all: [
      doing,
      'lint linter linting linters formatter format formatting typecheck type-check types prettier style',
    ],
    also: 'run check code fix do',
    reads: manifest('lint'),
  },
  {
    names: 'nothing',
    all: [doing, 'build built compile compiled bundle bundled package packaged'],
    also: 'run made release source from do binary',
    reads: manifest('build'),
  },
  {
    names: 'nothing',
    all: ['started start begin', 'get getting how where'],
    also: 'quick quickstart with do',
    reads: ({ bag }) => (/\bstarted\b|where/i.test(bag.question) ? { kind: 'about' } : undefined),
  },
  {
    names: 'nothing',
    all: [doing, 'run start launch serve'],
    also: 'locally server dev development local up',
    reads: manifest('run'),
  },
  {
    names: 'word',
    all: [doing, 'build built generate run compile make'],
    also: 'locally do',
    reads: (named) =>
      new RegExp(
        `\\b(?:build|generate|run|compile|make)\\w*\\s+(?:the\\s+|our\\s+)?${escapePattern(named.name)}`,
        'i',
      ).test(named.bag.question)
        ? manifest('scripts')(named)
        : undefined,
  },
  {
    names: 'nothing',
    all: ['ci pipeline workflow workflows', 'what which how'],
    also: 'run runs check checks continuous integration do does',
    reads: manifest('ci'),
  },
  {
    names: 'nothing',
    all: ['changelog release-notes changes', 'show open print what read latest'],
    also: 'log latest release notes',
    reads: ({ bag }) => (bag.all.has('changelog') ? { kind: 'changes' } : undefined),
  },
  {
    names: 'nothing',
    all: ['new', 'what'],
    also: 'changes release version latest',
    reads: () => ({ kind: 'changes' }),
  },
  {
    names: 'nothing',
    all: ['contributors contributes contributor contributed'],
    also: 'who most main top all',
    reads: ({ bag }) => (bag.all.has('how') ? undefined : log({ about: 'log', limit: 30 })),
  },
  {
    names: 'nothing',
    all: ['summarise summarize summary overview describe introduce introduction purpose'],
    also: 'about short brief quick me this does do',
    reads: () => ({ kind: 'about' }),
  },
  {
    names: 'nothing',
    all: [
      'what tell explain',
      'this it about project repo package library codebase program tool that app application repository',
    ],
    also: 'about does do purpose goal for tool main point good all',
    reads: ({ bag }) =>
      bag.words.length === 0 ||
      /\babout|purpose|point\b/.test(bag.question) ||
      bag.words.every((word) => ['explain', 'tool'].includes(word))
        ? about(bag)
        : undefined,
  },
  ...collections.map(
    ({ of, words, also, pattern }): KindRow => ({
      names: 'nothing',
      all: [words, 'what which list show all every enumerate name print'],
      also: `${also} read used set defined thrown raised exist custom classes types available supported known possible there valid provided offer offers have take accept define throw raise expose exposed public understand know`,
      reads: () => ({ kind: 'collection', of, pattern }),
    }),
  ),
  {
    names: 'word',
    all: ['what who explain describe define where mean'],
    also: 'means meaning defined definition declared implemented do does',
    reads: ({ name, bag }) =>
      new RegExp(
        `\\b(?:is|are|does|do|explain|describe|define)\\s+(?:an?\\s+|the\\s+)?["'\`]?${name}\\b`,
        'i',
      ).test(bag.question)
        ? definition({ name: asClass(name, bag.question), isWord: true })
        : undefined,
  },
  // A name and nothing else, or a file.
  {
    names: 'name',
    all: [],
    reads: ({ name, isWord, bag }) =>
      bag.all.size <= 1 ? definition({ name, isWord }) : undefined,
  },
  {
    names: 'file',
    all: [],
    reads: ({ file, bag }) =>
      bag.all.size === 0 ? { kind: 'file', path: file, lines: {} } : undefined,
  },
];

function manifest(about: ManifestTopic): (named: Named) => Reading {
  return ({ name }) => ({ kind: 'manifest', about, ...(name === '' ? {} : { name }) });
}

function log(reading: Partial<HistoryReading>): Reading {
  return { kind: 'history', ...reading } as Reading;
}

/** `a blueprint` is one of a class, which is looked for in other spellings where there is none. */
function asClass(name: string, question: string): string {
  const isOne = new RegExp(`\\ban?\\s+${escapePattern(name)}\\b`).test(question);
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

function definition({ name, isWord }: { name: string; isWord: boolean }): Reading {
  const isName = /^[\p{L}_$][\p{L}\p{N}_$.:#]*$/u.test(name);
  return { kind: 'definition', name, isName, ...(isWord ? { isWord: true } : {}) };
}

function about({ question }: WordBag): Reading | undefined {
  return /\bwhere\b|\bwho\b|\bwhen\b|\bwhy\b/i.test(question) ? undefined : { kind: 'about' };
}

function engine({ all }: WordBag): Reading | undefined {
  return stems(engines).some((each) => all.has(each))
    ? { kind: 'manifest', about: 'engine' }
    : undefined;
}

function stemOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

const stems = (words: string): string[] => words.split(/\s+/).map((each) => stemWord(each));
const read = rows.map((row) => {
  const groups = row.all.map((each) => new Set(stems(each)));
  return {
    row,
    groups,
    known: new Set([...groups.flatMap((each) => [...each]), ...stems(row.also ?? '')]),
  };
});

/** What a question is read as: kinds whose names are plain to see, or that need none, and guesses. */
export type Kinds = { sure: Reading[]; guessed: Reading[] };

/**
 * Every kind that the words of a question fit, the most particular first.
 *
 * @param own what the project is called
 */
export function readKinds(question: string, own?: string): Kinds {
  const bag = readBag(question, own);
  const found: { reading: Reading; rank: number }[] = [];
  for (const { row, groups, known } of bag === undefined ? [] : read) {
    if (bag === undefined) break;
    if (!groups.every((group) => [...group].some((word) => bag.all.has(word)))) continue;
    const unknown = bag.words.filter((word) => !known.has(word));
    const named = namedBy(row, bag, unknown, own);
    const reading = named === undefined ? undefined : row.reads({ ...named, bag });
    if (named === undefined || reading === undefined) continue;
    found.push({ reading, rank: named.isGuess ? 2 : row.names === 'nothing' ? 1 : 0 });
  }
  const sorted = found.toSorted((one, other) => one.rank - other.rank);
  return {
    sure: sorted.filter(({ rank }) => rank < 2).map(({ reading }) => reading),
    guessed: sorted.filter(({ rank }) => rank === 2).map(({ reading }) => reading),
  };
}

const article = String.raw`(?:(?:an?|the)\s+)?`;
const compares = String.raw`["'\x60]?([\p{L}_$][\p{L}\p{N}_$.:#]*?)(?:\(\))?["'\x60]?`;
/** Also plain words are names here: `between a blueprint and an app`. */
const compared = new RegExp(
  `\\b(?:between|compare)\\s+${article}${compares}\\s+(?:and|with|to|vs\\.?)\\s+${article}${compares}\\s*[?.!]*$`,
  'iu',
);

type Found = Omit<Named, 'bag'> & { isGuess: boolean };

const none: Found = { name: '', second: '', file: '', isWord: false, isGuess: false };

function namedBy(
  { names }: KindRow,
  bag: WordBag,
  unknown: readonly string[],
  own: string | undefined,
): Found | undefined {
  const [file] = bag.files;
  const isOwn = (word: string): boolean => word.toLowerCase() === own?.toLowerCase();
  const all = [
    ...bag.names.map(({ name, isSure }) => ({ name, isSure, stem: undefined })),
    ...unknown.map((stem) => ({ name: bag.written.get(stem) ?? stem, isSure: false, stem })),
  ].toSorted((one, other) => bag.question.indexOf(one.name) - bag.question.indexOf(other.name));
  const wanted = names === 'two names' ? 2 : names === 'nothing' || names === 'file' ? 0 : 1;
  if (names === 'two names') {
    const pair = compared.exec(bag.question);
    const asked = (at: number): string => asClass(pair?.[at] ?? '', bag.question);
    if (pair !== null) return { ...none, name: asked(1), second: asked(2) };
  }
  // The project itself may be called by its name.
  const named = all.length > wanted ? all.filter(({ name }) => !isOwn(name)) : all;
  if (named.length !== wanted) return undefined;
  const [first, second] = named;
  if (names === 'file') return file === undefined ? undefined : { ...none, file };
  if (file !== undefined) return undefined;
  if (first === undefined) return none;
  if (second !== undefined) return { ...none, name: first.name, second: second.name };
  const isGuess = first.stem !== undefined;
  const found = { ...none, name: first.name, isWord: !first.isSure, isGuess };
  if (names === 'word') return { ...found, isGuess: true };
  return first.stem === undefined || isBareWord(bag, first.stem) ? found : undefined;
}
