import type { fs } from '@cuervo/sdk';
import { escapePattern } from '../escape-pattern.ts';
import { type Entry, readEntries } from './entries.ts';

const scriptFolders = '{script,scripts,bin,tools}';
/** Files that say what a project is and how it is built. */
const manifestGlobs = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Makefile',
  'GNUmakefile',
  'makefile',
  'justfile',
  'tox.ini',
  'tox.toml',
  'Dockerfile',
  'composer.json',
  'deno.json',
  'rust-toolchain.toml',
  '.nvmrc',
  '.node-version',
  '.python-version',
  '.ruby-version',
  '.github/workflows/*.yml',
  '.github/workflows/*.yaml',
  '.gitlab-ci.yml',
  '.pre-commit-config.yaml',
  'pnpm-workspace.yaml',
  'lerna.json',
  'go.work',
  'settings.gradle',
  'settings.gradle.kts',
  'requirements*.txt',
  'Pipfile',
  'Gemfile',
  '*.gemspec',
  'Rakefile',
  'noxfile.py',
  'Taskfile.yml',
  'Taskfile.yaml',
  'VERSION',
  'mix.exs',
  'Package.swift',
  // A role of Ansible.
  'meta/main.yml',
  'meta/main.yaml',
  'CMakeLists.txt',
  'build.sbt',
  'gradle.properties',
  'libs.versions.toml',
  '.golangci.yml',
  '.golangci.yaml',
  // Tasks that are files: `scripts/test`, `script/build.sh`.
  `${scriptFolders}/{test,tests,unit,check,build,compile,dist,run,start,serve,dev,lint,format,fmt,typecheck}{,.sh}`,
];
const foreign = ['**/node_modules/**', '**/vendor/**', '**/.venv/**'];
export const topics = [
  'version',
  'engine',
  'dependency',
  'dependencies',
  'workspaces',
  'scripts',
  'build',
  'run',
  'test',
  'lint',
  'features',
  'ci',
  'about',
  'license',
  'author',
  'platforms',
] as const;

const ofWorkflows: ReadonlySet<Topic> = new Set([
  ...(['engine', 'platforms', 'scripts', 'build', 'run', 'test', 'lint', 'ci'] as const),
]);
/** What a project says as a whole, above its packages. */
const ofWhole: ReadonlySet<Topic> = new Set([
  ...(['version', 'engine', 'license', 'author', 'build', 'run', 'test', 'lint'] as const),
]);
const fromPackages = 4;
const fromWorkflow = 3;
const maxFiles = 1000;
const maxFacts = 60;
/** More than a screen has. */
const manyFacts = 15;
/** A script of a workflow may be long; its first words say what it is. */
const maxText = 300;

export type Topic = (typeof topics)[number];
export type Fact = {
  path: string;
  line: number;
  endLine: number;
  text: string;
  /** the sections around it */
  within?: string;
};
/** How many manifests ask for one version of a dependency. */
export type Version = { version: string; manifests: number };

/** The default where a manifest of that kind says nothing else. */
const usual: readonly {
  manifest: RegExp;
  commands: Partial<Record<Topic, string>>;
}[] = [
  { manifest: /(?:^|[/:])tox\.(?:ini|toml)$/, commands: { test: 'tox' } },
  { manifest: /(?:^|[/:])noxfile\.py$/, commands: { test: 'nox' } },
  {
    manifest: /(?:^|[/:])go\.mod$/,
    commands: {
      test: 'go test ./...',
      build: 'go build ./...',
      run: 'go run .',
      lint: 'go vet ./...',
    },
  },
  {
    manifest: /(?:^|[/:])Cargo\.toml$/,
    commands: { test: 'cargo test', build: 'cargo build', run: 'cargo run', lint: 'cargo clippy' },
  },
  {
    manifest: /(?:^|[/:])pom\.xml$/,
    commands: { test: 'mvn test', build: 'mvn package', lint: 'mvn verify' },
  },
  {
    manifest: /(?:^|[/:])build\.gradle(?:\.kts)?$/,
    commands: {
      test: 'gradle test',
      build: 'gradle build',
      run: 'gradle run',
      lint: 'gradle check',
    },
  },
  {
    manifest: /(?:^|[/:])(?:pyproject\.toml|setup\.py|setup\.cfg)$/,
    commands: { test: 'python -m pytest', build: 'python -m build' },
  },
  {
    manifest: /(?:^|[/:])mix\.exs$/,
    commands: { test: 'mix test', build: 'mix compile', lint: 'mix format --check-formatted' },
  },
  {
    manifest: /(?:^|[/:])Package\.swift$/,
    commands: { test: 'swift test', build: 'swift build', run: 'swift run' },
  },
  {
    manifest: /(?:^|[/:])build\.sbt$/,
    commands: { test: 'sbt test', build: 'sbt package', run: 'sbt run' },
  },
  {
    manifest: /(?:^|[/:])CMakeLists\.txt$/,
    commands: { test: 'ctest --test-dir build', build: 'cmake -B build && cmake --build build' },
  },
];

