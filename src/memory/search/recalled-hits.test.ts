import { describe, expect, it } from 'vitest';
import type { MemoryHit } from '../../contracts/memory.ts';
import { recalledHits } from './recalled-hits.ts';

const hit = (text: string, likeness?: number, kind = 'fact'): MemoryHit => ({
  id: text,
  layer: 'interact',
  score: 1,
  text,
  kind,
  tags: [],
  project: '/work',
  ts: 0,
  factors: {
    fused: 1,
    layerWeight: 1.2,
    decay: 1,
    ...(likeness === undefined ? {} : { likeness }),
  },
});
const shown = (hits: MemoryHit[], question: string, limit = 3) => {
  const { sure, perhaps } = recalledHits(hits, question, limit);
  return { sure: sure.map(({ text }) => text), perhaps: perhaps.map(({ text }) => text) };
};
const thursdays = 'Releases happen on Thursdays.';

describe('recalledHits()', () => {
  it('is sure of what holds all words of the question, however unlike it is', () => {
    expect(shown([hit(thursdays, 0)], 'when do releases happen?').sure).toEqual([thursdays]);
  });

  it('knows words as people shorten them, and what "how often" is answered by', () => {
    const port = 'the staging database runs on port 5433';
    expect(shown([hit(port, 0)], 'which port does the staging db use?').sure).toEqual([port]);
    expect(shown([hit(port, 0)], 'which port does the prod db use?').sure).toEqual([]);
    const keys = 'API keys rotate every 90 days';
    expect(shown([hit(keys, 0)], 'how often do API keys rotate?').sure).toEqual([keys]);
    const other = 'API keys rotate in the vault';
    expect(shown([hit(other, 0)], 'how often do API keys rotate?').sure).toEqual([]);
  });

  it('finds a fact in other words by its likeness, under the heading that this earns', () => {
    const question = 'on which weekday do we ship?';
    expect(shown([hit(thursdays, 1.1)], question)).toEqual({ sure: [thursdays], perhaps: [] });
    expect(shown([hit(thursdays, 0.6)], question)).toEqual({ sure: [], perhaps: [thursdays] });
    expect(shown([hit(thursdays, 0.4)], question)).toEqual({ sure: [], perhaps: [] });
  });

  it('shows the count of what is to be counted, and of nothing else', () => {
    const limit = 'the API limit is 100 requests per minute';
    expect(shown([hit(limit, 0.1)], 'how many requests can I send per minute?').perhaps).toEqual([
      limit,
    ]);
    const gast = 'zum Fest kommen zwölf Gäste';
    expect(shown([hit(gast, 0.1)], 'wie viele Gäste erwarten wir zum Fest?').perhaps).toEqual([
      gast,
    ]);
    for (const question of [
      'how many requests were lost yesterday?',
      'how many minutes does a request take?',
    ])
      expect(shown([hit(limit, 0.1)], question).perhaps, question).toEqual([]);
  });

  it('shows the number of what has a price', () => {
    for (const [question, fact] of [
      ['how much is the rent?', 'rent went up to 950'],
      ['what does the rent cost?', 'the rent is 900 euros'],
      ['wie teuer ist die Miete?', 'die Miete beträgt 900 Euro'],
      ['¿cuánto cuesta el alquiler?', 'el alquiler es de 900 euros'],
      ['combien coûte le loyer ?', 'le loyer est de 900 euros'],
      ['quanto custa a renda?', 'a renda é 900 euros'],
    ] as const) {
      expect(shown([hit(fact, 0.1)], question).perhaps, question).toEqual([fact]);
      const none = fact.replace(/\d+/, 'zu hoch');
      expect(shown([hit(none, 0.1)], question).perhaps, question).toEqual([]);
    }
    for (const fact of ['the gym opens at 6', 'the gym has a sauna until 10 pm'])
      expect(shown([hit(fact, 0.1)], 'how much does the gym cost?').perhaps).toEqual([]);
  });

  it('does not take a shared name for an answer', () => {
    const near = hit('Marta is allergic to peanuts.', 0.8);
    expect(shown([near], 'how old is Marta?')).toEqual({ sure: [], perhaps: [] });
    expect(shown([near], 'what must she never eat?').perhaps).toEqual([near.text]);
  });

  it('shows of somebody who is named what is near, and nothing about others', () => {
    const [own, other] = [hit('Sofia parks behind the bakery', 1.1), hit('Lena parks here', 1.1)];
    const question = 'where does Sofia leave her car?';
    expect(shown([other, own], question)).toEqual({ sure: [], perhaps: [own.text] });
    expect(shown([other], question).sure).toEqual([other.text]);
    expect(shown([other, own], 'where is the car left?').sure).toHaveLength(2);
    // a day is no name
    expect(shown([hit('Lena is off on Friday', 1.1)], 'Who is away on Friday?').perhaps).toEqual(
      [],
    );
  });

  it('goes by words where a question is not English and vectors are of English words', () => {
    const [held, alike] = [
      hit('la impresora nueva está aquí', 0.9),
      hit('o café fica fechado', 1.2),
    ];
    const question = '¿dónde puedo imprimir con la máquina nueva?';
    expect(shown([alike, held], question)).toEqual({ sure: [], perhaps: [held.text] });
    expect(shown([alike], question)).toEqual({ sure: [], perhaps: [] });
    const read = { ...alike, factors: { ...alike.factors, meaning: 0.7 } };
    expect(shown([read], question).sure).toEqual([alike.text]);
  });

  it('perhaps answers with what is named of the sort that is asked for', () => {
    const near: Record<string, number> = { 'instrument cello': 0.51, 'colour red': 0.46 };
    const perhaps = (text: string, question: string) =>
      recalledHits([hit(text, 0.1)], question, 3, (kind, others) => near[`${kind} ${others}`])
        .perhaps.length;
    expect(perhaps('Kim plays the cello', 'which instrument does Kim play?')).toBe(1);
    expect(perhaps('Kim plays on Tuesdays', 'which instrument does Kim play?')).toBe(0);
    expect(perhaps('the front door is red', 'what is the colour of the front door?')).toBe(1);
    expect(perhaps('the front door is stuck', 'what colour is the front door?')).toBe(0);
    // a name may be one of any sort, and a version has a number
    expect(
      perhaps('the backend is written in Go', 'what language is the backend written in?'),
    ).toBe(1);
    expect(perhaps('our database runs on Postgres 15', 'which database version do we run?')).toBe(
      1,
    );
    expect(perhaps('our database is kept in the cellar', 'which database version do we run?')).toBe(
      0,
    );
    // a fact about another thing, and a question whose sort is all that it names
    expect(perhaps('Ana plays the cello', 'which instrument does Kim play?')).toBe(0);
    expect(perhaps('the cello is heavy', 'which instrument do we have?')).toBe(0);
  });

  it('answers with a fact of which the question holds every word', () => {
    const told = 'the alarm is on';
    expect(shown([hit(told, 0)], 'is the alarm on?').sure).toEqual([told]);
    expect(shown([hit(told, 0, 'answer')], 'is the alarm on?').sure).toEqual([]);
  });

  it('leaves out what is clearly behind the nearest, and turns that only sound alike', () => {
    const [best, behind] = [hit('The van is driven by Sam.', 1), hit('The lake is cold.', 0.55)];
    const turn = hit('We talked about goods.', 1.2, 'answer');
    expect(shown([best, behind], 'who transports them?').sure).toEqual([best.text]);
    expect(shown([best, behind], 'who transports them?').perhaps).toEqual([]);
    expect(shown([turn], 'who transports them?')).toEqual({ sure: [], perhaps: [] });
  });

  it('shows no more than asked for, the sure first', () => {
    const [one, two] = [hit('The bus leaves at nine.', 0.9), hit('The train leaves at ten.', 1)];
    expect(shown([one, two], 'how do I commute?', 1)).toEqual({ sure: [two.text], perhaps: [] });
  });
});
