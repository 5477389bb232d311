import { describe, expect, it } from 'vitest';
import { findStarted } from './open-git-run.ts';

const find = (line: string) => findStarted(line.split(' '))?.text;

describe('findStarted()', () => {
  it.each([
    ...[
      '-c core.pager=x log',
      '-c alias.x=!x x',
      '-c tar.x.command=x archive',
      '-c CORE.Editor=x log',
    ],
    ...[
      '-c include.path=x log',
      '-c core.worktree=/ log',
      '-c nothing log',
      '-c',
      '--config-env=a=b log',
    ],
    ...[
      '--exec-path=x log',
      '--git-dir=x log',
      '--work-tree x log',
      '-C x -c core.fsmonitor=x status',
      'clone -u x .',
      'clone -qlu x .',
    ],
    ...['clone --up=x .', 'clone --upload-pack x .', 'fetch --upload-pack=x', 'pull --uploa x'],
    ...['push --receive-pack=x', 'push --rece x', 'push --exec=x', 'ls-remote --exec=x .'],
    ...['archive --exec=x HEAD', 'archive --remote=. HEAD', 'rebase -x x', 'rebase -ix x'],
    ...['rebase --exec=x', 'rebase --ex x', 'grep -Ox y', 'grep -nO y', 'grep --open=x y'],
    ...['bisect run x', 'bisect visualize', 'submodule foreach x', 'submodule --quiet foreach x'],
  ])('finds what git %s starts', (line) => {
    expect(find(line)).toBeTypeOf('string');
  });

  it.each([
    ...[
      'log -x',
      '-c user.name=x log',
      '-c color.ui=always diff',
      '-c Diff.Algorithm=patience diff',
    ],
    ...['fetch --update-shallow', 'push --recurse-submodules=no', 'archive HEAD', 'rebase -i x'],
    ...['rebase --edit-todo', 'rebase -Xours x', 'grep -eO y', 'grep -o y', 'bisect start run'],
    ...['submodule update foreach', 'clone . up', 'grep x -- -O', '--exec-path', '--version'],
  ])('has nothing against git %s', (line) => {
    expect(find(line)).toBeUndefined();
  });
});