const dependencyKeys =
  /^(?:(?:dev|peer|optional|build|bundled)?-?dependencies|require|requires|install_requires|dependency-groups|optional-dependencies|extras_require|require-dev|implementation|api|testImplementation|compile|parent)$/i;
const isDependency = ({ keys }: Entry): boolean => keys.some((key) => dependencyKeys.test(key));
const last = ({ keys }: Entry): string => keys.at(-1) ?? '';
const isOwnName = (entry: Entry): boolean =>
  /^(?:name|artifactId)$/.test(last(entry)) && isTop(entry) && entry.keys.length <= 2;
const isTop = ({ keys }: Entry): boolean =>
  keys.length === 1 || /^(?:project|package|metadata|tool|workspace)$/.test(keys[0] ?? '');
const isTask = ({ keys }: Entry): boolean =>
  /^(?:scripts|targets|tasks|testenv)$/.test((keys[0] ?? '').replace(/:.*/, '')) ||
  /^(?:run|script|commands|cmd|shell|CMD|ENTRYPOINT)$/.test(keys.at(-1) ?? '') ||
  (keys[0] === 'tool' && keys.slice(1).some((key) => /^(?:scripts|tasks)$/.test(key)));

/** A task by its name, or a command that plainly does it. */
const task =
  (names: RegExp, commands: RegExp) =>
  (entry: Entry): boolean =>
    isTask(entry) && (names.test(last(entry)) || commands.test(entry.value));
/** The same, and the linters that a file of their own names. */
function orConfigured(names: RegExp, commands: RegExp): (entry: Entry) => boolean {
  const isDone = task(names, commands);
  return (entry) =>
    isDone(entry) || (entry.keys[0] === 'linters' && /^(?:enable|id)$/.test(entry.keys[1] ?? ''));
}
/** A task has the name itself; a step of a workflow only runs it. */
const isNamedTask = ({ keys }: Entry): boolean =>
  /^(?:scripts|targets|tasks)$/.test(keys[0] ?? '') || keys[0] === 'tool';

