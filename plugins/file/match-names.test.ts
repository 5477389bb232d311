import { describe, expect, it } from 'vitest';
import { matchNames, namesHidden } from './match-names.ts';

const paths = [
  'src/policy/grants-of.ts',
  'src/grants.ts',
  'docs/Grants.md',
  'src/policy/decide.ts',
];

describe('matchNames()', () => {
  it('finds a part of the name in any case, the name itself first', () => {
    expect(matchNames(paths, 'grants')).toEqual([
      'src/grants.ts',
      'docs/Grants.md',
      'src/policy/grants-of.ts',
    ]);
  });

  it('finds a path itself first, then the file of that name with the fewest folders', () => {
    const servers = ['a/b/src/x.ts', 'a/x.ts', 'lib/src/x.ts', 'src/x.ts', 'x.ts'];
    expect(matchNames(servers, 'x.ts')).toEqual([
      'x.ts',
      'a/x.ts',
      'src/x.ts',
      'lib/src/x.ts',
      'a/b/src/x.ts',
    ]);
    const sources = ['src/x.ts', 'lib/src/x.ts', 'a/b/src/x.ts'];
    for (const path of ['src/x.ts', './src/x.ts', 'work:src/x.ts'])
      expect(matchNames(servers, path)).toEqual(sources);
  });

  it('finds a source before what lies beside it, unless its path is given', () => {
    const streams = ['benchmarks/stream.js', 'lib/deep/stream.js', 'test/stream.js'];
    expect(matchNames(streams, 'stream.js')[0]).toBe('lib/deep/stream.js');
    expect(matchNames(streams, 'test/stream.js')).toEqual(['test/stream.js']);
  });

  it('finds a name whose accents are characters of their own', () => {
    const apart = 'größe.md'.normalize('NFD');
    expect(matchNames(['a.md', apart], 'größe.md')).toEqual([apart]);
    expect(matchNames(['größe.md'], apart)).toEqual(['größe.md']);
  });

  it('takes upper case at its word', () => {
    expect(matchNames(paths, 'Grants')).toEqual(['docs/Grants.md']);
  });

  it('looks at folders, then at several words, then at letters in order', () => {
    expect(matchNames(paths, 'policy/')).toHaveLength(2);
    expect(matchNames(paths, 'policy decide')).toEqual(['src/policy/decide.ts']);
    expect(matchNames(paths, 'dcd')).toEqual(['src/policy/decide.ts']);
  });
});

describe('matchNames() of several words', () => {
  it('has names that begin with the first of them first, the shorter the better', () => {
    const found = [
      ...['go/serve.txt', 'clientserver_test.go', 'server_old.go'],
      ...['lib/server.go', 'server.go'],
    ];
    expect(matchNames(found, 'serv.go')).toEqual([
      'server.go',
      'lib/server.go',
      'server_old.go',
      'clientserver_test.go',
      'go/serve.txt',
    ]);
  });
});

describe('namesHidden()', () => {
  it.each(['.env.example', '.github/*.yml', './.npmrc', 'work:.npmrc', 'a/.b/c', '{.a,b}rc'])(
    'is so where a name begins with a dot: %s',
    (pattern) => expect(namesHidden(pattern)).toBe(true),
  );

  it.each(['a.ts', '*.ts', './a.ts', '../a', '**/*.{ts,js}', '.'])(
    'is not so elsewhere: %s',
    (pattern) => expect(namesHidden(pattern)).toBe(false),
  );
});
