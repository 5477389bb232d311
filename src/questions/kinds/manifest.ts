import { escapePattern } from '../../lib/text/escape.ts';
import { below, inDocuments } from '../drafts.ts';
import { having, type Kind, type Named, stems, writing } from '../kind.ts';
import { engines } from '../words/file-kinds.ts';
import type { WordBag } from '../words/word-bag.ts';
import { history } from './history.ts';
import { members } from './members.ts';

/** What a question wants to know of `package.json`, `Cargo.toml`, `Makefile` and the like. */
export type ManifestReading = {
  kind: 'manifest';
  about: ManifestTopic;
  /** of the dependency that is asked about */
  name?: string;
  /** what the parts of a project are called */
  called?: string;
};

export type ManifestTopic =
  | 'version'
  | 'engine'
  | 'dependency'
  | 'dependencies'
  | 'workspaces'
  | 'scripts'
  | 'build'
  | 'run'
  | 'test'
  | 'lint'
  | 'features'
  | 'ci'
  | 'license'
  | 'author'
  | 'platforms';

const doing = 'how command way steps instructions';

export const manifest: Kind<ManifestReading> = {
  rows: [
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
      names: 'nothing',
      all: ['licence license licensed'],
      also: 'under which',
      reads: reads('license'),
    },
    {
      names: 'nothing',
      all: ['maintains maintainer maintainers'],
      also: 'author authors',
      reads: reads('author'),
    },
    {
      names: 'nothing',
      all: ['who', `${writing} made develops`],
      also: 'is are',
      reads: reads('author'),
    },
    {
      names: 'nothing',
      all: ['dependencies deps requirements libraries', 'what which list show does do how'],
      also: 'runtime dev development direct external third party other test tests testing depend needed required production install',
      reads: (named) =>
        reads('dependencies')({
          ...named,
          name: /\b(?:dev(?:elopment)?|tests?|testing)\b/i.test(named.bag.question) ? 'dev' : '',
        }),
    },
    { names: 'nothing', all: ['depend', 'what'], also: 'on', reads: reads('dependencies') },
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
    { names: 'nothing', all: ['msrv'], also: 'what which', reads: reads('engine') },
    {
      names: 'nothing',
      all: ['version'],
      also: 'current latest release released number what',
      reads: reads('version'),
    },
    {
      names: 'nothing',
      all: ['workspaces crates monorepo members packages subpackages submodules modules'],
      also: `consist contains contain make up part parts ${having}`,
      reads: ({ bag }) => {
        const called = /\b(?:modules|packages|members)\b/i.exec(bag.question)?.[0].toLowerCase();
        return /\ban?\s/i.test(bag.question)
          ? undefined
          : { kind: 'manifest', about: 'workspaces', ...(called === undefined ? {} : { called }) };
      },
    },
    {
      names: 'nothing',
      all: ['features extras', 'cargo crate optional flags default feature extra which what list'],
      also: `package build compile turn on install installed ${having}`,
      reads: reads('features'),
    },
    {
      names: 'nothing',
      all: ['scripts targets tasks'],
      also: `npm make makefile run yarn pnpm defined ${having}`,
      reads: reads('scripts'),
    },
    {
      // `what are the build scripts?`
      names: 'word',
      all: ['scripts targets tasks', 'list show what which'],
      also: `npm make ${having}`,
      reads: (named) =>
        new RegExp(
          `${escapePattern(named.name)} (?:npm |make )?(?:scripts|targets|tasks)`,
          'i',
        ).test(named.bag.question)
          ? reads('scripts')(named)
          : undefined,
    },
    {
      names: 'nothing',
      all: [doing, 'test tests testsuite'],
      also: 'run running execute start launch suite all unit whole single one only locally do',
      reads: (named) =>
        /\bhow many\b/i.test(named.bag.question) ? undefined : reads('test')(named),
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
          : reads('lint')(named),
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
          : reads('build')(named),
    },
    {
      names: 'nothing',
      all: [doing, 'run start launch serve'],
      also: 'locally server dev development local up',
      // How one gets started, a README says.
      reads: (named) => (/\bstarted\b/i.test(named.bag.question) ? undefined : reads('run')(named)),
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
          ? reads('scripts')(named)
          : undefined,
    },
    {
      names: 'nothing',
      all: ['ci pipeline workflow workflows', 'what which how'],
      also: 'run runs check checks continuous integration do does pull request requests push jobs job steps on',
      reads: reads('ci'),
    },
    {
      names: 'nothing',
      all: ['build', 'system backend tool'],
      also: 'what which used use',
      reads: reads('build'),
    },
    {
      names: 'nothing',
      all: ['manager', 'package'],
      also: 'what which used use',
      reads: reads('engine'),
    },
  ],
  named: () => undefined,
  plan: ({ about, name }, mentions) => [
    {
      tool: 'search.manifest',
      input: { about, ...below(mentions), ...(name === undefined ? {} : { name }) },
    },
    // Documents say it in words, with what has to be done before.
    ...(['build', 'run', 'test', 'lint', 'scripts', 'platforms'].includes(about)
      ? [inDocuments(mentions, 2)]
      : []),
  ],
  wider: ({ about, called }, { mentions, isFirst }) => {
    if (!isFirst) return undefined;
    if (about === 'author')
      return history.plan({ kind: 'history', about: 'contributors' }, mentions);
    // Some programs call what they consist of modules, and have no manifest for each.
    if (called !== undefined) return members.plan({ kind: 'members', of: called }, mentions);
    if (about !== 'version') return undefined;
    // Some projects say it in their code, or with tags alone.
    return [
      {
        tool: 'search.grep',
        input: {
          pattern: versionInCode,
          globs: ['*.py', '*.go', '*.rb', '*.js', '*.ts', '*.rs', '*.{h,hpp}'],
          limit: 5,
          ...below(mentions),
        },
      },
      { tool: 'git.branches', input: { tags: true } },
    ];
  },
  shape: (_, { isWidened }) =>
    isWidened
      ? { listsFirst: true }
      : { says: 'what the manifests say', rows: ['search.manifest'] },
  // What is built or run by name may be written down in a document, and in no manifest.
  mayBe: ({ about, name }) => (about === 'scripts' && name !== undefined ? 'guide' : undefined),
  trustsGuess: true,
};

