import { describe, expect, it } from 'vitest';
import { withoutThoughts } from './without-thoughts.ts';

function read(text: string, step: number): { words: string; thought: boolean } {
  const reader = withoutThoughts({ opens: () => 'no', isWords: () => false });
  let words = '';
  const take = ({ text, dropsAll }: { text: string; dropsAll: boolean }): void => {
    words = dropsAll ? text : words + text;
  };
  for (let at = 0; at < text.length; at += step) take(reader.push(text.slice(at, at + step)));
  take(reader.end());
  return { words, thought: reader.thought };
}

const final = '<|start|>assistant<|channel|>final<|message|>';

describe('withoutThoughts()', () => {
  it.each([
    ['<think>a < b</think>\n\nIt is 7.', 'It is 7.', true],
    ['\n<Thinking>\nx\n</THINKING>It is 7.', 'It is 7.', true],
    ['<reasoning>x</reasoning>It is 7.', 'It is 7.', true],
    ['[THINK]x[/THINK]It is 7.', 'It is 7.', true],
    ['◁think▷x◁/think▷It is 7.', 'It is 7.', true],
    ['<|START_THINKING|>x<|END_THINKING|>It is 7.', 'It is 7.', true],
    ['<|begin_of_thought|>x<|end_of_thought|>It is 7.', 'It is 7.', true],
    ['<seed:think>x</seed:think>It is 7.', 'It is 7.', true],
    ['<think>a</think>b</think>It is 7.', 'It is 7.', true],
    ['<think></think>', '', true],
    ['<think>never ends', '', true],
    ['It is 7.<think>or 8?</think>', 'It is 7.', true],
    ['It is 7.\n<think>or 8', 'It is 7.\n', true],
    ['I think 7 or 8.\n</think>\n\nIt is 7.', 'It is 7.', true],
    ['`a` or 8[/THINK] It is 7.', 'It is 7.', true],
    [`<|channel|>analysis<|message|>7 or 8<|end|>${final}It is 7.<|return|>`, 'It is 7.', true],
    ['<|channel|>final<|message|>It is 7.', 'It is 7.', false],
    ['analysisWe need 7.assistantfinalIt is 7.', 'It is 7.', true],
    ['  <thin', '  <thin', false],
    ['<b>7</b> [a](b) [THIN', '<b>7</b> [a](b) [THIN', false],
    ['{"tool": "a"}', '{"tool": "a"}', false],
    ['analysis of 7', 'analysis of 7', false],
    ['', '', false],
  ])('reads %j in pieces of any size', (text, words, thought) => {
    for (const step of [1, 2, 5, 1000]) expect(read(text, step)).toEqual({ words, thought });
  });

  it.each([
    'The tag `<think>` opens the thoughts and `</think>` ends them.',
    'It is ``a ` </think>`` here.',
    '```html\n<think>7</think>\n```\nis what it sends, `x',
    '- ~~~\n  </think>\n  ~~~\n',
    '    const end = </think>;\n',
    'It looks for "</think>" and \'<think>\'.',
    'See [thinking](a.md) and [think].',
    'a ` b',
  ])('leaves the marks in %j, which speaks of them', (text) => {
    for (const step of [1, 3, 1000])
      expect(read(text, step)).toEqual({ words: text, thought: false });
  });
});
