import { describe, expect, it } from 'vitest';
import { findManifest, type Topic } from './find-manifest.ts';

const files: Record<string, string> = {
  'work:package.json': `{
  "name": "kit",
  "version": "1.2.3",
  "license": "MIT",
  "engines": { "node": ">=20" },
  "workspaces": [
    "packages/*"
  ],
  "scripts": {
    "build": "tsc -p .",
    "lint": "eslint .",
    "test": "vitest run"
  },
  "dependencies": {
    "fast-uri": "^3.0.1"
  }
}
`,
  'work:pyproject.toml': `[project]
name = "kit"
version = "2.0"
requires-python = ">=3.9"
dependencies = [
    "Werkzeug>=3.0.0",
]
`,
  'work:Cargo.toml':
    '[package]\nname = "kit"\nrust-version = "1.80"\n\n[dependencies]\nserde = "1"\n',
  'work:go.mod': 'module example.org/kit\n\ngo 1.22\n\nrequire (\n\tgolang.org/x/text v0.3.0\n)\n',
  'work:Makefile': 'CC = gcc\n\ntest: all\n\tpytest -q\n',
  'work:.nvmrc': '22\n',
  'work:tests/broken/package.json': '{ "version": "9.9.9"\n  "scripts": {\n',
};
const hostOf = (all: Record<string, string>) =>
  ({
    walk: () => Object.keys(all).map((path) => ({ path })),
    readAnyText: (path: string) => ({ text: all[path] ?? '', truncated: false }),
  }) as unknown as Parameters<typeof findManifest>[0];
const factsIn = (all: Record<string, string>, about: Topic, name?: string): string[] =>
  findManifest(hostOf(all), { about, name, place: 'work:' }).facts.map(
    ({ path, line, text }) => `${path.slice(5)}:${line} ${text.replace(/\s+/g, ' ').trim()}`,
  );
const linesOf = (about: Topic, name?: string): string[] => factsIn(files, about, name);

