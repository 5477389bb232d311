import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { grantedPlace, parseRepositories } from './parse-repositories.ts';

describe('parseRepositories()', () => {
  it('takes folders and addresses, each once, and leaves remarks out', () => {
    const text =
      '# ours\n./a\n/srv/b\n\nhttps://git.example.org/team/c/\nhttps://git.example.org/team/c\ngit@host:d.git\nssh://git@host/e';
    expect(parseRepositories(text, '/base')).toEqual([
      ...['/base/a', '/srv/b', 'https://git.example.org/team/c', 'git@host:d.git'],
      'ssh://git@host/e',
    ]);
  });

  it.each([
    ['a password', 'https://me:s3cret@host/a'],
    ['a token', 'https://s3cret@host/a'],
    ['a token behind the path', 'https://host/a?token=s3cret'],
    ['another protocol', 'http://host/s3cret'],
    ['a transport that runs a program', 'ext::sh://-c%20s3cret'],
    ['what git would take as an option', '--upload-pack=s3cret'],
    ['an escape character', '/srv/\u001b[2Js3cret'],
  ])('refuses %s by its line, and does not repeat it', (_, line) => {
    const parse = () => parseRepositories(`/srv/a\n${line}`, '/base');
    expect(parse).toThrow(/^line 2 of the list /);
    expect(parse).not.toThrow(/s3cret/);
  });

  it('refuses an empty list', () => {
    expect(() => parseRepositories('# none\n', '/')).toThrow('names no repository');
  });
});

describe('grantedPlace()', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-granted-')));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  for (const name of ['ours/a', 'ours-too', 'theirs'])
    mkdirSync(join(dir, name), { recursive: true });
  symlinkSync(join(dir, 'theirs'), join(dir, 'ours/link'));
  const granted = [join(dir, 'ours'), 'https://git.example.org/team', 'git@host:team/'];

  it.each([
    join(dir, 'ours/a'),
    join(dir, 'theirs/../ours/a'),
    'https://git.example.org/team/x',
    'git@host:team/x',
  ])('gives %s', (repository) => {
    expect(grantedPlace(repository, granted)).toMatch(/ours\/a$|team\/x$/);
  });

  it.each([
    ['a folder beside it', join(dir, 'ours-too')],
    ['a folder above it', dir],
    ['steps upwards', join(dir, 'ours/../theirs')],
    ['a link that leads out', join(dir, 'ours/link')],
    ['another team', 'https://git.example.org/team-b/x'],
    ['steps upwards in an address', 'https://git.example.org/team/../other'],
    ['encoded steps upwards', 'https://git.example.org/team/%2e%2e/other'],
    ['a step upwards that ssh decodes', 'https://git.example.org/team/..%2fother/x'],
    ['steps upwards over ssh', 'git@host:team/../other'],
    ['another host', 'https://git.example.org.evil.example/team/x'],
    ['another port', 'https://git.example.org:8443/team/x'],
  ])('refuses %s', (_, repository) => {
    expect(() => grantedPlace(repository, granted)).toThrow(/may not fetch/);
    expect(() => grantedPlace(repository, [])).toThrow(/may not fetch/);
  });
});
