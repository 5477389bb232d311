import { describe, expect, it } from 'vitest';
import { leaveOutWithheld } from './leave-out-withheld.ts';

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
    ['--literal-pathspecs grep a -- b* c', 'grep a -- :(literal)b* :(literal)c :x'],
    ['log -L1,2:a.ts', 'log -L1,2:a.ts --no-renames'],
    ['log -L 1,2:a.ts HEAD', 'log -L 1,2:a.ts HEAD --no-renames'],
  ])('makes of %s: %s', (line, expected) => {
    expect(leaveOut(line)).toBe(expected);
  });

  it.each(['log -p', 'show HEAD', 'diff --stat -M90 -U3', 'add -A', 'log --all', '--version'])(
    'leaves %s as it is',
    (line) => expect(leaveOut(line)).toBe(line),
  );

  it('refuses paths that cannot be told from commits', () => {
    expect(() => leaveOut('--literal-pathspecs grep a b')).toThrow(/has no -- in front/);
  });
});
