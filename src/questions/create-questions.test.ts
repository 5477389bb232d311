import { describe, expect, it } from 'vitest';
import { ownTools } from '../../tests/fixtures/tool-of.ts';
import { nowhere } from './asked-text.ts';
import { createQuestions } from './create-questions.ts';
import type { HistoryReading } from './kinds/history.ts';

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

  it('keeps a question that says what is wanted, and a text without a place', () => {
    expect(ofText('which limits does this change?', trace)).toBeUndefined();
    expect(ofText('what does the harbour lamp do with oil?', trace)).toBeUndefined();
    expect(ofText('why does this fail?', 'one\ntwo')).toBeUndefined();
    expect(ofText('why does this fail?', 'a word\n'.repeat(60))).toBeUndefined();
  });

  it.each([
    ['Python', 'Traceback (most recent call last):\n  File "a/b.py", line 3, in f\nKeyError: 1'],
    ['Node', 'TypeError: x is not a function\n    at burn (/work/lamp.js:3:5)'],
    ['Ruby', "lib/lamp.rb:12:in `burn': undefined method (NoMethodError)"],
    ['Go', 'panic: oil\n\ngoroutine 1 [running]:\nmain.burn(...)\n\t/work/lamp.go:12 +0x1d'],
    ['Rust', "thread 'main' panicked at src/lamp.rs:4:9:\nno oil"],
    ['Java', 'java.lang.Error: oil\n\tat harbour.Lamp.burn(Lamp.java:12)'],
    ['PHP', 'PHP Fatal error: oil\n#0 /work/lamp.php(12): burn()'],
    ['Elixir', '** (KeyError) oil\n    (lamp 0.1.0) lib/lamp.ex:12: Lamp.burn/1'],
    ['.NET', 'System.Exception: oil\n   at Harbour.Lamp.Burn() in /work/Lamp.cs:line 12'],
  ])('takes a short trace of %s for the question', (_, text) => {
    expect(ofText('why does this fail?', text)).toBe(text);
  });
});

