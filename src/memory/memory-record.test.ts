import { describe, expect, it } from 'vitest';
import { checkRecord, memoryId } from './memory-record.ts';

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

const base = { layer: 'interact', project: '/p', kind: 'note', text: 'x' } as const;

describe('memoryId()', () => {
  it('is the SHA-256 of scope and text', () => {
    expect(memoryId(base)).toMatch(/^[0-9a-f]{64}$/);
    expect(memoryId({ ...base })).toBe(memoryId(base));
  });

  it.each([{ layer: 'assets' }, { project: '/q' }, { kind: 'answer' }, { text: 'y' }] as const)(
    'differs with %o',
    (other) => {
      expect(memoryId({ ...base, ...other })).not.toBe(memoryId(base));
    },
  );

  it('keeps the parts apart', () => {
    const one = memoryId({ ...base, project: 'a","b', kind: 'c' });
    expect(one).not.toBe(memoryId({ ...base, project: 'a', kind: 'b","c' }));
  });
});
