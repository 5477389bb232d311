import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellWord } from './shell-word.ts';

describe('shellWord()', () => {
  it('leaves a plain path as it is', () => {
    expect(shellWord('../my-tool/dist/tool_1.wasm')).toBe('../my-tool/dist/tool_1.wasm');
  });

  it('makes no option of a path', () => {
    expect(shellWord('-rf')).toBe('./-rf');
    expect(shellWord('-my tool')).toBe("'./-my tool'");
    expect(shellWord('a-b')).toBe('a-b');
  });

  it('quotes what zsh would take for a program', () => {
    expect(shellWord('=ls')).toBe("'=ls'");
    expect(shellWord('a=b')).toBe('a=b');
  });

  it.each(['my tool', '', "it's", '$HOME', '~', 'a"b', '`id`', 'a;b', 'a*', '\\', 'a\nb', 'ü'])(
    'is one word again for a shell: %j',
    (text) => {
      const line = `printf %s ${shellWord(text)}`;
      expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(text);
    },
  );
});