/** Which entries each question wants. */
const wanted: Readonly<Record<Topic, (entry: Entry) => boolean>> = {
  dependency: isDependency,
  version: (entry: Entry) => /^version$/.test(last(entry)) && isTop(entry) && !isDependency(entry),
  engine: (entry: Entry) =>
    /^(?:engines|node|nvm|python|ruby|php|go|toolchain|requires-python|python_requires|rust-version|channel|edition|packageManager|required_ruby_version|FROM|maven\.compiler\.(?:source|release|target)|(?:java|jdk|kotlin)\.version|kotlin\.compiler\.jvmTarget|jvmTarget|jvmToolchain|languageVersion|sourceCompatibility|elixir|otp|(?:node|python|go|java|ruby|php|elixir|otp|swift)-versions?)$/.test(
      last(entry),
    ) ||
    entry.keys[0] === 'engines' ||
    // The compiler of Maven.
    (entry.keys.at(-2) === 'configuration' && /^(?:release|source|target)$/.test(last(entry))) ||
    (entry.keys.includes('classifiers') &&
      /^Programming Language :: [^:]+ :: \d/.test(entry.value)),
  dependencies: (entry: Entry) =>
    isDependency(entry) && !/^(?:groupId|scope|type|classifier|optional)$/.test(last(entry)),
  workspaces: (entry: Entry) =>
    (entry.keys.some((key) => /^(?:workspaces|members|modules?|use|packages)$/.test(key)) &&
      // In package.json it is what others load.
      !(entry.keys.length === 1 && last(entry) === 'module') &&
      !isAside(`${entry.value}/`)) ||
    (entry.keys.length === 1 && last(entry) === 'include') ||
    isOwnName(entry),
  scripts: (entry: Entry) =>
    isTask(entry) &&
    entry.keys.length > 1 &&
    /^(?:scripts|targets|tasks)$/.test(entry.keys[0] ?? ''),
  build: task(
    /^(?:build|compile|bundle|package|dist|prepare|prepublish(?:Only)?|release|all|build-\w+)$/,
    /\b(?:cargo build|go build|mvn package|gradle build|python -m build)\b/,
  ),
  run: task(/^(?:start|serve|dev|run|preview|CMD|ENTRYPOINT)$/, /^$/),
  test: task(
    /^(?:tests?|unit|check|spec|test[:_-]\w+)$/,
    /\b(?:pytest|npm test|cargo test|go test|mvn test|gradlew? test|tox|nox|vitest|jest|mocha)\b/,
  ),
  features: ({ keys }: Entry) =>
    /^(?:features|optional-dependencies|extras_require|extras)$/.test(keys.at(-2) ?? ''),
  lint: orConfigured(
    /^(?:lint|format|fmt|fix|style|typecheck|check[:_-]?(?:lint|format|types?)|(?:lint|fix|format)[:_-]\w+|eslint|prettier\S*)$/,
    /\b(?:eslint|ruff|flake8|clippy|golangci-lint|biome|mypy|pre-commit|go vet|black|prettier)\b/,
  ),
  ci: (entry: Entry) =>
    last(entry) === 'workflow' ||
    (/^(?:run|script|uses)$/.test(last(entry)) && isTask({ ...entry, keys: ['run'] })),
  about: (entry: Entry) =>
    entry.keys.length <= 2 &&
    entry.keys[0] !== 'tool' &&
    (isOwnName(entry) || (last(entry) === 'description' && isTop(entry))),
  platforms: (entry: Entry) =>
    /^(?:platforms|os|cpu)$/.test(entry.keys[0] ?? '') ||
    (entry.keys.includes('classifiers') && entry.value.startsWith('Operating System')),
  license: (entry: Entry) => /^licen[cs]e$/i.test(last(entry)) && isTop(entry),
  author: (entry: Entry) =>
    (/^(?:authors?|maintainers?)$/.test(last(entry)) && isTop(entry)) ||
    /^(?:authors|maintainers|contributors)$/.test(entry.keys[0] ?? '') ||
    /^(?:authors|maintainers)$/.test(entry.keys[1] ?? ''),
};

/**
 * Lines of the project's manifests that answer one question, those of the uppermost manifest first.
 *
 * @param wish.name of a dependency: its lines; without any, the version of the project itself where it
 *   has that name
 */
