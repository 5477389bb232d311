import { describe, expect, it } from 'vitest';
import type { PromptRound, PromptTurn } from './build-prompt.ts';
import { compactTalk } from './compact-talk.ts';

function round(name: string, bytes: number): PromptRound {
  const call = { id: name, name: 'file.read', input: { path: name } };
  const result = { id: name, source: `tool ${name}`, text: 'x'.repeat(bytes), isError: false };
  return { text: '', calls: [call], results: [result] };
}

type Parts = { turns: readonly PromptTurn[]; rounds: readonly PromptRound[] };

function bytesOf({ turns, rounds }: Parts): number {
  const all = [...turns.flatMap((turn) => turn.rounds), ...rounds];
  return all.flatMap(({ results }) => results).reduce((sum, { text }) => sum + text.length, 0);
}

const earlier: PromptTurn = {
  question: 'q',
  memory: [],
  observations: [],
  rounds: [round('old', 5_000)],
  answer: 'a',
};

describe('compactTalk()', () => {
  it('changes nothing where all fits', () => {
    const talk = { turns: [earlier], rounds: [round('a', 1_000)] };
    const { shortened, ...same } = compactTalk(talk, () => true);
    expect(shortened).toBe(0);
    expect(same).toEqual(talk);
  });

  it('shortens the oldest results first, and says how each is read again', () => {
    const rounds = ['a', 'b', 'c', 'd'].map((name) => round(name, 5_000));
    const talk = { turns: [earlier], rounds };
    const made = compactTalk(talk, (parts) => bytesOf(parts) <= 16_000);
    expect(made.shortened).toBe(2);
    expect(made.turns[0]?.rounds[0]?.results[0]?.text).toBe(
      '[5000 bytes left out to save room; read them again with file.read {"path":"old"}]',
    );
    expect(made.rounds[0]?.results[0]).toMatchObject({ isOurs: true });
    // Calls keep their ids, and what comes later stays byte for byte.
    expect(made.rounds[0]?.calls).toEqual(rounds[0]?.calls);
    expect(made.rounds.slice(1)).toEqual(rounds.slice(1));
  });

  it('leaves the two newest rounds as they are, however long', () => {
    const rounds = ['a', 'b', 'c'].map((name) => round(name, 5_000));
    const made = compactTalk({ turns: [], rounds }, () => false);
    expect(made.rounds.slice(1)).toEqual(rounds.slice(1));
    expect(made.rounds[0]?.results[0]?.text).toBe('left out to save room');
  });

  it('leaves what it made shorter as it is the next time', () => {
    const rounds = ['a', 'b', 'c', 'd'].map((name) => round(name, 5_000));
    const once = compactTalk({ turns: [], rounds }, (parts) => bytesOf(parts) <= 16_000);
    const twice = compactTalk(once, (parts) => bytesOf(parts) <= 16_000);
    expect(twice.shortened).toBe(0);
    expect(twice.rounds).toEqual(once.rounds);
  });

  it('names the kept output of a program in place of its command', () => {
    const shell: PromptRound = {
      text: '',
      calls: [{ id: 's', name: 'shell.run', input: { command: 'npm test' } }],
      results: [
        {
          ...{ id: 's', source: 'tool shell.run', isError: false },
          text: JSON.stringify({ stdout: 'x'.repeat(900), kept: '0123456789abcdef' }),
        },
      ],
    };
    const rounds = [shell, round('b', 10), round('c', 10)];
    const made = compactTalk({ turns: [], rounds }, (parts) => bytesOf(parts) < 500);
    expect(made.rounds[0]?.results[0]?.text).toContain('shell.output {"id":"0123456789abcdef"}');
  });
});
