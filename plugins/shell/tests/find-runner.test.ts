import { describe, expect, it } from 'vitest';
import { findRunner, type TestWish } from './find-runner.ts';

const readerOf = (files: Readonly<Record<string, string>>) => ({
  has: (path: string) => files[path] !== undefined,
  read: (path: string) => files[path],
  find: (folder: string, [glob = '']: readonly string[]) =>
    Object.keys(files).filter(
      (path) => path.startsWith(folder) && path.includes(`/${glob.split('*')[0]}`),
    ),
});
const script = (test: string) => JSON.stringify({ scripts: { test } });
const line = (files: Readonly<Record<string, string>>, wish: Partial<TestWish> = {}) => {
  const run = findRunner({ path: '', isFile: false, ...wish }, readerOf(files));
  return `${run.folder}$ ${[run.program, ...run.args].join(' ')} (${run.format})`;
};

describe('findRunner()', () => {
  it.each([
    [{ 'package.json': script('vitest run') }, {}, '$ npm test (vitest)'],
    [
      { 'package.json': script('vitest run') },
      { path: 'src/a.test.ts', isFile: true, filter: 'adds' },
      '$ npm test -- -t adds src/a.test.ts (vitest)',
    ],
    [{ 'package.json': script('jest') }, { filter: 'adds' }, '$ npm test -- -t adds (jest)'],
    [{ 'package.json': script('mocha') }, { filter: 'x' }, '$ npm test -- --grep x (mocha)'],
    [
      { 'package.json': script('node --test') },
      { filter: 'x' },
      '$ npm test -- --test-name-pattern=x (node)',
    ],
    [{ 'package.json': script('make it so') }, {}, '$ npm test (other)'],
    [
      { 'package.json': '{"devDependencies":{"vitest":"5"}}' },
      {},
      '$ npx --no -- vitest run (vitest)',
    ],
    [{ 'jest.config.js': '' }, { path: 'src' }, '$ npx --no -- jest src (jest)'],
    [{ 'Cargo.toml': '' }, {}, '$ cargo test --no-fail-fast (cargo)'],
    [{ 'pom.xml': '' }, { filter: 'Sum' }, '$ mvn -B test -Dtest=Sum (maven)'],
    [{ 'pom.xml': '', mvnw: '' }, {}, '$ ./mvnw -B test (maven)'],
    [{ 'build.gradle.kts': '' }, {}, '$ gradle --no-daemon --console=plain test (gradle)'],
    [
      { 'app/build.gradle': '', 'app/gradlew': '' },
      { path: 'app', filter: 'Sum' },
      'app$ ./gradlew --no-daemon --console=plain test --tests Sum (gradle)',
    ],
    [
      { 'Cargo.toml': '' },
      { path: 'tests/io.rs', isFile: true, filter: 'reads' },
      '$ cargo test --no-fail-fast --test io -- reads (cargo)',
    ],
    [{ 'go.mod': 'module x' }, {}, '$ go test -v ./... (go)'],
    [
      { 'go.mod': 'module x' },
      { path: 'sub/a_test.go', isFile: true, filter: 'TestA' },
      '$ go test -v -run TestA ./sub/ (go)',
    ],
    [
      { 'pyproject.toml': '[tool.pytest.ini_options]' },
      { path: 'tests', filter: 'x' },
      '$ python3 -B -m pytest -q -rfE --tb=short --color=no -p no:cacheprovider -k x tests (pytest)',
    ],
    [{ 'setup.py': '' }, {}, '$ python3 -B -m unittest discover (unittest)'],
    [
      { 'setup.py': '', 'tests/test_a.py': 'from unittest import TestCase' },
      {},
      '$ python3 -B -m unittest discover (unittest)',
    ],
    [
      { 'pyproject.toml': '', 'tests/test_a.py': 'def test_a(): pass' },
      {},
      '$ python3 -B -m pytest -q -rfE --tb=short --color=no -p no:cacheprovider (pytest)',
    ],
    [
      { 'setup.py': '', 'tests/test_a.py': 'import unittest', '.venv/bin/pytest': '' },
      {},
      '$ python3 -B -m pytest -q -rfE --tb=short --color=no -p no:cacheprovider (pytest)',
    ],
    [
      { 'tests/test_a.py': '' },
      {},
      '$ python3 -B -m pytest -q -rfE --tb=short --color=no -p no:cacheprovider (pytest)',
    ],
    [{ Makefile: 'build: x\ntest: build\n' }, {}, '$ make test (other)'],
    [{ Makefile: 'check:\n' }, {}, '$ make check (other)'],
  ] as const)('of %j for %j', (files, wish, expected) => {
    expect(line(files, wish)).toBe(expected);
  });

  it('takes the nearest folder, and paths below it', () => {
    const files = { 'package.json': script('jest'), 'crates/a/Cargo.toml': '' };
    expect(line(files, { path: 'crates/a/src', runner: 'npm' })).toBe(
      '$ npm test -- crates/a/src (jest)',
    );
    expect(line(files, { path: 'crates/a' })).toBe('crates/a$ cargo test --no-fail-fast (cargo)');
    const two = { 'packages/b/package.json': script('vitest run'), Makefile: 'test:\n' };
    expect(line(two, { path: 'packages/b/src/x.test.ts', isFile: true })).toBe(
      'packages/b$ npm test -- src/x.test.ts (vitest)',
    );
  });

  it('takes the runner that is asked for', () => {
    const files = { 'package.json': script('jest'), Makefile: 'test:\n' };
    expect(line(files, { runner: 'make' })).toBe('$ make test (other)');
  });

  it.each([
    [{}, {}, 'nothing at . or above says how tests are run'],
    [{ 'package.json': script('echo "Error: no test specified"') }, {}, 'nothing at .'],
    [{ 'package.json': '{' }, {}, 'nothing at .'],
    [{ Makefile: 'test:\n' }, { filter: 'x' }, 'make test takes neither'],
    [{ Makefile: 'test := 1\n' }, {}, 'nothing at .'],
    [{ 'Cargo.toml': '' }, { path: 'src/lib.rs', isFile: true }, 'cargo runs a package'],
    [{ 'package.json': script('./run.sh') }, { filter: 'x' }, 'takes no name'],
    [{ 'go.mod': '' }, { runner: 'make' }, 'what make needs'],
  ] as const)('of %j for %j says what is wrong', (files, wish, message) => {
    expect(() => line(files, wish)).toThrow(message);
  });

  it('hands no path over as an option', () => {
    const files = { 'package.json': script('vitest run') };
    expect(line(files, { path: '-x.test.ts', isFile: true })).toContain('-- ./-x.test.ts');
  });
});
