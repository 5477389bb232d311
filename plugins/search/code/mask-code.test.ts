import { describe, expect, it } from 'vitest';
import { type CodeFamily, codeFamily } from './code-family.ts';
import { maskCode } from './mask-code.ts';

const masked = (path: string, text: string): string =>
  maskCode(text, codeFamily(path) as CodeFamily);

describe('maskCode()', () => {
  it.each([
    ['a.ts', 'a(); // b {', 'a();'],
    ['a.ts', 'a /* b\n{ */ c', 'a\nc'],
    ['a.ts', `f("a { \\" b", '{');`, 'f(,);'],
    ['a.ts', 'f(`a $' + '{b({c})} d $' + '{`$' + '{e}`} f`);', 'f(b({c})e);'],
    ['a.ts', 'x = a / b / c;', 'x=a/b/c;'],
    ['a.ts', 'x.split(/[/"{]/g)', 'x.split(g)'],
    ['a.ts', 'return /"/.test(a)', 'return.test(a)'],
    ['a.ts', 'const a = "open\nb = 1;', 'consta=\nb=1;'],
    ['a.py', 'x = """a\n# b""" # c', 'x=\n'],
    ['a.py', "d['k#'] # t", 'd[]'],
    ['a.sh', 'a$# b # c', 'a$#b'],
    ['a.rs', `fn f<'a>(x: &'a str) { '{' }`, `fnf<'a>(x:&'astr){}`],
    ['a.go', 'a := `{\n"` + b', 'a:=\n+b'],
    ['a.lua', 'x -- y', 'x'],
  ])('blanks what is not code in %s: %s', (path, text, expected) => {
    const found = masked(path, text);
    expect(found.replaceAll(' ', '')).toBe(expected);
    // Every sign that is left stands where it stood.
    expect(found).toHaveLength(text.length);
    for (const [at, sign] of [...found].entries()) if (sign !== ' ') expect(sign).toBe(text[at]);
  });

  it.each(['"', "'", '`', '/*', '`${', '/[', '"""', '\\'])(
    'ends with the text when %s is never closed',
    (open) => {
      for (const path of ['a.ts', 'a.py', 'a.rs']) {
        const text = `a = ${open} b\n`.repeat(50);
        expect(masked(path, text)).toHaveLength(text.length);
      }
    },
  );
});