export function findManifest(
  host: Pick<typeof fs, 'walk' | 'readAnyText'>,
  wish: { about: Topic; name?: string | undefined; place: string },
): {
  facts: Fact[];
  total: number;
  manifests: string[];
  unread: string[];
  usual?: string;
  /** where one dependency has more lines than a screen: the most frequent first */
  versions?: Version[];
} {
  const found = host.walk(wish.place, {
    include: manifestGlobs,
    exclude: foreign,
    hidden: true,
    limit: maxFiles,
  });
  const paths = found.map(({ path }) => path);
  // A manifest below tests or examples is of these, unless there is no other.
  const own = paths.filter((path) => !isAside(path));
  const files = (own.length > 0 ? own : paths).toSorted(
    (one, other) => depth(one) - depth(other) || order(one) - order(other),
  );
  const unread: string[] = [];
  const all = files.flatMap((path) => {
    const text = textOf(host, path);
    if (text === undefined) unread.push(path);
    const entries = text === undefined ? [] : readEntries(path, text);
    return entries.length === 0 ? [] : [{ path, entries, lines: (text ?? '').split(/\r?\n/) }];
  });
  const fact = (path: string, lines: readonly string[], { line, keys, value }: Entry): Fact => {
    const within = keys.slice(0, -1).join('.');
    // A target of make, and a task of a Taskfile, says what it does on the lines below.
    const isRecipe = /^(?:targets|platforms)$/.test(keys[0] ?? '') || /Taskfile\.ya?ml$/.test(path);
    const recipe = isRecipe ? recipeAt(lines, line) : [];
    // All may stand on one line.
    const own = lines[line - 1] ?? '';
    const said = own.length > maxText && keys.length > 1 ? `${keys.at(-1)}: ${value}` : own;
    const text = [said, ...recipe].join('\n').slice(0, maxText);
    return {
      path,
      line,
      endLine: line + recipe.length,
      text,
      ...(within === '' ? {} : { within }),
    };
  };
  const chosenBy = (isLoose: boolean) =>
    all.flatMap(({ path, entries, lines }) => {
      // The name of a feature is wanted, not what it switches on.
      const told =
        wish.about === 'features'
          ? entries.filter(({ keys }, at) => entries[at - 1]?.keys.join('\n') !== keys.join('\n'))
          : entries.filter(({ value }) => !/^[[{]$/.test(value));
      // Versions and names in a workflow are those of its steps.
      if (isWorkflow(path) && !ofWorkflows.has(wish.about)) return [];
      // A workflow of that name is about it as a whole.
      const isOfName = wish.about === 'ci' && path.toLowerCase().includes(wish.name ?? '');
      const { about, name } = wish;
      return choose(told, { about, name: isOfName ? undefined : name, isLoose }).map((entry) => ({
        fact: fact(path, lines, entry),
        version: versionIn(entry.value),
        rank: rankOf(wish.about, entry),
        level: depth(path),
      }));
    });
  const exact = chosenBy(false);
  // `jetty` is a family of packages: `jetty-server`, `jetty-util`.
  const isTried = wish.about === 'dependency' || wish.about === 'engine';
  const chosen = exact.length === 0 && isTried ? chosenBy(true) : exact;
  const facts = chosen
    .toSorted((one, other) => one.level - other.level || one.rank - other.rank)
    .map((each) => each.fact);
  const top = smallest(chosen.map(({ level }) => level));
  const shownFacts =
    wish.about === 'about'
      ? facts.slice(0, Math.min(2, chosen.filter(({ level }) => level === top).length))
      : ofWhole.has(wish.about)
        ? uppermost(chosen, facts)
        : wish.about === 'ci' && wish.name === undefined && facts.length > manyFacts
          ? beginnings(facts)
          : facts;
  const isTold = chosen.some(({ rank, level }) => rank < 1 && level <= 1);
  const habit = isTold || wish.name !== undefined ? undefined : usualOf(wish.about, all);
  const first =
    habit === undefined ? [] : [fact(habit.path, habit.lines, { keys: [''], value: '', line: 1 })];
  const told = variedFirst(distinct([...first, ...shownFacts]));
  const isOneOfMany = wish.about === 'dependency' && told.length > manyFacts;
  return {
    facts: told.slice(0, maxFacts),
    total: told.length,
    manifests: files,
    unread,
    ...(habit === undefined ? {} : { usual: habit.command }),
    ...(isOneOfMany ? { versions: versionsOf(chosen) } : {}),
  };
}

/** `^8.0.14`, `>=1.2,<2`, `catalog:`, `*`; undefined where an entry has only a name. */
function versionIn(value: string): string | undefined {
  const range = /(?:[\^~<>=!]+\s*)?\bv?\d[\w.*+-]*(?:\s*(?:,|\|\|)?\s*[\^~<>=!]+\s*\d[\w.*+-]*)*/;
  return /^(?:\*|(?:catalog|workspace|npm|link|file):.*)$/.test(value)
    ? value
    : range.exec(value)?.[0];
}

function versionsOf(chosen: readonly { fact: Fact; version: string | undefined }[]): Version[] {
  const told = chosen.filter(({ version }) => version !== undefined);
  return [...Map.groupBy(told, ({ version }) => version as string)]
    .map(([version, all]) => ({
      version,
      manifests: new Set(all.map(({ fact }) => fact.path)).size,
    }))
    .toSorted((one, other) => other.manifests - one.manifests);
}

/** A project with many packages: its own lines, and some of theirs. */
function uppermost(chosen: readonly { level: number }[], facts: readonly Fact[]): readonly Fact[] {
  const top = smallest(chosen.map(({ level }) => level));
  const own = chosen.filter(({ level }) => level === top).length;
  return facts.slice(0, top > 1 ? maxFacts : own + fromPackages);
}

/** Many workflows: the name and first step of each. */
function beginnings(facts: readonly Fact[]): readonly Fact[] {
  const seen = new Map<string, number>();
  return facts.filter(({ path }) => {
    const count = seen.get(path) ?? 0;
    seen.set(path, count + 1);
    return count < fromWorkflow;
  });
}

function smallest(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
}

function recipeAt(lines: readonly string[], line: number): string[] {
  const below = lines.slice(line, line + 4);
  const indent = /^\s*/.exec(lines[line - 1] ?? '')?.[0].length ?? 0;
  const end = below.findIndex(
    (text) => !/\S/.test(text) || (/^\s*/.exec(text)?.[0].length ?? 0) <= indent,
  );
  return below.slice(0, end < 0 ? below.length : end);
}

type Read = { path: string; entries: readonly Entry[]; lines: readonly string[] };

function usualOf(about: Topic, all: readonly Read[]) {
  const top = all.filter(({ path }) => depth(path) <= 1);
  for (const { manifest, commands } of usual) {
    const found = top.find(({ path }) => manifest.test(path));
    const command = commands[about];
    if (found !== undefined && command !== undefined) return { ...found, command };
  }
  return undefined;
}

/** A task of that name says more than another that does it, and that more than a step that runs a program; what is needed comes before tools. */
function rankOf(about: Topic, entry: Entry): number {
  if (['build', 'run', 'test', 'lint'].includes(about))
    return isNamedTask(entry) ? (last(entry).startsWith(about) ? 0 : 0.5) : 1;
  if (about === 'ci') return last(entry) === 'workflow' ? 0 : 1;
  if (about === 'workspaces') return isOwnName(entry) ? 1 : 0;
  if (about === 'dependencies' || about === 'dependency')
    return entry.keys.some((key) => /dev|test|peer|optional/i.test(key)) ? 1 : 0;
  return 0;
}

/** Two hundred packages may say the same: what each of them says otherwise stands in front. */
function variedFirst(facts: readonly Fact[]): readonly Fact[] {
  if (facts.length <= manyFacts) return facts;
  const seen = new Set<string>();
  const isNew = ({ text }: Fact): boolean => {
    const said = text.replace(/[\s,;]+/g, ' ').trim();
    return !seen.has(said) && seen.add(said) !== undefined;
  };
  const news = facts.filter(isNew);
  const known = new Set(news);
  return [...news, ...facts.filter((each) => !known.has(each))];
}

function distinct(facts: readonly Fact[]): Fact[] {
  const seen = new Set<string>();
  return facts.filter(({ path, line }) => {
    const place = `${path}:${line}`;
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

function choose(
  entries: readonly Entry[],
  { about, name, isLoose }: { about: Topic; name?: string | undefined; isLoose: boolean },
): Entry[] {
  if (name === undefined) return entries.filter(wanted[about]);
  const folded = name.toLowerCase();
  if (about === 'engine')
    return entries.filter(
      (entry) => wanted.engine(entry) && (isLoose || isOfEngine(entry, folded)),
    );
  if (about === 'dependencies')
    return entries.filter(
      (entry, at) =>
        isDependency(entry) &&
        (entry.keys.some((key) => /dev|test|group(?!Id)/i.test(key)) || isScoped(entries, at)),
    );
  if (about !== 'dependency') return entries.filter((entry) => isTaskOf(entry, folded));
  // `github.com/spf13/pflag` is called `pflag`, and `[dependencies.clap]` has lines of its own.
  const isCalled = (key: string): boolean =>
    key.toLowerCase() === folded ||
    // `@other/pflag` is another package.
    ((isLoose || !key.startsWith('@')) &&
      key
        .toLowerCase()
        .split(isLoose ? /[/._:@-]/ : '/')
        .includes(folded));
  const isNamed = (entry: Entry): boolean =>
    entry.keys.some(isCalled) ||
    entry.value
      .toLowerCase()
      .split(isLoose ? /[^a-z0-9]/ : /[\s:=<>~!^[\];(,"']/)
      .includes(folded) ||
    (isLoose && folded.includes('-') && entry.value.toLowerCase().startsWith(folded));
  // A property that several packages take their version from.
  const isVersion = (entry: Entry): boolean =>
    new RegExp(`^${escapePattern(folded)}[._-]?version$`, 'i').test(last(entry));
  const versions = entries.filter(isVersion);
  const isEngine = (entry: Entry): boolean =>
    (entry.keys[0] === 'engines' && isCalled(last(entry))) ||
    (last(entry) === 'packageManager' && entry.value.startsWith(`${folded}@`));
  // Its name says more than the lines of what it switches on.
  const isDetail = (entry: Entry, at: number): boolean =>
    entry.keys.some(isCalled) &&
    (isCalled(last(entry))
      ? entries[at - 1]?.keys.join('\n') === entry.keys.join('\n')
      : !/^(?:version|path|git|branch|tag|rev|workspace|optional|package)$/.test(last(entry)));
  const named = entries.filter(
    (entry, at) =>
      isEngine(entry) || (isDependency(entry) && isNamed(entry) && !isDetail(entry, at)),
  );
  // In XML the version has a line of its own.
  const beside = entries.filter(
    (entry) =>
      last(entry) === 'version' &&
      named.some(
        ({ keys, line }) =>
          last({ keys } as Entry) === 'artifactId' && entry.line > line && entry.line - line < 4,
      ),
  );
  const isItself = entries.some((entry) => {
    const own = entry.value.toLowerCase();
    return last(entry) === 'name' && isTop(entry) && (own === folded || own.endsWith(`/${folded}`));
  });
  const told = [...named, ...beside].toSorted((one, other) => one.line - other.line);
  return [...(isItself ? entries.filter(wanted.version) : []), ...versions, ...told];
}

/** What else an engine goes by. */
const engineWords: Readonly<Record<string, string>> = {
  node: 'nvm',
  go: 'golang|^toolchain',
  rust: 'edition|channel',
  java: 'jdk|jvm|maven|sourceCompatibility',
};

function isOfEngine({ keys, value }: Entry, name: string): boolean {
  const words = [name, engineWords[name]].filter(Boolean).join('|');
  return new RegExp(`(?<![a-z])(?:${words})`, 'i').test([...keys, value].join(' '));
}

/** In XML, what a package is needed for has a line of its own below its name. */
function isScoped(entries: readonly Entry[], at: number): boolean {
  const below = entries.slice(at + 1, at + 4);
  const end = below.findIndex((entry) => last(entry) === 'artifactId');
  const own = end < 0 ? below : below.slice(0, end);
  return (
    last(entries[at] as Entry) === 'artifactId' &&
    own.some((entry) => last(entry) === 'scope' && entry.value === 'test')
  );
}

/** `docs` is built by a task of that name, or by one in a section of it. */
function isTaskOf(entry: Entry, name: string): boolean {
  const parts = entry.keys.flatMap((key) => key.toLowerCase().split(/[:_.-]/));
  const isDone = isTask(entry) || /^(?:commands|cmd|run)$/.test(last(entry));
  return isDone && (parts.includes(name) || entry.value.toLowerCase().split(/\W+/).includes(name));
}

function textOf(host: Pick<typeof fs, 'readAnyText'>, path: string): string | undefined {
  try {
    return host.readAnyText(path).text;
  } catch {
    // It is too large, no text, or gone: the others still answer.
    return undefined;
  }
}

const aside =
  /(?:^|[/:])(?:tests?|e2e|testdata|specs?|fixtures?|__tests__|examples?|samples?|demos?|benchmarks?)\//i;

function isAside(path: string): boolean {
  return aside.test(path);
}

function isWorkflow(path: string): boolean {
  return /\.github\/|\.gitlab-ci\.|\.pre-commit-config\.|\.golangci\./.test(path);
}

/** Folders above it and one; those of a workflow lie as high as its project. */
function depth(path: string): number {
  return path.replace(/(?:\.github\/workflows|\b(?:scripts?|bin|tools))\//, '').split('/').length;
}

/** Workflows and containers say less than a manifest of a language. */
function order(path: string): number {
  return /\.ya?ml$|Dockerfile/.test(path) ? 1 : 0;
}
