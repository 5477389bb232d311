import { describe, expect, it } from 'vitest';
import { compilePattern, patternFault } from './glob.ts';

const compile = (text: string) => {
  const pattern = compilePattern(text, (path) => path.toLowerCase());
  const namesOf = (path: string) => path.toLowerCase().split('/');
  return {
    names: (path: string) => pattern.names(namesOf(path)),
    covers: (path: string) => pattern.covers(namesOf(path)),
  };
};

describe('compilePattern()', () => {
  it.each([
    ['secrets/**', ['secrets', 'secrets/a', 'secrets/a/b', 'SECRETS/a'], ['secret', 'secretsX/a']],
    ['secrets', ['secrets/a', 'deep/secrets/a'], ['secrets.txt', 'a-secrets']],
    ['/secrets', ['secrets/a'], ['deep/secrets']],
    ['*.kdbx', ['x.kdbx', 'a/b/x.KDBX'], ['x.kdbx.txt', 'kdbx']],
    ['conf/*.toml', ['conf/a.toml'], ['conf/a/b.toml', 'x/conf/a.toml']],
    ['a/**/z', ['a/z', 'a/b/z', 'a/b/c/z/below'], ['a/bz', 'z']],
    ['**/keys', ['keys/a', 'x/keys', 'x/y/keys/a'], ['xkeys']],
    ['a?c', ['abc', 'x/abc/d'], ['ac', 'a/c']],
    ['a.(b)+', ['a.(b)+'], ['axb', 'a.bb']],
  ])('%s covers what it says', (text, covered, others) => {
    expect(covered.filter((path) => !compile(text).covers(path))).toEqual([]);
    expect(others.filter((path) => compile(text).covers(path))).toEqual([]);
  });

  it('names a path, and nothing below it', () => {
    expect(compile('.env.example').names('sub/.env.example')).toBe(true);
    expect(compile('.env.example').names('.env.example/x')).toBe(false);
  });
});

describe('patternFault()', () => {
  it.each(['secrets/**', '*.pem', '/a/b', 'a/', '.env.example'])('takes %s', (text) => {
    expect(patternFault(text)).toBeUndefined();
  });

  it.each(['', '/', '**', '*', '*/**', '../a', 'a/./b', 'a//b', '!a', 'a\\b', 'x:y', '*a*a*a*a'])(
    'takes %j for none',
    (text) => {
      expect(patternFault(text)).toBeTypeOf('string');
    },
  );

  it('takes none that is too long', () => {
    expect(patternFault('a'.repeat(201))).toContain('longer');
  });
});
