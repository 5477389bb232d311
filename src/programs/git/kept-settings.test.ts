import { expect, it } from 'vitest';
import { isSha256, keptSettings, unusualFormat } from './kept-settings.ts';

const listed = (...entries: [string, string][]) =>
  entries.map(([name, value]) => `${name}\n${value}\0`).join('');

it('keptSettings() keeps what says what files and branches are', () => {
  const entries: [string, string][] = [
    ['core.autocrlf', 'true'],
    ['branch.feat/one.two.remote', 'origin'],
    ['branch.feat/one.two.merge', 'refs/heads/feat/one.two'],
    ['remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*'],
    ['remote.origin.url', 'https://example.org/a/b.git'],
    ['remote.work.url', 'git@example.org:a/b.git'],
  ];
  expect(keptSettings(listed(...entries))).toEqual(entries.map((entry) => entry.join('=')));
});

it('keptSettings() keeps nothing else, whatever it looks like', () => {
  const entries: [string, string][] = [
    ['core.fsmonitor', './x'],
    ['core.hookspath', 'x'],
    ['core.worktree', '/'],
    ['remote.origin.url', 'https://ann:secret@example.org/a.git'],
    ['remote.origin.url', 'ext::sh -c id'],
    ['remote.origin.url', '--upload-pack=x'],
    ['remote.origin.uploadpack', './x'],
    ['branch.main.remote', '--x y'],
    ['branch.a=b.remote', 'origin'],
    ['branch.a\nb.remote', 'origin'],
    ['alias.x', '!id'],
    ['include.path', '/etc/passwd'],
    ['user.name', 'Mallory'],
    ['filter.x.clean', './x'],
    ['core.autocrlf', 'true;x'],
  ];
  expect(keptSettings(`${listed(...entries)}core.autocrlf\0`)).toEqual([]);
  const many = Array.from({ length: 2000 }, (_, at): [string, string] => [
    `branch.b${at}.remote`,
    'o',
  ]);
  expect(keptSettings(listed(...many))).toHaveLength(400);
});

it('isSha256() tells how objects are named', () => {
  const format = (name: string) =>
    listed(['core.bare', 'false'], ['extensions.objectformat', name]);
  expect([format('sha256'), format('sha1'), listed()].map(isSha256)).toEqual([true, false, false]);
  expect(unusualFormat(format('sha256'))).toBeUndefined();
});

it('unusualFormat() names what git would not know of a repository', () => {
  expect(unusualFormat(listed(['core.bare', 'false'], ['extensions.objectformat', 'sha512']))).toBe(
    'objectformat sha512',
  );
  expect(unusualFormat(listed(['extensions.refstorage', 'reftable']))).toBe('refstorage reftable');
  expect(
    unusualFormat(
      listed(['extensions.objectformat', 'sha1'], ['extensions.worktreeconfig', 'true']),
    ),
  ).toBeUndefined();
});
