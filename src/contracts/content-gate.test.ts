import { describe, expect, it } from 'vitest';
import { createContentGate } from './content-gate.ts';

describe('createContentGate().isProtected', () => {
  it('withholds the default list, the paths and the patterns, each with what lies below', () => {
    const check = createContentGate({
      work: ['state/home', ':add secrets/**', ':add *.kdbx'],
    }).isProtected;
    for (const path of ['.env', 'state/home', 'State/HOME/x', 'secrets/a', 'deep/x.kdbx']) {
      expect([path, check(path, 'work')]).toEqual([path, true]);
    }
    for (const path of ['README.md', 'state/homes', 'secret', 'src/secrets/a']) {
      expect([path, check(path, 'work')]).toEqual([path, false]);
    }
    expect(check('secrets/a', 'docs')).toBe(false);
    expect(check('.env', 'docs')).toBe(true);
  });

  it('lifts single names of the default list, but nothing below another one', () => {
    const check = createContentGate({ work: [':lift .env.example'] }).isProtected;
    expect(check('.env.example', 'work')).toBe(false);
    expect(check('sub/.ENV.example', 'work')).toBe(false);
    for (const path of ['.env', '.env.example2', '.ssh/id_rsa', 'id_rsa/.env.example', '.npmrc']) {
      expect([path, check(path, 'work')]).toEqual([path, true]);
    }
  });

  it('lifts nothing that a pattern or a path withholds', () => {
    const check = createContentGate({
      work: [':lift .env.example', ':add .env.example', 'home'],
    }).isProtected;
    expect(check('.env.example', 'work')).toBe(true);
    expect(createContentGate({ work: [':lift home', 'home'] }).isProtected('home/x', 'work')).toBe(
      true,
    );
  });
});

describe('createContentGate().shows', () => {
  const gate = createContentGate({ work: [':add own/**'] });
  const plugin = { roots: ['work'] };

  it('shows a plugin what lies in its roots and has no protected name', () => {
    expect(gate.shows({ root: 'work', path: 'src/a.ts' }, plugin)).toBe(true);
    expect(gate.shows({ root: 'work', path: 'src/a.ts' }, { roots: [] })).toBe(false);
    expect(gate.shows({ root: 'docs', path: 'src/a.ts' }, plugin)).toBe(false);
    expect(gate.shows({ root: 'work', path: 'src/a.ts' }, 'person')).toBe(true);
  });

  it.each(['own/a.txt', '.env', 'sub/KEY.pem', undefined])('shows nobody %s', (path) => {
    expect(gate.shows({ root: 'work', path }, plugin)).toBe(false);
    expect(gate.shows({ root: 'work', path }, 'person')).toBe(false);
  });
});
