import { describe, expect, it } from 'vitest';
import { noCompaction } from '../contracts/talk.ts';
import type { PromptRound, PromptTurn } from './build-prompt.ts';
import {
  applyCompaction,
  compactAll,
  compactTalk,
  roundsShortened,
  type TalkParts,
} from './compact-talk.ts';

const run = 'r3';

function round(name: string, bytes: number): PromptRound {
  const call = { id: name, name: 'file.read', input: { path: name } };
  const result = { id: name, source: `tool ${name}`, text: 'x'.repeat(bytes), isError: false };
  return { text: '', calls: [call], results: [result] };
}

function turn(id: string, ...rounds: PromptRound[]): PromptTurn {
  return { run: id, question: `q ${id}`, memory: [], observations: [], rounds, answer: `a ${id}` };
}

function bytesOf({ turns, rounds }: TalkParts): number {
  const all = [...turns.flatMap((each) => each.rounds), ...rounds];
  return all.flatMap(({ results }) => results).reduce((sum, { text }) => sum + text.length, 0);
}

const fitsIn = (bytes: number) => (talk: TalkParts) => bytesOf(talk) <= bytes;
const earlier = turn('r1', round('old', 5_000));

describe('compactTalk()', () => {
  it('changes nothing where all fits', () => {
    const talk = { turns: [earlier], rounds: [round('a', 1_000)] };
    expect(compactTalk(talk, noCompaction, run, () => true)).toEqual(noCompaction);
    expect(applyCompaction(talk, noCompaction, run)).toEqual(talk);
  });

  it('shortens the oldest results first, and says how each is read again', () => {
    const rounds = ['a', 'b', 'c', 'd'].map((name) => round(name, 5_000));
    const talk = { turns: [earlier], rounds };
    const compaction = compactTalk(talk, noCompaction, run, fitsIn(16_000));
    expect(compaction.results).toEqual({ run, rounds: 1 });
    const made = applyCompaction(talk, compaction, run);
    expect(roundsShortened(talk, made)).toBe(2);
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
    const talk = { turns: [], rounds };
    const made = applyCompaction(
      talk,
      compactTalk(talk, noCompaction, run, () => false),
      run,
    );
    expect(made.rounds.slice(1)).toEqual(rounds.slice(1));
    expect(made.rounds[0]?.results[0]?.text).toBe('left out to save room');
  });

  it('leaves what it made shorter as it is the next time, also in the next run', () => {
    const rounds = ['a', 'b', 'c', 'd'].map((name) => round(name, 5_000));
    const talk = { turns: [], rounds };
    const once = compactTalk(talk, noCompaction, run, fitsIn(16_000));
    expect(compactTalk(talk, once, run, fitsIn(16_000))).toEqual(once);
    const later = { turns: [turn(run, ...rounds)], rounds: [] };
    expect(applyCompaction(later, once, 'r4').turns[0]?.rounds).toEqual(
      applyCompaction(talk, once, run).rounds,
    );
    // More is made shorter behind it, and nothing before.
    const more = compactTalk({ ...later, rounds: [round('e', 5_000)] }, once, 'r4', fitsIn(11_000));
    const all = applyCompaction({ ...later, rounds: [] }, more, 'r4').turns[0]?.rounds ?? [];
    expect(all[0]).toEqual(applyCompaction(talk, once, run).rounds[0]);
    expect(more.results.rounds).toBeGreaterThan(once.results.rounds);
  });

  it('looks at few of the ways to make a long conversation shorter', () => {
    const rounds = Array.from({ length: 200 }, (_, at) => round(`f${at}`, 1_000));
    let looks = 0;
    const compaction = compactTalk({ turns: [], rounds }, noCompaction, run, (talk) => {
      looks += 1;
      return bytesOf(talk) <= 100_000;
    });
    expect(bytesOf(applyCompaction({ turns: [], rounds }, compaction, run))).toBeLessThanOrEqual(
      100_000,
    );
    expect(looks).toBeLessThan(12);
  });

  it('names the kept output of a program in place of its command', () => {
    const rounds = [shell, round('b', 10), round('c', 10)];
    const talk = { turns: [], rounds };
    const made = applyCompaction(talk, compactTalk(talk, noCompaction, run, fitsIn(500)), run);
    expect(made.rounds[0]?.results[0]?.text).toContain('shell.output {"id":"0123456789abcdef"}');
  });
});

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

describe('applyCompaction()', () => {
  it('puts a summary in the place of turns, as words of the model, with their ids', () => {
    const turns = [turn('r1', shell), turn('r2', round('b', 900)), turn('r3', round('c', 900))];
    const summary = { through: 'r2', text: 'The limit is 7.', model: 'srv/test' };
    const made = applyCompaction({ turns, rounds: [] }, { ...noCompaction, summary }, 'r4');
    expect(made.turns).toHaveLength(2);
    expect(made.turns[0]).toEqual({
      ...{ run: 'r2', memory: [], observations: [], rounds: [] },
      question:
        'The 2 questions before this took too much room. Sum them up for yourself. Their runs: r1, r2. Long outputs that are kept: 0123456789abcdef; read one with shell.output.',
      answer: '[Summary in the words of srv/test]\nThe limit is 7.',
    });
    expect(made.turns[1]).toEqual(turns[2]);
  });

  it('stands for nothing once what it sums up is gone', () => {
    const turns = [turn('r3', round('c', 900))];
    const summary = { through: 'r2', text: 'The limit is 7.', model: 'srv/test' };
    expect(
      applyCompaction({ turns, rounds: [] }, { ...noCompaction, summary }, 'r4').turns,
    ).toEqual(turns);
  });
});

describe('compactAll()', () => {
  it('shows every round of the runs before as its calls', () => {
    const talk = { turns: [earlier], rounds: [] };
    const made = applyCompaction(talk, compactAll(talk, noCompaction, run), run);
    expect(made.turns[0]?.rounds[0]?.results[0]?.text).toBe('left out to save room');
    expect(made.turns[0]?.answer).toBe('a r1');
  });
});
