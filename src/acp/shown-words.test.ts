import { describe, expect, it } from 'vitest';
import { createShownWords } from './shown-words.ts';

async function shownOf(deltas: readonly string[]): Promise<string[]> {
  const sent: string[] = [];
  const words = createShownWords(
    (text) => text.replace(/-----BEGIN [\s\S]*-----END KEY-----|secret/g, '[key]'),
    async (text) => void sent.push(text),
  );
  for (const delta of deltas) await words.add(delta);
  await words.end();
  return sent;
}

describe('createShownWords()', () => {
  it('sends whole lines as they end, and the last one at the end', async () => {
    expect(await shownOf(['one ', 'line\ntw', 'o\nthr', 'ee'])).toEqual([
      'one line\n',
      'two\n',
      'three',
    ]);
  });

  it('looks at a word whole that came in pieces', async () => {
    expect((await shownOf(['the sec', 'ret is', ' out\n'])).join('')).toBe('the [key] is out\n');
  });

  it('holds a key of several lines back until its end', async () => {
    const deltas = ['a\n-----BEGIN KEY-----\n', 'abc\n', 'def\n-----END KEY-----\nb\n'];
    expect((await shownOf(deltas)).join('')).toBe('a\n[key]\nb\n');
  });

  it('does not hold a text without line ends for ever', async () => {
    expect((await shownOf(Array.from({ length: 3 }, () => 'x'.repeat(10_000)))).length).toBe(2);
  });
});
