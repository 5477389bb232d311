import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../contracts/model.ts';
import { toTurns, withoutQuestion } from './open-llama.ts';

const request: ModelRequest = {
  question: 'Where?',
  system: 'You answer.',
  messages: [
    { role: 'user', text: 'Question: Where?' },
    {
      role: 'assistant',
      text: '',
      toolCalls: [
        { id: '1', name: 'file.tree', input: {} },
        { id: '2', name: 'file.read', input: { path: 'a' } },
        { id: '3', name: 'file.read', input: { path: 'b' } },
      ],
    },
    {
      role: 'tool',
      results: [
        { id: '1', text: 'src/', isError: false },
        { id: '2', text: 'no', isError: true },
      ],
    },
    { role: 'user', text: 'And now?' },
    { role: 'user', text: 'Well?' },
  ],
  tools: [],
  toolChoice: 'auto',
  maxOutputTokens: 9,
};

describe('toTurns()', () => {
  it('puts each result to its call, and joins turns of one role', () => {
    expect(toTurns(request)).toEqual([
      { role: 'system', text: 'You answer.' },
      { role: 'user', text: 'Question: Where?' },
      {
        role: 'model',
        text: '',
        calls: [
          { name: 'file.tree', input: {}, result: 'src/' },
          { name: 'file.read', input: { path: 'a' }, result: 'Error: no' },
          { name: 'file.read', input: { path: 'b' }, result: 'not called' },
        ],
      },
      { role: 'user', text: 'And now?\n\nWell?' },
    ]);
  });
});

describe('withoutQuestion()', () => {
  it('asks nothing in the place of the question', () => {
    const turns = toTurns({ ...request, messages: request.messages.slice(0, 1) });
    expect(withoutQuestion(turns, 'Where?')?.at(-1)).toEqual({
      role: 'user',
      text: 'Question: N/A',
    });
  });

  it('does without where more follows, or where the question does not stand in it', () => {
    expect(withoutQuestion(toTurns(request), 'Where?')).toBeUndefined();
    expect(withoutQuestion(toTurns(request), 'What?')).toBeUndefined();
    expect(withoutQuestion(toTurns(request), '')).toBeUndefined();
  });
});
