import { describe, expect, it } from 'vitest';
import { windowsNameFault } from './parse-path.ts';

describe('windowsNameFault()', () => {
  it('finds streams, short names, dropped ends and devices', () => {
    const names = ['a.txt:s', '.env::$DATA', 'ENV~1', 'GIT~1.TXT', '.env.', '.env ', 'a\\b'];
    for (const name of [...names, 'con', 'NUL.txt', 'com1', 'LPT9.log', 'conin$', 'a*']) {
      expect([name, windowsNameFault(name)]).toEqual([name, true]);
    }
  });

  it('takes plain names, and the directory itself', () => {
    const names = ['a.txt', '.env', 'console', 'null', 'com', 'comic1', '~', 'a~b', 'ä ö', '', '.'];
    for (const name of names) expect([name, windowsNameFault(name)]).toEqual([name, false]);
  });
});
