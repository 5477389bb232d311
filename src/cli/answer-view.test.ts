import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { RunEvent } from '../contracts/events.ts';
import { createAnswerView } from './answer-view.ts';
import { setColor } from './style.ts';

beforeAll(() => setColor('always'));
afterAll(() => setColor('auto'));
afterEach(() => vi.restoreAllMocks());

const base = { ts: 0, run: 'r' };
const text = (delta: string): RunEvent => ({ ...base, type: 'text', delta });
const spent = { rounds: 1, toolCalls: 0, tokens: 9, durationMs: 9 };
const usage: RunEvent = {
  ...{ ...base, type: 'usage', round: 1, inputTokens: 1, outputTokens: 1 },
  spent,
};
const answer: RunEvent = {
  ...{ ...base, type: 'answer', text: '', mode: 'model', evidence: [], memory: [] },
};

/** What is written, and what becomes of the line that tells of progress, in their order. */
async function written(events: readonly RunEvent[]): Promise<string[]> {
  const all: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    all.push(stripVTControlCharacters(String(piece)));
    return true;
  });
  const progress = {
    set: (label: string) => void all.push(`[${label}]`),
    clear: () => void all.push('[clear]'),
    [Symbol.dispose]: () => {},
  };
  const view = createAnswerView('q', progress, { quiet: true });
  for (const event of events) await view.show(event);
  return all.filter((piece, at) => piece !== '[clear]' || all[at - 1] !== '[clear]');
}

describe('createAnswerView()', () => {
  it('draws no progress over words that stand on an open line, and loses none at the end', async () => {
    const all = await written([text('It is\n\n```\nconst held = 1;'), usage, answer]);
    expect(all).toEqual([
      '[clear]',
      'It is\n\n```\n',
      '[clear]',
      'const held = 1;',
      '\n',
      '[clear]',
    ]);
  });

  it('tells of progress where no words stand', async () => {
    expect(await written([usage])).toEqual([expect.stringMatching(/^\[thinking \(1 round/)]);
  });
});
