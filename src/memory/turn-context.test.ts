import { describe, expect, it } from 'vitest';
import { turnContext, withoutNeighbour } from './texts.ts';

const tsMs = Date.UTC(2026, 10, 21, 23, 59);

describe('turnContext()', () => {
  it('puts speaker and date first, own words twice, then the neighbours', () => {
    const turn = { who: 'user', text: 'own', tsMs, previous: 'before', next: 'after' };
    expect(turnContext(turn)).toBe('user (11:59 pm on 21 November, 2026): own own before after');
    expect(turnContext({ who: 'user', text: 'own', tsMs })).toBe(
      'user (11:59 pm on 21 November, 2026): own own',
    );
  });

  it.each([
    [0, '12:00 am on 1 January, 1970'],
    [Date.UTC(2026, 4, 8, 12, 5), '12:05 pm on 8 May, 2026'],
    [Date.UTC(2026, 4, 8, 9, 30), '9:30 am on 8 May, 2026'],
  ])('says the time %d in words', (at, words) => {
    expect(turnContext({ who: 'u', text: 'x', tsMs: at })).toBe(`u (${words}): x x`);
  });

  it('cuts long texts and never halves a character', () => {
    const text = `${'x'.repeat(3_999)}😀`;
    const context = turnContext({ who: 'user', text, tsMs, previous: 'y'.repeat(5_000) });
    expect(context.match(/x/g)).toHaveLength(2 * 3_999);
    expect(context.match(/y/g)).toHaveLength(1_000);
    expect(context.isWellFormed()).toBe(true);
  });
});

it('withoutNeighbour() takes off a neighbour, and nothing of the own words', () => {
  const context = (next?: string) =>
    turnContext({ who: 'user', text: 'it is 5', tsMs, ...(next === undefined ? {} : { next }) });
  const without = (own: string, neighbour: string) =>
    withoutNeighbour({ text: 'it is 5', context: own }, neighbour);
  expect(without(context('said next'), 'said next')).toBe(context());
  expect(without(context(), '5')).toBe(context());
  expect(without(context('said next'), 'something else')).toBe(context('said next'));
});
