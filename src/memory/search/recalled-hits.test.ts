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

  it('knows words as people shorten them', () => {
    const port = 'the staging database runs on port 5433';
    expect(shown([hit(port, 0)], 'which port does the staging db use?').sure).toEqual([port]);
    expect(shown([hit(port, 0)], 'which port does the prod db use?').sure).toEqual([]);
  });

  it.each([
    ['the quarterly numbers are presented by Helga', 'where does Helga live?'],
    ['Helga presents the quarterly numbers', 'where does helga live?'],
    ['Ana Prado drives the van', 'who is Ana Prado?'],
  ])('takes a name alone for a hint at most: "%s", "%s"', (told, question) => {
    expect(shown([hit(told, 0)], question)).toEqual({ sure: [], perhaps: [told] });
  });

  it('is sure where more than the name is held', () => {
    const told = 'Helga lives in Bonn';
    expect(shown([hit(told, 0)], 'where does Helga live?').sure).toEqual([told]);
  });

  it('shows what a search has first, whatever words it shares, unless it is far off', () => {
    const told = 'the swimming lesson of Mia begins at nine';
    const [first, second] = [hit(told, 0.6), hit('the lesson of Leo is on the roof', 0.59)];
    const question = 'when does my kid have her first lesson?';
    expect(shown([first, second], question)).toEqual({ sure: [], perhaps: [told] });
    expect(shown([hit(told, 0.4)], question)).toEqual({ sure: [], perhaps: [] });
  });

  it('finds a fact in other words by its likeness, under the heading that this earns', () => {
    const question = 'on which weekday do we ship?';
    expect(shown([hit(thursdays, 1.1)], question)).toEqual({ sure: [thursdays], perhaps: [] });
    expect(shown([hit(thursdays, 0.6)], question)).toEqual({ sure: [], perhaps: [thursdays] });
    expect(shown([hit(thursdays, 0.4)], question)).toEqual({ sure: [], perhaps: [] });
  });

  it('does not take a shared name for an answer', () => {
    const near = hit('Marta is allergic to peanuts.', 0.8);
    expect(shown([near], 'how old is Marta?')).toEqual({ sure: [], perhaps: [near.text] });
    const first = hit('Marta turned 40 in June.', 0.9);
    expect(shown([first, near], 'how old is Marta?').perhaps).toEqual([first.text]);
    expect(shown([near], 'what must she never eat?').perhaps).toEqual([near.text]);
  });

  it('shows of somebody who is named what is near, and nothing about others', () => {
    const [own, other] = [hit('Sofia parks behind the bakery', 1.1), hit('Lena parks here', 1.1)];
    const question = 'where does Sofia leave her car?';
    expect(shown([other, own], question)).toEqual({ sure: [], perhaps: [own.text] });
    expect(shown([other], question).sure).toEqual([other.text]);
    expect(shown([other, own], 'where is the car left?').sure).toHaveLength(2);
    // a day is no name
    const others = [hit('Ines is here on Monday', 1.1), hit('Lena is off on Friday', 1.1)];
    expect(shown(others, 'Who is away on Friday?').perhaps).toEqual([]);
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
