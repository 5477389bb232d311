import type { fs } from '@cuervo/sdk';
import { type Entry, readEntries } from './entries.ts';

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
  'license',
  'author',
] as const;

const maxFiles = 300;
const maxFacts = 60;
/** A script of a workflow may be long; its first words say what it is. */
const maxText = 300;

export type Topic = (typeof topics)[number];
export type Fact = { path: string; line: number; text: string };

const dependencyKeys =
  /^(?:(?:dev|peer|optional|build|bundled)?-?dependencies|require|requires|install_requires|dependency-groups|optional-dependencies|extras_require|require-dev|implementation|api|testImplementation|compile)$/i;
const isDependency = ({ keys }: Entry): boolean => keys.some((key) => dependencyKeys.test(key));
const last = ({ keys }: Entry): string => keys.at(-1) ?? '';
const isTop = ({ keys }: Entry): boolean =>
  keys.length === 1 || /^(?:project|package|metadata|tool|workspace)$/.test(keys[0] ?? '');
const isTask = ({ keys }: Entry): boolean =>
  /^(?:scripts|targets|tasks|testenv|env|tool)$/.test(keys[0] ?? '') ||
  /^(?:run|script|commands|CMD|ENTRYPOINT)$/.test(last({ keys } as Entry));

/** A task by its name, or a command that plainly does it. */
const task =
  (names: RegExp, commands: RegExp) =>
  (entry: Entry): boolean =>
    isTask(entry) && (names.test(last(entry)) || commands.test(entry.value));

/** Which entries each question wants. */
const wanted: Readonly<Record<Topic, (entry: Entry) => boolean>> = {
  dependency: isDependency,
  version: (entry: Entry) => /^version$/.test(last(entry)) && isTop(entry) && !isDependency(entry),
  engine: (entry: Entry) =>
    /^(?:engines|node|nvm|python|ruby|go|toolchain|requires-python|python_requires|rust-version|channel|edition|FROM|maven\.compiler\.(?:source|release|target)|java\.version|sourceCompatibility|(?:node|python|go|java)-version)$/.test(
      last(entry),
    ) || entry.keys[0] === 'engines',
  dependencies: (entry: Entry) => isDependency(entry),
  workspaces: (entry: Entry) =>
    entry.keys.some((key) => /^(?:workspaces|members|modules?|use)$/.test(key)),
  scripts: (entry: Entry) => isTask(entry) && entry.keys.length > 1 && entry.keys[0] !== 'tool',
  build: task(
    /^(?:build|compile|bundle|package|dist|prepare|prepublish(?:Only)?|release|all|build-\w+)$/,
    /\b(?:cargo build|go build|mvn package|gradle build|python -m build)\b/,
  ),
  run: task(/^(?:start|serve|dev|run|preview|CMD|ENTRYPOINT)$/, /^$/),
  test: task(
    /^(?:tests?|unit|check|spec|test[:_-]\w+)$/,
    /\b(?:pytest|npm test|cargo test|go test|mvn test|gradlew? test|tox|nox|vitest|jest|mocha)\b/,
  ),
  lint: task(
    /^(?:lint|format|fmt|fix|style|typecheck|check[:_-]?(?:lint|format|types?)|(?:lint|fix|format)[:_-]\w+|eslint|prettier\S*)$/,
    /\b(?:eslint|ruff|flake8|clippy|golangci-lint|biome)\b/,
  ),
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
): { facts: Fact[]; manifests: string[]; unread: string[] } {
  const found = host.walk(wish.place, {
    include: manifestGlobs,
    exclude: foreign,
    hidden: true,
    limit: maxFiles,
  });
  const files = found
    .map(({ path }) => path)
    .toSorted((one, other) => depth(one) - depth(other) || order(one) - order(other));
  const unread: string[] = [];
  const facts = files.flatMap((path): Fact[] => {
    const text = textOf(host, path);
    if (text === undefined) {
      unread.push(path);
      return [];
    }
    const lines = text.split(/\r?\n/);
    const entries = readEntries(path, text).filter(({ value }) => !/^[[{]$/.test(value));
    return choose(entries, wish).map(({ line }) => ({
      path,
      line,
      text: (lines[line - 1] ?? '').slice(0, maxText),
    }));
  });
  return { facts: facts.slice(0, maxFacts), manifests: files, unread };
}

function choose(
  entries: readonly Entry[],
  { about, name }: { about: Topic; name?: string | undefined },
): Entry[] {
  if (name === undefined) return entries.filter(wanted[about]);
  const folded = name.toLowerCase();
  const isNamed = (entry: Entry): boolean =>
    last(entry).toLowerCase() === folded ||
    entry.value
      .toLowerCase()
      .split(/[\s:=<>~!^[\];(,"']/)
      .includes(folded);
  const named = entries.filter((entry) => isDependency(entry) && isNamed(entry));
  const isItself = entries.some(
    (entry) => last(entry) === 'name' && isTop(entry) && entry.value.toLowerCase() === folded,
  );
  return isItself ? [...entries.filter(wanted.version), ...named] : named;
}

function textOf(host: Pick<typeof fs, 'readAnyText'>, path: string): string | undefined {
  try {
    return host.readAnyText(path).text;
  } catch {
    // It is too large, no text, or gone: the others still answer.
    return undefined;
  }
}

function depth(path: string): number {
  return path.split('/').length;
}

/** Workflows and containers say less than a manifest of a language. */
function order(path: string): number {
  return /\.ya?ml$|Dockerfile/.test(path) ? 1 : 0;
}
