import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../../tests/support/cpu-ms.ts';
import { codeFile } from './code-file.ts';
import { measureFunctions } from './measure-functions.ts';

const sizes = (path: string, text: string) => {
  const file = codeFile(path, text);
  if (file === undefined) throw new Error(`no language for ${path}`);
  return measureFunctions(file).map(({ name, line, lines, nesting, cyclomatic }) => [
    ...[name, line, lines, nesting, cyclomatic],
  ]);
};

describe('measureFunctions()', () => {
  it('counts lines of code, nesting and ways of a function in braces', () => {
    const text = [
      'function plain() {',
      '  // if (a) {',
      "  return '&& || ?';",
      '}',
      '',
      'export function parse(text?: string): number {',
      '  if (text === undefined || text === "") {', // +2
      '    return 0;',
      '  }',
      '  for (const sign of text) {', // +1
      '    while (sign > a) {', // +1
      '      if (b && c) d();', // +2
      '    }',
      '  }',
      '  switch (text) {',
      "    case 'a': return 1;", // +1
      '    default: return text ? 2 : 3;', // +1
      '  }',
      '}',
    ].join('\n');
    expect(sizes('a.ts', text)).toEqual([
      ['plain', 1, 3, 0, 1],
      ['parse', 6, 14, 2, 9],
    ]);
  });

  it('counts them by indentation, too', () => {
    const text = [
      'class A:',
      '    def run(self, items):',
      '        for item in items:', // +1
      '            if item and item.ok:', // +2
      '                try:',
      '                    item.go()',
      '                except OSError:', // +1
      '                    pass',
      '        return None',
      '',
      'def one(): return 1',
    ].join('\n');
    expect(sizes('a.py', text)).toEqual([
      ['run', 2, 8, 3, 5],
      ['one', 11, 1, 0, 1],
    ]);
  });

  it('counts each arm of a match', () => {
    const text =
      'fn kind(x: u8) -> u8 {\n    match x {\n        0 => 1,\n        1 => 2,\n        _ => 3,\n    }\n}\n';
    expect(sizes('a.rs', text)).toEqual([['kind', 1, 7, 1, 3]]);
  });

  it.each([
    ['functions that are never closed', 'function f() {\n', 4000],
    ['heads that are never closed', 'function f(\n', 4000],
    ['braces', 'if (a) {', 40_000],
    ['regular expressions that are never closed', 'a =/[', 40_000],
  ])('is done with %s in time', (_, part, times) => {
    const took = cpuMs(() => void sizes('a.ts', `function first() {\n${part.repeat(times)}`));
    expect(took).toBeLessThan(3000);
  });
});
