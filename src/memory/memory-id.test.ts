import { describe, expect, it } from 'vitest';
import { memoryId } from './memory-id.ts';

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
