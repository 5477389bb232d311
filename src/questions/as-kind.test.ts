import { describe, expect, it } from 'vitest';
import type { AskIntent } from '../contracts/intent.ts';
import { intentAs } from './as-kind.ts';
import { readIntent } from './read-intent.ts';

const read = (question: string) => readIntent(question, []);
const firstAs = (question: string, kind: string) =>
  (intentAs(read(question), kind) as AskIntent).readings[0];

describe('intentAs()', () => {
  it('takes the reading of that kind, or makes one of what is named', () => {
    expect(firstAs('how do I build the docs?', 'guide')).toEqual({ kind: 'guide' });
    expect(firstAs('sessions.py', 'history')).toMatchObject({ about: 'log', path: 'sessions.py' });
    expect(firstAs('who calls openStore?', 'definition')).toMatchObject({ name: 'openStore' });
    expect(firstAs('where is openStore defined?', 'how')).toEqual({ kind: 'how' });
  });

  it('names the kinds for one that is none, and what fits for one that names nothing', () => {
    expect(() => intentAs(read('what is this?'), 'poem')).toThrow(
      '--as poem is not a kind of question',
    );
    expect(() => intentAs(read('what is this?'), 'file')).toThrow('cannot be read as file');
    expect(() => intentAs(read('remember that it rains'), 'how')).toThrow('needs a question');
  });
});
