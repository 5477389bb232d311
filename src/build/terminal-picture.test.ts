import { describe, expect, it } from 'vitest';
import { terminalLines, terminalPicture } from './terminal-picture.ts';

const plain = (text: string) => [{ text, weight: 'plain' }];

describe('terminalLines()', () => {
  it('keeps what stays of a line that progress wrote over', () => {
    expect(terminalLines('\r\u001B[K- one (1 s)\r\u001B[Kthe answer\r\n', 80)).toEqual([
      plain('the answer'),
    ]);
  });

  it('keeps bold and dim, and drops other escapes', () => {
    expect(terminalLines('\u001B[1m> 4\u001B[22m a \u001B[31mred\u001B[0m\r\n', 80)).toEqual([
      [
        { text: '> 4', weight: 'bold' },
        { text: ' a ', weight: 'plain' },
        { text: 'red', weight: 'plain' },
      ],
    ]);
  });

  it('wraps at the columns, across weights', () => {
    expect(terminalLines('ab\u001B[1mcdef\u001B[22m\n\n', 4)).toEqual([
      [
        { text: 'ab', weight: 'plain' },
        { text: 'cd', weight: 'bold' },
      ],
      [{ text: 'ef', weight: 'bold' }],
    ]);
  });
});

describe('terminalPicture()', () => {
  it('draws each line below the one before and escapes its text', () => {
    const picture = terminalPicture(
      [[{ text: 'a < b', weight: 'bold' }], [], [{ text: 'c', weight: 'dim' }]],
      20,
    );
    const lines = picture.split('\n').filter((line) => line.startsWith('<text'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('a &lt; b</tspan>');
    const [first, third] = lines.map((line) => Number(/ y="(\d+)"/.exec(line)?.[1]));
    expect(third).toBe((first ?? 0) + 2 * 18);
  });
});