describe('findManifest()', () => {
  it.each([
    [
      'version',
      undefined,
      ['package.json:3 "version": "1.2.3",', 'pyproject.toml:3 version = "2.0"'],
    ],
    ['license', undefined, ['package.json:4 "license": "MIT",']],
    ['workspaces', undefined, ['package.json:7 "packages/*"']],
    ['test', undefined, ['package.json:12 "test": "vitest run"', 'Makefile:3 test: all pytest -q']],
    ['lint', undefined, ['package.json:11 "lint": "eslint .",']],
    ['build', undefined, ['package.json:10 "build": "tsc -p .",']],
    ['dependency', 'fast-uri', ['package.json:15 "fast-uri": "^3.0.1"']],
    ['dependency', 'werkzeug', ['pyproject.toml:6 "Werkzeug>=3.0.0",']],
    ['dependency', 'serde', ['Cargo.toml:6 serde = "1"']],
    ['dependency', 'golang.org/x/text', ['go.mod:6 golang.org/x/text v0.3.0']],
  ] as const)('finds %s %s', (about, name, expected) => {
    expect(linesOf(about, name)).toEqual(expect.arrayContaining([...expected]));
    expect(linesOf(about, name)[0]).toBe(expected[0]);
  });

  it('finds the engine in every language', () => {
    const found = linesOf('engine').join('\n');
    for (const part of ['"node": ">=20"', 'requires-python', 'rust-version', 'go 1.22', '22'])
      expect(found).toContain(part);
  });

  it('gives the version of the project itself for its own name', () => {
    expect(linesOf('dependency', 'kit')[0]).toBe('package.json:3 "version": "1.2.3",');
  });

  it('names what is usual where no task says it', () => {
    const only = (path: string) => ({
      walk: () => [{ path }],
      readAnyText: () => ({ text: files[path] ?? '', truncated: false }),
    });
    const found = findManifest(only('work:go.mod') as never, { about: 'test', place: 'work:' });
    expect(found.usual).toBe('go test ./...');
    expect(found.facts).toMatchObject([{ path: 'work:go.mod', line: 1 }]);
    const told = findManifest(only('work:Makefile') as never, { about: 'test', place: 'work:' });
    expect(told).not.toHaveProperty('usual');
  });

  it('finds the platforms of a role and of a package', () => {
    const texts: Readonly<Record<string, string>> = {
      'work:roles/web/meta/main.yml':
        'galaxy_info:\n  author: ann\n  platforms:\n    - name: Debian\n      versions:\n        - trixie\n    - name: Fedora\n  galaxy_tags:\n    - name\n',
      'work:pyproject.toml':
        '[project]\nclassifiers = [\n  "Operating System :: POSIX",\n  "Topic :: Database",\n]\n',
    };
    const host = {
      walk: () => Object.keys(texts).map((path) => ({ path })),
      readAnyText: (path: string) => ({ text: texts[path] ?? '', truncated: false }),
    };
    const found = findManifest(host as never, { about: 'platforms', place: 'work:' });
    const lines = found.facts.map(({ text }) => text.replace(/\s+/g, ' ').trim());
    expect(lines.toSorted()).toEqual([
      '"Operating System :: POSIX",',
      '- name: Debian versions: - trixie',
      '- name: Fedora',
    ]);
  });

  it('finds the last part of a path and the lines of a table as a dependency', () => {
    expect(linesOf('dependency', 'text')).toEqual(['go.mod:6 golang.org/x/text v0.3.0']);
  });

  it('takes a script of that name for the task, by its command', () => {
    const scripts = {
      'work:pyproject.toml': '[project]\nname = "kit"\n',
      'work:scripts/test':
        '#!/bin/sh\n\nset -ex\nif [ -z $CI ]; then\n    scripts/check\nfi\n\nuv run pytest $@\n',
      'work:script/build.sh': '#!/bin/bash\n# Builds.\nROOT=$(pwd)\n./configure && make\n',
    };
    expect(factsIn(scripts, 'test')).toEqual(['scripts/test:8 uv run pytest $@']);
    expect(factsIn(scripts, 'build')[0]).toBe('script/build.sh:4 ./configure && make');
    expect(factsIn(scripts, 'version')).toEqual([]);
  });

  it('names the engine that is asked for, and others where there is none of it', () => {
    expect(linesOf('engine', 'rust')).toEqual(['Cargo.toml:3 rust-version = "1.80"']);
    expect(linesOf('engine', 'node')).toEqual([
      'package.json:5 "engines": { "node": ">=20" },',
      '.nvmrc:1 22',
    ]);
    const php = { 'work:composer.json': '{\n  "require": {\n    "php": "^8.0"\n  }\n}\n' };
    expect(factsIn({ ...files, ...php }, 'engine', 'php')).toEqual([
      'composer.json:3 "php": "^8.0"',
    ]);
    expect(linesOf('engine', 'ruby')).toEqual(linesOf('engine'));
  });

  it('reads quiet recipes of just', () => {
    const just = {
      'work:justfile': '# all\n@test *args:\n    cargo test\n\nlint:\n    cargo clippy\n',
    };
    expect(factsIn(just, 'test')).toEqual(['justfile:2 @test *args: cargo test']);
  });

  it('says of many workflows what each is called', () => {
    const steps = Array.from({ length: 20 }, (_, at) => `      - run: make step${at}\n`).join('');
    const workflow = (name: string) =>
      `name: ${name}\non: push\njobs:\n  all:\n    steps:\n${steps}`;
    const facts = factsIn(
      {
        'work:.github/workflows/a.yml': workflow('Tests'),
        'work:.github/workflows/b.yml': workflow('Release'),
      },
      'ci',
    );
    expect(facts).toHaveLength(6);
    expect(facts.slice(0, 2)).toEqual([
      '.github/workflows/a.yml:1 name: Tests',
      '.github/workflows/b.yml:1 name: Release',
    ]);
  });

  it('finds a task of a name', () => {
    expect(linesOf('scripts', 'lint')).toEqual(['package.json:11 "lint": "eslint .",']);
  });

  it.each([
    ['version', undefined, ['VERSION:1 4.2.1']],
    ['engine', undefined, ["kit.gemspec:3 s.required_ruby_version = '>= 2.7'"]],
    ['dependency', 'rack', ["kit.gemspec:4 s.add_dependency 'rack', '~> 3.0'"]],
    ['scripts', 'docs', ['Rakefile:2 task :docs do']],
    [
      'test',
      undefined,
      [
        'Rakefile:1 Rake::TestTask.new(:test)',
        'Taskfile.yml:7 test: desc: Runs all cmds: - go test',
        'noxfile.py:2 def tests(session):',
      ],
    ],
    ['lint', undefined, ['Taskfile.yml:4 lint: cmds: - golangci-lint run']],
  ] as const)('finds %s %s in what other languages have', (about, name, expected) => {
    const others: Record<string, string> = {
      'work:VERSION': '4.2.1\n',
      'work:kit.gemspec':
        "Gem::Specification.new 'kit' do |s|\n  s.version = File.read('VERSION')\n  s.required_ruby_version = '>= 2.7'\n  s.add_dependency 'rack', '~> 3.0'\nend\n",
      'work:Rakefile': 'Rake::TestTask.new(:test)\ntask :docs do\nend\n',
      'work:Taskfile.yml':
        "version: '3'\n\ntasks:\n  lint:\n    cmds:\n      - golangci-lint run\n  test:\n    desc: Runs all\n    cmds:\n      - go test\n",
      'work:noxfile.py': '@nox.session\ndef tests(session):\n    session.run("pytest")\n',
    };
    expect(factsIn(others, about, name)).toEqual(expect.arrayContaining([...expected]));
  });

  it('leaves out the manifests of tests and examples where there are others', () => {
    const own = '{\n  "version": "1.0.0"\n}\n';
    const aside = { 'work:testdata/a/package.json': own, 'work:examples/b/package.json': own };
    expect(factsIn({ ...aside, 'work:package.json': own }, 'version')).toEqual([
      'package.json:2 "version": "1.0.0"',
    ]);
    expect(factsIn(aside, 'version')).toHaveLength(2);
  });

  it('shows what packages say otherwise before what all of them say, and counts all', () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `work:packages/p${at}/package.json`,
        `{\n  "name": "@kit/p${at}",\n  "version": "${at}.0.0",\n  "dependencies": {\n    "lodash": "${at === 150 ? '3' : '4'}"\n  }\n}\n`,
      ]),
    );
    const { facts, total, versions } = findManifest(hostOf(many), {
      about: 'dependency',
      name: 'lodash',
      place: 'work:',
    });
    expect(total).toBe(200);
    expect(versions).toEqual([
      { version: '4', manifests: 199 },
      { version: '3', manifests: 1 },
    ]);
    expect(facts.slice(0, 2).map(({ text }) => text.trim())).toEqual([
      '"lodash": "4"',
      '"lodash": "3"',
    ]);
    expect(factsIn(many, 'dependency', 'p7')[0]).toBe(
      'packages/p7/package.json:3 "version": "7.0.0",',
    );
  });

  it.each([
    ['mix.exs', '  @version "1.2.0"\n', 'version', undefined],
    ['mix.exs', '      elixir: "~> 1.15",\n', 'dependency', 'elixir'],
    ['mix.exs', '      {:mime, "~> 2.0"},\n', 'dependency', 'mime'],
    ['Package.swift', '// swift-tools-version:5.9\n', 'dependency', 'swift'],
    [
      'Package.swift',
      '  .package(url: "https://a.org/kit/swift-nio.git", from: "2.0.0"),\n',
      'dependency',
      'swift-nio',
    ],
    ['CMakeLists.txt', 'project(Kit VERSION 1.2.0 LANGUAGES CXX)\n', 'version', undefined],
    ['CMakeLists.txt', 'cmake_minimum_required(VERSION 3.20)\n', 'dependency', 'cmake'],
    ['CMakeLists.txt', 'find_package(Boost 1.80)\n', 'dependency', 'boost'],
    ['build.sbt', 'scalaVersion := "3.3.1"\n', 'dependency', 'scala'],
    [
      'build.sbt',
      'libraryDependencies += "org.typelevel" %% "cats-core" % "2.10.0"\n',
      'dependency',
      'cats-core',
    ],
    ['gradle.properties', 'VERSION_NAME=1.2.0\n', 'version', undefined],
    ['gradle/libs.versions.toml', 'kotlin = "2.2.21"\n', 'dependency', 'kotlin'],
  ] as const)('reads %s: %j', (path, text, about, name) => {
    expect(factsIn({ [`work:${path}`]: text }, about, name)).toHaveLength(1);
  });

  it('finds the engine that a workflow tests with, and that of a manifest', () => {
    const all = {
      'work:mix.exs': '      elixir: "~> 1.15",\n',
      'work:.github/workflows/ci.yml':
        'name: CI\n          - elixir: "1.19"\n            otp: "28"\n',
    };
    expect(factsIn(all, 'engine', 'elixir')).toEqual([
      'mix.exs:1 elixir: "~> 1.15",',
      '.github/workflows/ci.yml:2 - elixir: "1.19"',
    ]);
  });

  it('takes the packages of a workspace, and neither what tests it nor what others load', () => {
    const named = (name: string) => `{\n  "name": "${name}",\n  "module": "dist/index.js"\n}\n`;
    const all = {
      'work:packages/a/package.json': named('a'),
      'work:e2e/b/package.json': named('b'),
      'work:benchmarks/c/package.json': named('c'),
    };
    expect(factsIn(all, 'workspaces')).toEqual(['packages/a/package.json:2 "name": "a",']);
  });

  it('takes no version of something that stands deep in a build file', () => {
    const nested = 'android {\n    cmake {\n        version = "3.22.1"\n    }\n}\n';
    expect(factsIn({ 'work:build.gradle': nested }, 'version')).toEqual([]);
    expect(factsIn({ 'work:build.gradle': 'version = "3.22.1"\n' }, 'version')).toHaveLength(1);
  });

  it('takes no other package of another scope', () => {
    const text = '{\n  "dependencies": {\n    "@css/vite": "4",\n    "vite": "8"\n  }\n}\n';
    const own = 'package.json:4 "vite": "8"';
    expect(factsIn({ 'work:package.json': text }, 'dependency', 'vite')).toEqual([own]);
  });

  it('finds nothing where nothing is said', () => {
    expect(linesOf('dependency', 'left-pad')).toEqual([]);
  });

  it('takes a list of setup.py that has a name, and the features of a crate', () => {
    const setup =
      "needed_requires = [\n    'aniso8601>=0.82',\n    'Flask>=0.8',\n]\nsetup(name='kit')\n";
    expect(factsIn({ 'work:setup.py': setup }, 'dependency', 'flask')).toEqual([
      "setup.py:3 'Flask>=0.8',",
    ]);
    const crate = '[package]\nname = "kit"\n\n[features]\ndefault = ["tls"]\ntls = ["rustls"]\n';
    expect(factsIn({ 'work:Cargo.toml': crate }, 'features')).toEqual([
      'Cargo.toml:5 default = ["tls"]',
      'Cargo.toml:6 tls = ["rustls"]',
    ]);
  });

  it('takes a family of packages by its name where no package is called so', () => {
    const pom = `<project>
  <properties>
    <jetty.version>12.1</jetty.version>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.eclipse</groupId>
      <artifactId>jetty-server</artifactId>
    </dependency>
  </dependencies>
</project>
`;
    expect(factsIn({ 'work:pom.xml': pom }, 'dependency', 'jetty')).toEqual([
      'pom.xml:3 <jetty.version>12.1</jetty.version>',
    ]);
    expect(factsIn({ 'work:pom.xml': pom }, 'dependency', 'eclipse')).toEqual([
      'pom.xml:7 <groupId>org.eclipse</groupId>',
    ]);
  });

  it.each([
    [
      'pom.xml',
      '<project>\n<properties>\n<jdk.version>17</jdk.version>\n</properties>\n</project>\n',
      3,
    ],
    [
      'pom.xml',
      '<project>\n<build>\n<configuration>\n<release>17</release>\n</configuration>\n</build>\n</project>\n',
      4,
    ],
    ['build.gradle.kts', 'kotlin {\n    jvmToolchain(17)\n}\n', 2],
    ['build.gradle', 'java {\n    languageVersion = JavaLanguageVersion.of(17)\n}\n', 2],
  ])('finds the Java that %s needs', (path, text, line) => {
    const found = factsIn({ [`work:${path}`]: text }, 'engine', 'java');
    expect(found).toEqual([expect.stringMatching(`^${path}:${line} .*17`)]);
  });

  it('takes a package manager, and a package once whatever is switched on in it', () => {
    const own =
      '{\n  "packageManager": "pnpm@11.1.0",\n  "engines": {\n    "pnpm": ">=11"\n  }\n}\n';
    expect(factsIn({ 'work:package.json': own }, 'dependency', 'pnpm')).toEqual([
      'package.json:2 "packageManager": "pnpm@11.1.0",',
      'package.json:4 "pnpm": ">=11"',
    ]);
    const crate =
      '[dependencies.tls]\nversion = "1"\nfeatures = [\n    # all\n    "a",\n    "b",\n]\n\n[features]\nfull = [\n    "tls",\n    "x",\n]\n';
    expect(factsIn({ 'work:Cargo.toml': crate }, 'dependency', 'tls')).toEqual([
      'Cargo.toml:2 version = "1"',
    ]);
    expect(factsIn({ 'work:Cargo.toml': crate }, 'features')).toEqual(['Cargo.toml:10 full = [']);
  });

  it('takes packages of XML with their version, and those that tests need', () => {
    const pom = `<project>
  <parent>
    <artifactId>spring-boot-parent</artifactId>
    <version>4.0.3</version>
  </parent>
  <dependencies>
    <dependency>
      <artifactId>junit</artifactId>
      <scope>test</scope>
    </dependency>
    <dependency>
      <artifactId>core</artifactId>
    </dependency>
  </dependencies>
</project>
`;
    expect(factsIn({ 'work:pom.xml': pom }, 'dependency', 'spring-boot')).toEqual([
      'pom.xml:3 <artifactId>spring-boot-parent</artifactId>',
      'pom.xml:4 <version>4.0.3</version>',
    ]);
    expect(factsIn({ 'work:pom.xml': pom }, 'dependencies', 'dev')).toEqual([
      'pom.xml:8 <artifactId>junit</artifactId>',
    ]);
  });

  it('names the linters that a file of their own enables', () => {
    const linters = 'linters:\n  enable:\n    - misspell\n  disable:\n    - lll\n';
    const facts = factsIn({ 'work:.golangci.yml': linters }, 'lint');
    expect(facts).toEqual(['.golangci.yml:3 - misspell']);
  });

  it('reads members that stand on one line, also of a broken file', () => {
    const all = '{"name":"x","engines":{"node":">=18"},"scripts":{"test":"jest -c a.json"},';
    const one = { 'work:package.json': `${all}"dependencies":{"a":"1.0.0"}}` };
    const broken = { 'work:package.json': `${all}"dependencies":{` };
    const long = { 'work:package.json': `${all}"keywords":["${'x'.repeat(300)}"]}` };
    for (const found of [one, broken])
      expect(factsIn(found, 'test')).toEqual([`package.json:1 ${found['work:package.json']}`]);
    expect(factsIn(long, 'test')).toEqual(['package.json:1 test: jest -c a.json']);
    expect(factsIn(long, 'engine')).toEqual(['package.json:1 node: >=18']);
  });

  it('finds what the workflow of a name does, and tasks of that name', () => {
    const all = {
      'work:.github/workflows/release.yml': 'jobs:\n  all:\n    steps:\n      - run: make dist\n',
      'work:.github/workflows/ci.yml': 'jobs:\n  all:\n    steps:\n      - run: make test\n',
      'work:Makefile': 'release: dist\n\tgit push --tags\n',
    };
    const found = factsIn(all, 'ci', 'release').join('\n');
    expect(found).toContain('make dist');
    expect(found).toContain('release: dist');
    expect(found).not.toContain('make test');
    expect(factsIn(all, 'ci').join('\n')).toContain('make test');
  });
});
