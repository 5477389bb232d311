import { describe, expect, it } from 'vitest';
import { changeOfWithheld, leaveOutWithheld, withExactRenames } from './leave-out-withheld.ts';

const leaveOut = (line: string) => leaveOutWithheld(line.split(' '), () => [':x']).join(' ');

describe('leaveOutWithheld()', () => {
  it.each([
    ['grep a', 'grep a :x'],
    ['-C sub grep a HEAD -- b', '-C sub grep a HEAD -- b :x'],
    ['log -Sa b', 'log --full-history -Sa b :x'],
    ['log -pG a -- b', 'log --full-history -pG a -- b :x'],
    ['diff -pa', 'diff -pa :x'],
    ['show --text HEAD', 'show --text HEAD :x'],
    ['diff-tree --binary HEAD', 'diff-tree --binary HEAD :x'],
    ['diff --stat -M90 -U3', 'diff --stat -M90 -U3 :x'],
    ['diff-files -pB -- a', 'diff-files -pB -- a :x'],
    ['diff-index --find-copies-harder HEAD', 'diff-index --find-copies-harder HEAD :x'],
    ['--literal-pathspecs grep a -- b* c', 'grep a -- :(literal)b* :(literal)c :x'],
    ['log -L1,2:a.ts', 'log -L1,2:a.ts --no-renames'],
    ['log -L 1,2:a.ts HEAD', 'log -L 1,2:a.ts HEAD --no-renames'],
  ])('makes of %s: %s', (line, expected) => {
    expect(leaveOut(line)).toBe(expected);
  });

  it.each([
    'log -p -M',
    'show HEAD',
    'diff --stat -U3',
    'diff-tree -M HEAD',
    'add -A',
    'log --all',
    '--version',
  ])('leaves %s as it is', (line) => expect(leaveOut(line)).toBe(line));

  it('refuses paths that cannot be told from commits', () => {
    expect(() => leaveOut('--literal-pathspecs grep a b')).toThrow(/has no -- in front/);
  });
});

describe('changeOfWithheld()', () => {
  const asked = (line: string) => changeOfWithheld(line.split(' '), () => [':(exclude,top)x']);

  it('asks whether one changed since what a difference is made with', () => {
    const look = ['diff', '--quiet', '--no-renames'];
    expect(asked('diff --stat HEAD')).toEqual([...look, 'HEAD', '--', ':(top)x']);
    expect(asked('-C sub --literal-pathspecs diff -p a b -- c')).toEqual([
      ...['-C', 'sub', ...look, 'a', 'b', '--', ':(top)x'],
    ]);
  });

  it.each(['diff', 'diff --cached', 'diff -M HEAD', 'log HEAD', 'show HEAD', 'diff -- a'])(
    'asks nothing for %s',
    (line) => expect(asked(line)).toBeUndefined(),
  );
});

describe('withExactRenames()', () => {
  it('stands in front, so that what a person says counts', () => {
    expect(withExactRenames(['-C', 'a', 'diff', '--no-renames', 'HEAD'])).toEqual([
      ...['-C', 'a', 'diff', '--find-renames=100%', '--no-renames', 'HEAD'],
    ]);
  });
});
