import type { OutlineKind, Reading } from '../contracts/intent.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { collections } from './collections.ts';
import { codePattern, kindPattern, languages } from './file-kinds.ts';
import { engineOf, engines, having, type KindRow, log, manifest, writing } from './kind-row.ts';
import type { WordBag } from './word-bag.ts';

/** As many as are asked for. */
const numbers = '3 5 10 15 20 50 three five ten';
const doing = 'how command way steps instructions';
/** Parts that a program has one of, by which people call the whole of it. */
const parts = 'server client daemon tui gui ui cli tool';

/** Questions about the project as a whole, which name nothing; the most particular kind first. */
export const projectRows: readonly KindRow[] = [
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
    all: [
      'contributors contributes contributor contributed committers authors author commits active',
      'main top most biggest active contributors contributes contributor contributed committers',
    ],
    also: 'who what which list all how many by has have made is are',
    reads: ({ bag }) =>
      bag.all.has('how') || /\bcommits?\b(?!.*\b(?:most|author))/i.test(bag.question)
        ? undefined
        : log({ about: 'contributors' }),
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
    also: 'runtime dev development direct external third party other test tests testing depend needed required production install',
    reads: (named) =>
      manifest('dependencies')({
        ...named,
        name: /\b(?:dev(?:elopment)?|tests?|testing)\b/i.test(named.bag.question) ? 'dev' : '',
      }),
  },
  { names: 'nothing', all: ['depend', 'what'], also: 'on', reads: manifest('dependencies') },
  {
    names: 'nothing',
    all: [
      engines,
      'version versions requirement needed needs required requires supported supports minimum minimal target targets oldest lowest run',
    ],
    also: 'work do which at least with ci used tested build compile it',
    reads: ({ bag }) => engineOf(bag),
  },
  {
    names: 'nothing',
    all: [
      'platforms platform distributions distribution distros distro os oses systems system',
      'supported supports support compatible works work run runs tested',
    ],
    also: 'operating which what does do is are can it on with by officially role collection',
    reads: ({ bag }) =>
      /^\s*how\b|\b(?:build|file) system/i.test(bag.question)
        ? undefined
        : { kind: 'manifest', about: 'platforms' },
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
    also: `consist contains contain make up part parts ${having}`,
    reads: (named) =>
      /\ban?\s/i.test(named.bag.question) ? undefined : manifest('workspaces')(named),
  },
  {
    names: 'nothing',
    all: ['features extras', 'cargo crate optional flags default feature extra which what list'],
    also: `package build compile turn on install installed ${having}`,
    reads: manifest('features'),
  },
  {
    names: 'nothing',
    all: ['scripts targets tasks'],
    also: `npm make makefile run yarn pnpm defined ${having}`,
    reads: manifest('scripts'),
  },
  {
    // `what are the build scripts?`
    names: 'word',
    all: ['scripts targets tasks', 'list show what which'],
    also: `npm make ${having}`,
    reads: (named) =>
      new RegExp(`${escapePattern(named.name)} (?:npm |make )?(?:scripts|targets|tasks)`, 'i').test(
        named.bag.question,
      )
        ? manifest('scripts')(named)
        : undefined,
  },
  {
    names: 'nothing',
    all: [doing, 'test tests testsuite'],
    also: 'run running execute start launch suite all unit whole single one only locally do',
    reads: (named) =>
      /\bhow many\b/i.test(named.bag.question) ? undefined : manifest('test')(named),
  },
  {
    names: 'nothing',
    all: [
      `${doing} what which`,
      'lint linter linters linting linters formatter format formatting typecheck type-check types prettier style',
    ],
    also: 'run check code fix do configured enabled used use are is enforced rules guide',
    // `a style` is also what a page or a terminal has.
    reads: (named) =>
      /\bstyle\b/i.test(named.bag.question) &&
      !/\b(?:code|coding)\b|\bstyle\s*(?:guide|check|rule)/i.test(named.bag.question)
        ? undefined
        : manifest('lint')(named),
  },
  {
    names: 'nothing',
    all: [doing, 'build built compile compiled bundle bundled package packaged'],
    also: 'run made release source from do binary',
    // `how does the release get built?`: what a workflow of that name does.
    reads: (named) =>
      /\breleases?\s+(?:gets?|is|are)\b|\b(?:is|are)\s+(?:the\s+|a\s+)?releases?\b/i.test(
        named.bag.question,
      )
        ? { kind: 'manifest', about: 'ci', name: 'release' }
        : manifest('build')(named),
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
    also: 'run runs check checks continuous integration do does pull request requests push jobs job steps on',
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
    all: [
      'architecture architectural structured organised organized organisation organization laid',
    ],
    also: 'how what explain describe code codebase overview main parts source out internal design',
    // To be shown the structure is to be shown the tree.
    reads: ({ bag }) =>
      /^\s*(?:show|print|draw|list)\b/i.test(bag.question)
        ? undefined
        : { kind: 'about', of: 'architecture' },
  },
  {
    names: 'nothing',
    all: ['where', 'tests test specs'],
    also: 'find located live',
    reads: () => ({ kind: 'listing', pattern: '{*test*,*spec*}', tree: false }),
  },
  {
    // `where are the e2e tests?`
    names: 'word',
    all: ['where', 'tests specs'],
    also: 'find located live',
    reads: ({ name, bag }) =>
      new RegExp(`\\b${escapePattern(name)} (?:tests|specs)\\b`, 'i').test(bag.question)
        ? {
            ...{ kind: 'listing', tree: false },
            pattern: `{**/*${name}*/**/*{test,spec}*,**/*${name}*{test,spec}*}`,
          }
        : undefined,
  },
  {
    names: 'nothing',
    all: ['build', 'system backend tool'],
    also: 'what which used use',
    reads: manifest('build'),
  },
  {
    names: 'nothing',
    all: ['manager', 'package'],
    also: 'what which used use',
    reads: manifest('engine'),
  },
  {
    names: 'nothing',
    all: [
      'list show what which name enumerate',
      'classes class interfaces interface structs struct enums enum traits trait types type functions function constants constant',
    ],
    also: 'all exported public defined export exports there exist',
    reads: ({ bag }) => outline(bag),
  },
  {
    names: 'nothing',
    all: ['list show what which', 'exported exports export public'],
    also: 'api interface all does do',
    reads: () => ({ kind: 'outline', path: '.' }),
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
  {
    names: 'nothing',
    all: ['largest biggest longest', 'function functions method methods'],
    also: `code lines top sorted by ${numbers}`,
    reads: () => ({ kind: 'complexity', by: 'lines' }),
  },
  ...collections.map(
    ({ of, words, also, ofApi, said, ...shapes }): KindRow => ({
      names: 'nothing',
      all: [words, 'what which where list show all every enumerate name print many does any'],
      also: `${also} ${having} defined custom exposed public ${parts}`,
      // Files of tests are listed, not what stands in them.
      reads: ({ bag }) =>
        said?.test(bag.question) === false || (/\bfiles?\b/i.test(bag.question) && of === 'tests')
          ? undefined
          : {
              ...{ kind: 'collection', of, ...shapes },
              ...(ofApi !== undefined && /\bapi\b/i.test(bag.question) ? { files: ofApi } : {}),
            },
    }),
  ),
  {
    // `list all middleware classes`: those with the word in their name.
    names: 'words',
    all: [
      'list show what which name enumerate',
      'classes interfaces structs enums traits types functions constants',
    ],
    also: 'all exported public defined there exist available are is',
    reads: ({ words, bag }) => {
      const [named = '', ...others] = words;
      const isPart = new RegExp(
        `\\b${escapePattern(named)}\\s+(?:${Object.keys(defined).join('|')})(?:\\s+(?:are\\s+there|exist|are\\s+defined))?\\s*[?.!]*$`,
        'i',
      );
      return others.length === 0 && /^\w{3,}$/.test(named) && isPart.test(bag.question)
        ? { ...(outline(bag) as Reading & { kind: 'outline' }), named }
        : undefined;
    },
  },
];

/** With a language, too, only its files are meant. */
const ofCode = new RegExp(
  `\\b(?:source|code|lines?|longest|${languages.replaceAll(' ', '|')})\\b`,
  'i',
);

function about({ question }: WordBag): Reading | undefined {
  return /\bwhere\b|\bwho\b|\bwhen\b|\bwhy\b/i.test(question) ? undefined : { kind: 'about' };
}

const defined: Readonly<Record<string, OutlineKind | undefined>> = {
  classes: 'class',
  interfaces: 'interface',
  structs: 'struct',
  enums: 'enum',
  functions: 'function',
  constants: 'constant',
  types: 'type',
  traits: undefined,
};

/** All of one kind that the workspace, or the folder that is named, defines. */
function outline({ question }: WordBag): Reading | undefined {
  const named = (question.toLowerCase().match(/\p{L}+/gu) ?? []).find((word) =>
    Object.hasOwn(defined, word),
  );
  if (named === undefined) return undefined;
  const kind = defined[named];
  return { kind: 'outline', path: '.', ...(kind === undefined ? {} : { defines: kind }) };
}
