/** Whose output is read; `other` for what a script or a Makefile starts. */
export type TestFormat =
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'node'
  | 'pytest'
  | 'unittest'
  | 'cargo'
  | 'go'
  | 'maven'
  | 'gradle'
  | 'other';

export const runnerNames = [
  'npm',
  'vitest',
  'jest',
  'pytest',
  'cargo',
  'go',
  'maven',
  'gradle',
  'make',
] as const;
export type RunnerName = (typeof runnerNames)[number];

export type TestRun = {
  runner: RunnerName;
  format: TestFormat;
  program: string;
  args: string[];
  /** folder below the workspace that it runs in, empty for the workspace itself */
  folder: string;
};

export type TestWish = {
  /** file or folder below the workspace, empty for all of it */
  path: string;
  isFile: boolean;
  /** part of a test's name */
  filter?: string | undefined;
  runner?: RunnerName | undefined;
};

/** A name that a folder has, and its text where that is asked for. */
export type FolderReader = {
  has(path: string): boolean;
  /** undefined when it is missing */
  read(path: string): string | undefined;
  /** paths of some files below a folder that are called so, none of an environment of Python */
  find(folder: string, globs: readonly string[]): readonly string[];
};

/** What makes tests of one kind run from a folder; undefined when nothing there says so. */
type Detect = (folder: string, reader: FolderReader) => ((part: Part) => TestRun) | undefined;
/** Path below the folder and name that the run is narrowed to. */
type Part = { path?: string; isFile: boolean; filter?: string };

/** The wish names something that no runner can do. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
}

const detectors: readonly (readonly [RunnerName, Detect])[] = [
  ['npm', npm],
  ['vitest', (folder, reader) => direct('vitest', folder, reader)],
  ['jest', (folder, reader) => direct('jest', folder, reader)],
  ['cargo', cargo],
  ['go', go],
  ['maven', maven],
  ['gradle', gradle],
  ['pytest', pytest],
  ['make', make],
];

/**
 * How the tests of a place are run: by what lies in its folder, else in the nearest one above.
 *
 * @throws {RunnerError} when nothing says how, or the runner cannot be narrowed as wished
 */
export function findRunner(wish: TestWish, reader: FolderReader): TestRun {
  const wanted = detectors.filter(([name]) => wish.runner === undefined || name === wish.runner);
  let folder = wish.isFile ? parentOf(wish.path) : wish.path;
  for (;;) {
    for (const [, detect] of wanted) {
      const build = detect(folder, reader);
      if (build === undefined) continue;
      const below = wish.path.slice(folder === '' ? 0 : folder.length + 1);
      return build({
        isFile: wish.isFile,
        ...(below === '' ? {} : { path: below }),
        ...(wish.filter === undefined ? {} : { filter: wish.filter }),
      });
    }
    if (folder === '') break;
    folder = parentOf(folder);
  }
  const sought =
    wish.runner === undefined
      ? 'a test script in package.json, Cargo.toml, go.mod, pom.xml, build.gradle, pytest or unittest files, a Makefile with test or check'
      : `what ${wish.runner} needs`;
  throw new RunnerError(
    `nothing at ${wish.path || '.'} or above says how tests are run: looked for ${sought}; use shell.run with the command`,
  );
}

function npm(folder: string, reader: FolderReader): ReturnType<Detect> {
  const manifest = readManifest(folder, reader);
  const script = manifest?.scripts?.test;
  if (typeof script !== 'string' || /no test specified/.test(script)) return undefined;
  const format = formatOfScript(script);
  return (part) => {
    const more = scriptArguments(format, part);
    const args = ['test', ...(more.length === 0 ? [] : ['--', ...more])];
    return { runner: 'npm', format, program: 'npm', args, folder };
  };
}

