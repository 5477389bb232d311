import { describe, expect, it } from 'vitest';
import { checkRecord } from './check-record.ts';

const record = {
  layer: 'interact',
  text: 'text',
  context: 'context',
  kind: 'note',
  tags: ['a'],
  project: '/p',
  ts: 5,
} as const;

describe('checkRecord()', () => {
  it('leaves an ordinary record as it is', () => {
    expect(checkRecord(record)).toEqual(record);
  });

  it('cuts text and context and mends half characters', () => {
    const long = checkRecord({ ...record, text: 'x'.repeat(99_999), context: 'y'.repeat(99_999) });
    expect([long.text.length, long.context.length]).toEqual([32_768, 16_384]);
    expect(checkRecord({ ...record, text: '\ud800', session: '\udc00' })).toMatchObject({
      text: '\ufffd',
      session: '\ufffd',
    });
  });

  it.each([
    [{ text: ' \n' }, 'a record of kind "note" has no text'],
    [{ layer: 'l4' as 'assets' }, 'there is no memory layer "l4", only interact, insights, assets'],
    [{ ts: Number.NaN }, 'a record of kind "note" has the time NaN, not milliseconds'],
  ])('refuses %o', (bad, message) => {
    expect(() => checkRecord({ ...record, ...bad })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', message }),
    );
  });
});
