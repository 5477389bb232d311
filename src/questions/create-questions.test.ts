import { describe, expect, it } from 'vitest';
import { nowhere } from './asked-text.ts';
import { createQuestions } from './create-questions.ts';

const { read } = createQuestions();
const ofText = (question: string, given: string) => {
  const { intent, isOfGiven } = read(question, { tools: [], workspace: nowhere, given });
  return isOfGiven && intent.kind === 'ask' ? intent.question : undefined;
};

describe('createQuestions().read() of a text that came with the question', () => {
  const trace = Array.from({ length: 40 }, (_, at) => `  at lamp.burn (lamp.ts:${at})`).join('\n');

  it('takes a long text for the question where that says little', () => {
    expect(ofText('why does this fail?', trace)).toBe(trace.trim());
    expect(ofText('what is wrong?', trace)).toBe(trace.trim());
    const long = ofText('why does this fail?', `${trace}\n`.repeat(100));
    expect(long?.length).toBeLessThanOrEqual(32_768);
  });

  it('keeps a question that says what is wanted, and a text that is seen at once', () => {
    expect(ofText('which limits does this change?', trace)).toBeUndefined();
    expect(ofText('what does the harbour lamp do with oil?', trace)).toBeUndefined();
    expect(ofText('why does this fail?', 'one\ntwo')).toBeUndefined();
  });
});

describe('createQuestions().read() of a question about the past', () => {
  it('tells the time from the words beside it', () => {
    const asked = { tools: [], workspace: nowhere };
    const nowMs = Date.UTC(2026, 5, 15);
    const text = 'what was the port in March?';
    expect(read(text, { ...asked, nowMs }).intent).toMatchObject({
      past: {
        fromMs: Date.UTC(2026, 2, 1),
        toMs: Date.UTC(2026, 3, 1) - 1,
        beside: 'what was the port ?',
      },
    });
    expect(read(text, asked).intent).not.toHaveProperty('past');
    expect(read('what is the port?', { ...asked, nowMs }).intent).not.toHaveProperty('past');
  });
});