function direct(name: 'vitest' | 'jest', folder: string, reader: FolderReader): ReturnType<Detect> {
  const manifest = readManifest(folder, reader);
  const isDependency = [manifest?.devDependencies, manifest?.dependencies].some(
    (each) => each?.[name] !== undefined,
  );
  const endings = ['ts', 'js', 'mts', 'mjs', 'cjs', 'json'];
  const isConfigured = endings.some((ending) =>
    reader.has(join(folder, `${name}.config.${ending}`)),
  );
  if (!isDependency && !isConfigured) return undefined;
  return (part) => ({
    ...{ runner: name, format: name, program: 'npx', folder },
    // Never fetched: what is not installed is an error.
    args: [
      '--no',
      '--',
      name,
      ...(name === 'vitest' ? ['run'] : []),
      ...scriptArguments(name, part),
    ],
  });
}

/** What is appended to a script's command, so that it runs a part of the tests. */
function scriptArguments(format: TestFormat, { path, filter }: Part): string[] {
  const named: Partial<Record<TestFormat, (name: string) => string[]>> = {
    vitest: (name) => ['-t', name],
    jest: (name) => ['-t', name],
    mocha: (name) => ['--grep', name],
    node: (name) => [`--test-name-pattern=${name}`],
  };
  const narrow = named[format];
  if (filter !== undefined && narrow === undefined) {
    throw new RunnerError(
      'the test script of package.json takes no name that is known here; leave filter out',
    );
  }
  return [
    ...(filter === undefined ? [] : (narrow?.(filter) ?? [])),
    ...(path === undefined ? [] : [asArgument(path)]),
  ];
}

function formatOfScript(script: string): TestFormat {
  const known: readonly (readonly [RegExp, TestFormat])[] = [
    [/\bvitest\b/, 'vitest'],
    [/\b(?:jest|react-scripts test)\b/, 'jest'],
    [/\bmocha\b/, 'mocha'],
    [/\bnode\b.*--test\b|\btsx\b.*--test\b/, 'node'],
  ];
  return known.find(([pattern]) => pattern.test(script))?.[1] ?? 'other';
}

function cargo(folder: string, reader: FolderReader): ReturnType<Detect> {
  if (!reader.has(join(folder, 'Cargo.toml'))) return undefined;
  return ({ path, filter }) => {
    const target = path === undefined ? null : /^tests\/([^/]+)\.rs$/.exec(path);
    if (path !== undefined && target === null) {
      throw new RunnerError(
        `cargo runs a package, a file of its tests folder or a name, not ${path}; use filter`,
      );
    }
    const args = [
      ...['test', '--no-fail-fast'],
      ...(target === null ? [] : ['--test', target[1] as string]),
      ...(filter === undefined ? [] : ['--', filter]),
    ];
    return { runner: 'cargo', format: 'cargo', program: 'cargo', args, folder };
  };
}

function go(folder: string, reader: FolderReader): ReturnType<Detect> {
  if (!reader.has(join(folder, 'go.mod'))) return undefined;
  return ({ path, isFile, filter }) => {
    const within = path === undefined ? '' : isFile ? parentOf(path) : path;
    const packages = `./${within === '' ? '' : `${within}/`}${isFile ? '' : '...'}`;
    const args = [
      ...['test', '-v'],
      ...(filter === undefined ? [] : ['-run', filter]),
      packages === './' ? '.' : packages,
    ];
    return { runner: 'go', format: 'go', program: 'go', args, folder };
  };
}

function maven(folder: string, reader: FolderReader): ReturnType<Detect> {
  if (!reader.has(join(folder, 'pom.xml'))) return undefined;
  return ({ path, filter }) => {
    if (path !== undefined) {
      throw new RunnerError(`maven runs a project or a class of tests, not ${path}; use filter`);
    }
    const args = ['-B', 'test', ...(filter === undefined ? [] : [`-Dtest=${filter}`])];
    const program = wrapperOr('mvn', './mvnw', folder, reader);
    return { runner: 'maven', format: 'maven', program, args, folder };
  };
}

