import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../contracts/model.ts';
import { toTurns } from './to-turns.ts';

const request: ModelRequest = {
  question: 'Where is the retry limit set?',
  system: 'You answer.',
  messages: [
    { role: 'user', text: 'Where?' },
    { role: 'assistant', text: '', toolCalls: [{ id: '1', name: 'file.tree', input: {} }] },
    {
      role: 'tool',
      results: [
        { id: '1', text: 'src/', isError: false },
        { id: '2', text: 'no', isError: true },
      ],
    },
    { role: 'user', text: 'And now?' },
  ],
  tools: [
    {
      name: 'search.grep',
      description: 'Lines that\n match.',
      inputSchema: { type: 'object', properties: { pattern: {}, path: {} }, required: ['pattern'] },
    },
  ],
  toolChoice: 'auto',
  maxOutputTokens: 9,
};

describe('toTurns()', () => {
  it('shows tools in the system text, calls as JSON and results as the words of the user', () => {
    expect(toTurns(request, 'call')).toEqual([
      {
        role: 'system',
        text: 'You answer.\n\nTools:\n- search.grep {pattern, path?}: Lines that match.\n\nReply with one JSON object: {"tool": NAME, "input": {…}}.',
      },
      { role: 'user', text: 'Where?' },
      { role: 'model', text: '{"tool":"file.tree","input":{}}' },
      { role: 'user', text: 'src/\n\nError: no\n\nAnd now?' },
    ]);
  });

  it('offers the answer where it is open, and no tools for free text', () => {
    expect(toTurns(request, 'choose')[0]?.text).toContain('{"tool": "answer"}');
    expect(toTurns(request, 'text')[0]).toEqual({ role: 'system', text: 'You answer.' });
  });
});