const versionInCode = String.raw`\b(?:__version__|[Vv]ersion|VERSION)\b\s*(?::?=|:)\s*["']v?\d+\.\d+|^\s*#\s*define\s+\w*VERSION(?:_STRING)?\s+"?v?\d[\d.]+`;

function reads(about: ManifestTopic): (named: Pick<Named, 'name'>) => ManifestReading {
  return ({ name }) => ({ kind: 'manifest', about, ...(name === '' ? {} : { name }) });
}

/** It speaks of the engine that a project runs on. */
function isOfEngine({ all }: WordBag): boolean {
  return stems(engines).some((each) => all.has(each));
}

/** Of the language that it names, where it names one: a workflow may need others as well. */
function engineOf({ question }: WordBag): ManifestReading {
  const named =
    /\b(?:node|python|go|rust|java|ruby|php|deno|bun|elixir|erlang|otp|swift|scala)(?=js\b|\.js\b|lang\b|\b)/i.exec(
      question,
    );
  return reads('engine')({ name: named?.[0].toLowerCase() ?? '' });
}

/** `who needs semver?`; `the dependency graph` is none, and what a program needs at work is none. */
function dependency({ name, bag }: Named): ManifestReading | undefined {
  return new RegExp(
    `\\bdependenc(?:y|ies)\\s+${escapePattern(name)}|^\\s*why\\b(?!.*\\b(?:we|depend\\w*)\\b).*\\b(?:needs?|requires?)\\s+\\w`,
    'i',
  ).test(bag.question)
    ? undefined
    : { kind: 'manifest', about: 'dependency', name };
}