function gradle(folder: string, reader: FolderReader): ReturnType<Detect> {
  const files = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];
  if (!files.some((name) => reader.has(join(folder, name)))) return undefined;
  return ({ path, filter }) => {
    if (path !== undefined) {
      throw new RunnerError(`gradle runs a project or a class of tests, not ${path}; use filter`);
    }
    // A daemon would end with the call that started it.
    const plain = ['--no-daemon', '--console=plain', 'test'];
    const args = [...plain, ...(filter === undefined ? [] : ['--tests', filter])];
    const program = wrapperOr('gradle', './gradlew', folder, reader);
    return { runner: 'gradle', format: 'gradle', program, args, folder };
  };
}

/** A project that brings its own version of a tool is tested with that. */
function wrapperOr(name: string, wrapper: string, folder: string, reader: FolderReader): string {
  return reader.has(join(folder, wrapper.slice(2))) ? wrapper : name;
}

function pytest(folder: string, reader: FolderReader): ReturnType<Detect> {
  const says = (name: string, pattern: RegExp) =>
    pattern.test(reader.read(join(folder, name)) ?? '');
  const has = (name: string) => reader.has(join(folder, name));
  const isNamed =
    ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py'].some(has) ||
    says('pyproject.toml', /\bpytest\b/) ||
    says('tox.ini', /\bpytest\b/) ||
    says('setup.cfg', /\[tool:pytest\]/) ||
    says('requirements-dev.txt', /^pytest\b/m) ||
    says('requirements.txt', /^pytest\b/m) ||
    ['.venv/bin/pytest', 'venv/bin/pytest'].some(has);
  const isPython = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tests/__init__.py'].some(has);
  const tests = isNamed ? [] : reader.find(folder, ['test_*.py', '*_test.py']);
  if (!isNamed && !isPython && tests.length === 0) return undefined;
  // unittest finds no plain functions, and pytest finds the tests of both.
  const isUnittest = tests.some((path) => /\bunittest\b/.test(reader.read(path) ?? ''));
  const isPytest = isNamed || (tests.length > 0 && !isUnittest);
  return ({ path, filter }) => {
    // Without bytecode: a run that only tests leaves nothing that undo would take back.
    const args = isPytest
      ? [
          ...[
            '-B',
            '-m',
            'pytest',
            '-q',
            '-rfE',
            '--tb=short',
            '--color=no',
            '-p',
            'no:cacheprovider',
          ],
          ...(filter === undefined ? [] : ['-k', filter]),
          ...(path === undefined ? [] : [asArgument(path)]),
        ]
      : [
          ...['-B', '-m', 'unittest'],
          ...(path === undefined
            ? ['discover']
            : path.endsWith('.py')
              ? [asArgument(path)]
              : ['discover', '-s', asArgument(path)]),
          ...(filter === undefined ? [] : ['-k', filter]),
        ];
    const format = isPytest ? 'pytest' : 'unittest';
    return { runner: 'pytest', format, program: 'python3', args, folder };
  };
}

function make(folder: string, reader: FolderReader): ReturnType<Detect> {
  const text = ['GNUmakefile', 'makefile', 'Makefile']
    .map((name) => reader.read(join(folder, name)))
    .find((found) => found !== undefined);
  const target = ['test', 'check'].find((name) =>
    new RegExp(`^${name}\\s*::?(?!=)`, 'm').test(text ?? ''),
  );
  if (target === undefined) return undefined;
  return ({ path, filter }) => {
    if (filter !== undefined || path !== undefined) {
      throw new RunnerError(`make ${target} takes neither a path nor a name; leave both out`);
    }
    return { runner: 'make', format: 'other', program: 'make', args: [target], folder };
  };
}

type Manifest = Partial<
  Record<'scripts' | 'devDependencies' | 'dependencies', Record<string, unknown>>
>;

function readManifest(folder: string, reader: FolderReader): Manifest | undefined {
  const text = reader.read(join(folder, 'package.json'));
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** A path that begins with `-` is not an option. */
function asArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
