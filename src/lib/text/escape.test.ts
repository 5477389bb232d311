import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeJson, escapeTerminal, shellWord } from './escape.ts';

describe('escapeTerminal()', () => {
  it('leaves text, tabs and line ends', () => {
    const text = 'Straße\t日本語 👩‍👩‍👧 naïve\nمرحبا שלום\n';
    expect(escapeTerminal(text)).toBe(text);
  });

  it.each([
    ['a colour', '\u001b[31mred', '\\x1b[31mred'],
    ['a title that ends in BEL', '\u001b]0;owned\u0007', '\\x1b]0;owned\\x07'],
    ['C1 CSI', '\u009b2J', '\\x9b2J'],
    ['a carriage return over a line', 'safe\rrm -rf', 'safe\\x0drm -rf'],
    ['backspace and DEL', 'a\bb\u007f', 'a\\x08b\\x7f'],
    ['NUL', '\0', '\\x00'],
    ['a bidirectional override', 'a\u202eb\u2066c', 'a\\u{202e}b\\u{2066}c'],
    ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
    ['invisible tags', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a lone surrogate', 'a\ud800b', 'a\\u{d800}b'],
  ])('makes %s visible', (_name, text, shown) => {
    expect(escapeTerminal(text)).toBe(shown);
  });

  it('turns line ends of Windows into plain ones', () => {
    expect(escapeTerminal('a\r\nb')).toBe('a\nb');
  });

  it('leaves no control character of any text, and changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const shown = escapeTerminal(text);
        expect(shown).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
        expect(escapeTerminal(shown)).toBe(shown);
      }),
    );
  });
});

describe('escapeJson()', () => {
  it('gives the same value, with nothing in it that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const json = JSON.stringify({ value, text });
        const escaped = escapeJson(json);
        expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
        expect(escapeTerminal(escaped)).toBe(escaped);
      }),
    );
    expect(escapeJson('"\u009b2J\u202e\u{e0041}é"')).toBe('"\\u009b2J\\u202e\\udb40\\udc41é"');
  });
});

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
