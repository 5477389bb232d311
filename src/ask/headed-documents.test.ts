import { describe, expect, it } from 'vitest';
import type { StepResult } from '../contracts/plan.ts';
import { headedDocuments } from './headed-documents.ts';

const result = (input: object, texts: readonly string[]): StepResult =>
  ({
    ...{ step: 's1', tool: 'search.passages', status: 'ok', needs: [], input },
    output: { content: JSON.stringify({ passages: texts.map((text) => ({ text })) }), summary: '' },
  }) as unknown as StepResult;
const all = result({}, ['## Retries\nx']);
const found = (texts: readonly string[], words: readonly string[]) =>
  headedDocuments([all, result({ documents: true }, texts)], words).map(
    ({ output }) => output?.content,
  );

describe('headedDocuments()', () => {
  it('puts sections first whose heading says all that is asked about', () => {
    const texts = ['### Retries\nTwice.', '## Other\nretry', 'Retry\n=====\nTwo.'];
    const kept = [texts[0], texts[2]].map((text) => ({ text }));
    expect(found(texts, ['retry', 'work'])).toEqual([
      JSON.stringify({ passages: kept }),
      all.output?.content,
    ]);
  });

  it('leaves out documents that only speak of it', () => {
    expect(found(['## Limits\nretry limits'], ['retry', 'limits'])).toEqual([all.output?.content]);
    expect(found(['## Limits\nretry'], [])).toEqual([all.output?.content]);
  });
});