describe('createQuestions().read() of a call that is typed as one', () => {
  const orders = { tasks: new Map(), isProgram: () => false, hasPath: () => false } as never;
  const asked = { tools: ownTools, workspace: nowhere, orders };

  it.each(['run search.grep {"pattern":"the oil"}', 'run search.grep pattern="the oil"'])(
    'takes "%s" for a call and for no order',
    (text) => {
      expect(read(text, asked).intent).toMatchObject({ kind: 'call', tool: 'search.grep' });
      expect(() => read(text.replace('search.grep', 'a.b'), asked)).toThrow('a model');
    },
  );
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

describe('createQuestions().read() of a list that leaves something out', () => {
  const readingOf = (text: string) => {
    const { intent } = read(text, { tools: [], workspace: nowhere });
    return intent.kind === 'ask' ? intent.readings[0] : undefined;
  };

  it('does not read what is left out as what it is about', () => {
    const python = { kind: 'listing', pattern: '*.py' };
    expect(readingOf('list python files except tests')).toMatchObject(python);
    expect(readingOf('list todos, but not in docs')).toEqual({ kind: 'todo' });
    for (const text of ['customers pay without tax', 'tests run without docker'])
      expect(
        read(`${text}, remember that`, { tools: [], workspace: nowhere }).intent,
      ).toMatchObject({ kind: 'note', text });
    expect(readingOf('which todos did I finish?')).toEqual({ kind: 'todo', isDone: true });
  });
});

describe('createQuestions().read() of a question about the commits of a time', () => {
  const nowMs = Date.UTC(2026, 10, 29);
  const asked = { tools: [], workspace: nowhere, nowMs };
  const read29 = (text: string) => {
    const { intent } = read(text, asked);
    if (intent.kind !== 'ask') throw new Error(`"${text}" is read as a ${intent.kind}`);
    const { since, until, author } = intent.readings[0] as HistoryReading & { author?: string };
    return [since?.slice(0, 10), until?.slice(0, 10), author, intent.leftOut];
  };

  it.each([
    ['how many commits in June?', '2026-06-01', '2026-06-30'],
    ['wie viele Commits gab es im Juni?', '2026-06-01', '2026-06-30'],
    ['combien de commits en juin ?', '2026-06-01', '2026-06-30'],
    ['what changed in May?', '2026-05-01', '2026-05-31'],
    ['commits between 2026-06-01 and 2026-06-30', '2026-06-01', '2026-06-30'],
    ['commits from May to July', '2026-05-01', '2026-07-31'],
    ['commits last year', '2025-01-01', '2025-12-31'],
    ['what changed last week?', '2026-11-22', '2026-11-28'],
    ['which files changed last week?', '2026-11-22', '2026-11-28'],
    ['how many commits this month?', '2026-11-01', '2026-11-30'],
    ['who committed in March 2021?', '2021-03-01', '2021-03-31'],
    ['how many commits 2023?', '2023-01-01', '2023-12-31'],
    ['contributors in 2022', '2022-01-01', '2022-12-31'],
    ['commits before 2020', undefined, '2019-12-31'],
    ['commits since 2024-01-01', '2024-01-01', '2026-11-29'],
    ['commits in 2026-06', '2026-06-01', '2026-06-30'],
    ['commits over the summer', '2026-06-01', '2026-08-31'],
    ['commits on Monday', '2026-11-23', '2026-11-23'],
    ['commits since last Tuesday', '2026-11-24', '2026-11-29'],
    ['commits since yesterday', '2026-11-28', '2026-11-29'],
    ['commits before yesterday', undefined, '2026-11-27'],
    ['what changed the day before yesterday?', '2026-11-27', '2026-11-27'],
    ['commits am letzten Montag', '2026-11-23', '2026-11-23'],
    ['was hat sich im Juli geändert?', '2026-07-01', '2026-07-31'],
    ['was hat sich seit Juni getan?', '2026-06-01', '2026-11-29'],
    ['was hat sich zuletzt geändert?', undefined, undefined],
    ['was ist letzte Woche passiert?', '2026-11-22', '2026-11-28'],
    ['was gab es Neues im Juli?', '2026-07-01', '2026-07-31'],
    ['welche Dateien haben sich im Juli geändert?', '2026-07-01', '2026-07-31'],
    ["qu'est-ce qui a changé en juillet ?", '2026-07-01', '2026-07-31'],
    ["que s'est-il passé en juillet ?", '2026-07-01', '2026-07-31'],
    ["qu'a-t-on changé en juillet ?", '2026-07-01', '2026-07-31'],
    ['quoi de neuf depuis juin ?', '2026-06-01', '2026-11-29'],
    ['¿qué ha cambiado en julio?', '2026-07-01', '2026-07-31'],
    ['¿qué se ha cambiado en julio?', '2026-07-01', '2026-07-31'],
    ['¿qué pasó la semana pasada?', '2026-11-22', '2026-11-28'],
    ['¿qué hay de nuevo desde junio?', '2026-06-01', '2026-11-29'],
    ['what has recently changed?', undefined, undefined],
  ])('bounds "%s"', (text, since, until) => {
    expect(read29(text)).toEqual([since, until, undefined, undefined]);
  });

  it.each([
    ['what did Ana change in June?', 'Ana'],
    ['which commits in June are by Ana?', 'Ana'],
    ['wie viele Commits hat Ana Lee im Juni gemacht?', 'Ana Lee'],
    ['combien de commits Ana Lee a-t-elle faits en juin ?', 'Ana Lee'],
    ['¿cuántos commits hizo Ana Roca en junio?', 'Ana Roca'],
    ['how many commits did emily make in June?', 'emily'],
    ['commits by sam in June', 'sam'],
  ])('bounds those of a person: "%s"', (text, author) => {
    expect(read29(text)).toEqual(['2026-06-01', '2026-06-30', author, undefined]);
  });

  it.each([
    ['which commits in June are not by Ana Lee?', 'not by Ana Lee'],
    ['which commits not by Ana Lee are in June?', 'not by Ana Lee'],
    ['what changed in June except by Ana?', 'except by Ana'],
    ['list the commits in June other than by Ana', 'other than by Ana'],
    ['welche Commits im Juni sind nicht von Ana Lee?', 'nicht von Ana Lee'],
    ['quels commits en juin ne sont pas de Ana Lee ?', 'pas de Ana Lee'],
    ['¿qué commits en junio no son de Ana Lee?', 'no son de Ana Lee'],
  ])('leaves out who is excluded: "%s"', (text, excluded) => {
    expect(read29(text)).toEqual(['2026-06-01', '2026-06-30', undefined, [excluded]]);
  });

  it.each([
    'qui a créé le projet et qui le maintient ?',
    "qui a créé le projet et qui le maintient aujourd'hui ?",
    'who created the project and who maintains it today?',
  ])('takes no verb for what commits are about: "%s"', (text) => {
    expect(read(text, asked).intent).toMatchObject({ readings: [{ kind: 'how' }] });
  });

  it('leaves a question about something else as it is', () => {
    expect(read('what was the port in March?', asked).intent).toMatchObject({
      readings: [{ kind: 'how' }],
    });
  });

  it.each([
    ['what changed between 2026-11-01 and next Friday?', 'between 2026-11-01 and next Friday'],
    ['commits between Monday and Wednesday', 'between Monday and Wednesday'],
    ['commits before noon', 'before noon'],
    ['commits until tomorrow', 'until tomorrow'],
    ['commits in week 23', 'in week 23'],
    ['commits on 6/1/2026', 'on 6/1/2026'],
    ['commits in early June', 'in early June'],
    ['commits since the release', 'since the release'],
    ['what did we change next week?', 'next week'],
  ])('names the time in "%s", which it does not read', (text, leftOut) => {
    expect(read29(text)).toEqual([undefined, undefined, undefined, [leftOut]]);
  });

  it('names what passages do not say: a time that is counted from now', () => {
    expect(read29('how was the limit computed last week?')[3]).toEqual(['last week']);
    expect(read29('how is the limit computed?')[3]).toBeUndefined();
  });

  it('names what stands behind commits and is not read', () => {
    expect(read29('show commits by Ana about login')[3]).toEqual(['login']);
    expect(read29('files nobody touched since May')[3]).toEqual(['nobody']);
  });
});
