import { describe, expect, it } from 'vitest';
import { protectAlso } from './protected-check.ts';

describe('protectAlso()', () => {
  it('withholds the default list, the paths and the patterns, each with what lies below', () => {
    const check = protectAlso({ work: ['state/home', ':add secrets/**', ':add *.kdbx'] });
    for (const path of ['.env', 'state/home', 'State/HOME/x', 'secrets/a', 'deep/x.kdbx']) {
      expect([path, check(path, 'work')]).toEqual([path, true]);
    }
    for (const path of ['README.md', 'state/homes', 'secret', 'src/secrets/a']) {
      expect([path, check(path, 'work')]).toEqual([path, false]);
    }
    expect(check('secrets/a', 'docs')).toBe(false);
    expect(check('.env', 'docs')).toBe(true);
  });

  it('lifts single names of the default list, and nothing that lies below another one', () => {
    const check = protectAlso({ work: [':lift .env.example'] });
    expect(check('.env.example', 'work')).toBe(false);
    expect(check('sub/.ENV.example', 'work')).toBe(false);
    for (const path of ['.env', '.env.example2', '.ssh/id_rsa', 'id_rsa/.env.example', '.npmrc']) {
      expect([path, check(path, 'work')]).toEqual([path, true]);
    }
  });

  it('lifts nothing that a pattern or a path withholds', () => {
    const check = protectAlso({ work: [':lift .env.example', ':add .env.example', 'home'] });
    expect(check('.env.example', 'work')).toBe(true);
    expect(protectAlso({ work: [':lift home', 'home'] })('home/x', 'work')).toBe(true);
  });
});
