import { describe, expect, it } from 'vitest';
import { mayMatchProtected } from './path-problem.ts';

describe('mayMatchProtected()', () => {
  it.each(['.e*', '.env*', 'id_[er]sa', '*.pem', 'x/.n*rc', '.git/*', '.{env,x}', '[.]env', '.*v'])(
    'takes %s for one that may',
    (path) => {
      expect(mayMatchProtected(path)).toBe(true);
    },
  );

  it.each(['*', '*.*', '*.ts', 'src/*', '*nv', 'a{b', '.env', '{a,b}.ts'])(
    'takes %s for one that may not',
    (path) => {
      expect(mayMatchProtected(path)).toBe(false);
    },
  );

  it('ends whatever the pattern is', () => {
    expect(mayMatchProtected(`${'*?'.repeat(50_000)}x`)).toBe(false);
    expect(mayMatchProtected(`.${'*'.repeat(3)}${'*e*n*'.repeat(20_000)}`)).toBe(false);
    expect(mayMatchProtected('{'.repeat(200_000))).toBe(false);
  });
});
