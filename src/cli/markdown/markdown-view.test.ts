import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setColor } from '../style.ts';
import { createMarkdownView } from './markdown-view.ts';

beforeAll(() => setColor('always'));
afterAll(() => setColor('auto'));

function shownIn(text: string, size: number): string {
  const view = createMarkdownView();
  let out = '';
  for (let at = 0; at < text.length; at += size) out += view.push(text.slice(at, at + size));
  return out + view.end();
}

const sample = `# The \`cart\`

It adds **all prices** and _takes_ the discount off, see [the rule](docs/rule.md) and snake_case_name.

- first \`one\`
- 2 * 3 = 6 * 1
  1. deeper **still**

> a quote with *words*

\`\`\`ts
/* a comment
   of two lines */
export const total = (prices: number[]) => "x"; // sum
\`\`\`

| name | price |
|---|---|
| a | 1 |
| longer \`b\` | 20 |

    indented *as it is*

---
The end, https://example.org/a_b_c. \\*not\\* bold`;

describe('createMarkdownView()', () => {
  it.each([1, 2, 3, 7, 50, 10_000])('says the same words in pieces of %i', (size) => {
    expect(stripVTControlCharacters(shownIn(sample, size))).toBe(
      stripVTControlCharacters(shownIn(sample, 1)),
    );
  });

  it('breaks lines of words where they end, and no line of code or of a table', () => {
    const code = 'const total = prices.reduce((sum, price) => sum + price, 0);';
    const view = createMarkdownView(30);
    const text = `It adds **all** prices and takes it off.\n\n- one two three four five six seven\n\n\`\`\`\n${code}\n\`\`\`\n| a | ${'b'.repeat(40)} |\n`;
    const out = stripVTControlCharacters(view.push(text) + view.end());
    expect(out.split('\n').slice(0, 6)).toEqual([
      ...[
        'It adds all prices and takes',
        'it off.',
        '',
        '- one two three four five six',
        '  seven',
        '',
      ],
    ]);
    expect(out).toContain(code);
    expect(out).toContain(`| a | ${'b'.repeat(40)} |`);
  });

  it('shows words in the styles of their marks, without the marks', () => {
    const out = shownIn('say **bold** and *it* and `code`', 3);
    expect(out).toBe(
      'say \u001b[1mbold\u001b[22m and \u001b[3mit\u001b[23m and \u001b[36mcode\u001b[39m',
    );
  });

  it('shows words before their line ends, and holds back what may become emphasis', () => {
    const view = createMarkdownView();
    expect(view.push('The retry limit ')).toBe('The retry limit ');
    expect(view.push('is **thr')).toBe('is ');
    expect(view.push('ee** tries')).toBe('\u001b[1mthree\u001b[22m tries');
    expect(view.push(' and 2 *')).toBe(' and 2 ');
    expect(view.push(' 3')).toBe('* 3');
    expect(view.end()).toBe('');
  });

  it('colours code line by line in its language, also a comment of several lines', () => {
    const view = createMarkdownView();
    view.push('```ts\n');
    expect(view.push('/* one\n')).toBe('\u001b[2m/* one\u001b[22m\n');
    expect(view.push('two */\n')).toBe('\u001b[2mtwo */\u001b[22m\n');
    expect(view.push('const a = 1;\n')).toContain('\u001b[36mconst\u001b[39m');
    expect(view.push('```\n')).toBe('\u001b[2m```\u001b[22m\n');
    expect(view.push('**b**\n')).toBe('\u001b[1mb\u001b[22m\n');
  });

  it('leaves code of a language that nobody knows as it is', () => {
    expect(stripVTControlCharacters(shownIn('```nope\na **b** `c`\n```', 4))).toBe(
      '```nope\na **b** `c`\n```',
    );
  });

  it('aligns the columns of a table', () => {
    const out = stripVTControlCharacters(shownIn(sample, 5));
    expect(out).toContain('| name     | price |\n|----------|-------|\n| a        | 1     |\n');
    expect(out).toContain('| longer b | 20    |\n');
  });

  it('keeps every word', () => {
    const out = stripVTControlCharacters(shownIn(sample, 4));
    for (const word of ['The cart', 'snake_case_name', '2 * 3 = 6 * 1', '    indented *as it is*'])
      expect(out).toContain(word);
    expect(out).toContain('https://example.org/a_b_c. *not* bold');
    expect(out).toContain('the rule (docs/rule.md)');
  });
});
