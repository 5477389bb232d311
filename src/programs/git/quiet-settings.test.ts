import { describe, expect, it } from 'vitest';
import { quietSettings } from './quiet-settings.ts';

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
