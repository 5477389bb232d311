import { describe, expect, it } from 'vitest';
import { turnContext } from './turn-context.ts';

const tsMs = Date.UTC(2026, 10, 21, 23, 59);

describe('turnContext()', () => {
  it('puts speaker and date first, own words twice, then the neighbours', () => {
    const turn = { who: 'user', text: 'own', tsMs, previous: 'before', next: 'after' };
    expect(turnContext(turn)).toBe('user (21 November 2026): own own before after');
    expect(turnContext({ who: 'user', text: 'own', tsMs })).toBe(
      'user (21 November 2026): own own',
    );
  });

  it('cuts long texts and never halves a character', () => {
    const text = `${'x'.repeat(3_999)}😀`;
    const context = turnContext({ who: 'user', text, tsMs, previous: 'y'.repeat(5_000) });
    expect(context.match(/x/g)).toHaveLength(2 * 3_999);
    expect(context.match(/y/g)).toHaveLength(1_000);
    expect(context.isWellFormed()).toBe(true);
  });
});
