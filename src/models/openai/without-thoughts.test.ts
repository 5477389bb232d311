import { describe, expect, it } from 'vitest';
import { withoutThoughts } from './without-thoughts.ts';

function read(text: string, step: number): { words: string; thought: boolean } {
  const reader = withoutThoughts();
  let words = '';
  for (let at = 0; at < text.length; at += step) words += reader.push(text.slice(at, at + step));
  words += reader.end();
  return { words, thought: reader.thought };
}

describe('withoutThoughts()', () => {
  it.each([
    ['<think>a < b</think>\n\nIt is 7.', 'It is 7.', true],
    ['\n<Thinking>\nx\n</THINKING>It is 7.', 'It is 7.', true],
    ['<think></think>', '', true],
    ['<think>never ends', '', true],
    ['It is <think>7</think>.', 'It is <think>7</think>.', false],
    ['  <thin', '  <thin', false],
    ['<b>7</b>', '<b>7</b>', false],
    ['{"tool": "a"}', '{"tool": "a"}', false],
    ['', '', false],
  ])('reads %j in pieces of any size', (text, words, thought) => {
    for (const step of [1, 2, 5, 100]) expect(read(text, step)).toEqual({ words, thought });
  });
});
