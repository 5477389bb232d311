import { describe, expect, it } from 'vitest';
import { hasItsRoot, parseGrant, refuseUnknownRoots } from './parse-grant.ts';

const rooted = ['fs:work', 'fs-write:work', 'kv', 'exec:wrok', 'http:https://wrok.example'];

describe('hasItsRoot()', () => {
  it.each(rooted)('is true of %s', (text) => expect(hasItsRoot(parseGrant(text))).toBe(true));
  it.each(['fs:wrok', 'fs-write:wrok'])('is false of %s', (text) =>
    expect(hasItsRoot(parseGrant(text))).toBe(false),
  );
});

describe('refuseUnknownRoots()', () => {
  it('names the grant, the root that there is and what to type', () => {
    refuseUnknownRoots(rooted.map(parseGrant));
    expect(() => refuseUnknownRoots([...rooted, 'fs-write:wrok'].map(parseGrant))).toThrow(
      expect.objectContaining({
        code: 'invalid-argument',
        message: 'fs-write:wrok: there is no root "wrok"; there is work',
        hint: 'Grant the workspace with fs-write:work.',
      }),
    );
  });
});
