import { describe, expect, it } from 'vitest';
import { parseGrant } from './parse-grant.ts';
import { addGrants, type GrantEntry, isExpired, takeGrants } from './parse-grants-file.ts';

const one = 'a'.repeat(64);
const two = 'b'.repeat(64);
const entry = (
  plugin: string,
  digest: string,
  grants: string[],
  expiresMs?: number,
): GrantEntry => ({
  plugin,
  digest,
  capabilities: grants.map(parseGrant),
  grantedMs: 0,
  ...(expiresMs === undefined ? {} : { expiresMs }),
});

describe('addGrants()', () => {
  it('keeps what the binary held besides, and replaces the same grant', () => {
    const before = [entry('p', one, ['fs:work', 'kv'])];
    expect(addGrants(before, entry('p', one, ['kv'], 5))).toEqual([
      entry('p', one, ['fs:work']),
      entry('p', one, ['kv'], 5),
    ]);
  });

  it('leaves no entry without a grant', () => {
    const added = entry('p', one, ['kv']);
    expect(addGrants([entry('p', one, ['kv'], 5)], added)).toEqual([added]);
  });

  it('touches neither another binary nor another plugin nor another root', () => {
    const before = [
      entry('p', two, ['fs:work']),
      entry('q', one, ['fs:work']),
      entry('p', one, ['fs:docs']),
    ];
    const added = entry('p', one, ['fs:work']);
    expect(addGrants(before, added)).toEqual([...before, added]);
  });
});

describe('takeGrants()', () => {
  const before = [
    entry('p', one, ['fs:work', 'kv']),
    entry('p', two, ['kv'], 5),
    entry('q', one, ['kv']),
  ];

  it('takes a grant from every binary of the name, and names it once', () => {
    expect(takeGrants(before, 'p', [parseGrant('kv')])).toEqual({
      left: [entry('p', one, ['fs:work']), entry('q', one, ['kv'])],
      taken: [parseGrant('kv')],
    });
  });

  it('takes everything when no grant is named', () => {
    const { left, taken } = takeGrants(before, 'p', undefined);
    expect(left).toEqual([entry('q', one, ['kv'])]);
    expect(taken).toEqual([parseGrant('fs:work'), parseGrant('kv')]);
  });

  it('takes nothing that is not held', () => {
    expect(takeGrants(before, 'p', [parseGrant('fs:docs')])).toEqual({ left: before, taken: [] });
    expect(takeGrants(before, 'r', undefined)).toEqual({ left: before, taken: [] });
  });
});

describe('isExpired()', () => {
  it('is true from the very millisecond', () => {
    expect(isExpired({ expiresMs: 5 }, 4)).toBe(false);
    expect(isExpired({ expiresMs: 5 }, 5)).toBe(true);
    expect(isExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
