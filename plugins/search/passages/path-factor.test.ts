import { describe, expect, it } from 'vitest';
import { isBeside, kindsAskedFor, pathFactor } from './path-factor.ts';

const none = kindsAskedFor('Where is the limit?');

describe('pathFactor()', () => {
  it.each([
    'tests/a.ts',
    'src/a.test.ts',
    'pkg/tree_test.go',
    'src/test/java/FooTest.java',
    'test_utils.py',
    'regress/cursor.sh',
    'assets/completions/bat.fish.in',
    'completion/fish/task.fish',
    'completion/nu/task-completions.nu',
    'completion/zsh/_task',
    'crates/core/flags/complete/rg.zsh',
    'extras/httpie-completion.fish',
    'man/bat.1.in',
    'examples/a.ts',
    'README.md',
    'docs/a.ts',
    'theme.css',
    'package.json',
    'vendor/a.go',
    'node_modules/a/index.js',
    'api_pb2.py',
  ])('%s sinks', (path) => {
    expect(pathFactor(path, none)).toBeLessThan(1);
  });

  it.each([
    'src/index.ts',
    'lib/contest.py',
    'latest.go',
    'src/attestation.rs',
    'src/changes/dry-run.ts',
    'fish_completions.go',
    'completion/engine/_parser.py',
    'lib/_helpers',
    'config/config.fish',
  ])('%s does not', (path) => {
    expect(pathFactor(path, none)).toBe(1);
  });

  it.each(['changelog/0.11.0/issue-2969', 'changelog.d/12.md', 'newsfragments/2345.bugfix'])(
    '%s sinks more than a document',
    (path) => {
      expect(pathFactor(path, none)).toBeLessThan(pathFactor('docs/a.md', none));
    },
  );

  it('lets a kind rise that the question names', () => {
    expect(pathFactor('tests/a.ts', kindsAskedFor('Which tests cover it?'))).toBe(1);
    expect(pathFactor('examples/a.ts', kindsAskedFor('Show me an example'))).toBe(1);
  });
});

it.each([
  ['README.md', false],
  ['docs/parts/web.md', false],
  ['guides/start.md', false],
  ['packages/web/README.md', true],
  ['CONTRIBUTING.md', true],
  ['CHANGELOG.md', true],
])('isBeside() of %s is %s', (path, expected) => {
  expect(isBeside(path)).toBe(expected);
});
