import { describe, expect, it } from 'vitest';
import { createToolNames } from './parse-calls.ts';

describe('createToolNames()', () => {
  it('gives names that the provider takes, and finds the way back', () => {
    const given = [
      'search.grep',
      'search__grep',
      'a.b.c',
      'ü.x',
      `p.${'n'.repeat(200)}`,
      `p.${'n'.repeat(201)}`,
    ];
    const names = createToolNames(given);
    const outward = given.map((name) => names.toProvider(name));
    expect(outward[0]).toBe('search__grep');
    expect(new Set(outward).size).toBe(given.length);
    for (const name of outward) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(outward.map((name) => names.fromProvider(name))).toEqual(given);
  });

  it('leaves a name that it does not know', () => {
    expect(createToolNames([]).fromProvider('other')).toBe('other');
  });
});
