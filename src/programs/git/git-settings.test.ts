import { describe, expect, it } from 'vitest';
import { isSha256, keptSettings, quietSettings, unusualFormat } from './git-settings.ts';

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

describe('quietSettings()', () => {
  it('switches off each filter once, with dots in its name, and what only one part of it is', () => {
    const names = 'core.bare\0filter.lfs.clean\0filter.lfs.smudge\0filter.a.b.process\0filter.x\0';
    expect(quietSettings(names)).toEqual([
      'filter.lfs.clean=',
      'filter.lfs.required=false',
      'filter.lfs.smudge=',
      'filter.a.b.process=',
      'filter.a.b.required=false',
    ]);
  });

  it.each([
    'diff.a.textconv',
    'diff.a.b.command',
    'diff.external',
    'merge.a.driver',
    'trailer.a.cmd',
    'hook.a.command',
    'remote.a.vcs',
    'submodule.a.update',
    'mergetool.a.cmd',
    'sendemail.smtpserver',
    'sendemail.me.tocmd',
    'imap.tunnel',
  ])('overrides %s', (name) => {
    expect(quietSettings(`user.name\0${name}\0`).map((each) => each.split('=')[0])).toEqual([name]);
  });

  it('forbids what would be started where the first setting counts', () => {
    expect(quietSettings('core.gitproxy\0')).toEqual(['protocol.git.allow=never']);
    expect(quietSettings('remote.a=b.uploadpack\0')).toEqual(['protocol.file.allow=never']);
  });

  it('refuses a name that a command line cannot say', () => {
    for (const name of ['filter.a=b.clean', 'diff.a=b.textconv', 'merge.a\nb.driver']) {
      expect(() => quietSettings(`${name}\0`)).toThrow(
        expect.objectContaining({ code: 'permission-denied' }),
      );
    }
    expect(quietSettings('branch.a=b.remote\0')).toEqual([]);
  });
});
