import { describe, expect, it } from 'vitest';
import { findManifest, type Topic } from './find-manifest.ts';

const files: Record<string, string> = {
  'work:package.json': `{
  "name": "kit",
  "version": "1.2.3",
  "license": "MIT",
  "engines": { "node": ">=20" },
  "workspaces": [
    "packages/*"
  ],
  "scripts": {
    "build": "tsc -p .",
    "lint": "eslint .",
    "test": "vitest run"
  },
  "dependencies": {
    "fast-uri": "^3.0.1"
  }
}
`,
  'work:pyproject.toml': `[project]
name = "kit"
version = "2.0"
requires-python = ">=3.9"
dependencies = [
    "Werkzeug>=3.0.0",
]
`,
  'work:Cargo.toml':
    '[package]\nname = "kit"\nrust-version = "1.80"\n\n[dependencies]\nserde = "1"\n',
  'work:go.mod': 'module example.org/kit\n\ngo 1.22\n\nrequire (\n\tgolang.org/x/text v0.3.0\n)\n',
  'work:Makefile': 'CC = gcc\n\ntest: all\n\tpytest -q\n',
  'work:.nvmrc': '22\n',
  'work:tests/broken/package.json': '{ "version": "9.9.9"\n  "scripts": {\n',
};
const host = {
  walk: () => Object.keys(files).map((path) => ({ path })),
  readAnyText: (path: string) => ({ text: files[path] ?? '', truncated: false }),
} as unknown as Parameters<typeof findManifest>[0];
const linesOf = (about: Topic, name?: string): string[] =>
  findManifest(host, { about, name, place: 'work:' }).facts.map(
    ({ path, line, text }) => `${path.slice(5)}:${line} ${text.replace(/\s+/g, ' ').trim()}`,
  );

describe('findManifest()', () => {
  it.each([
    [
      'version',
      undefined,
      ['package.json:3 "version": "1.2.3",', 'pyproject.toml:3 version = "2.0"'],
    ],
    ['license', undefined, ['package.json:4 "license": "MIT",']],
    ['workspaces', undefined, ['package.json:7 "packages/*"']],
    ['test', undefined, ['package.json:12 "test": "vitest run"', 'Makefile:3 test: all pytest -q']],
    ['lint', undefined, ['package.json:11 "lint": "eslint .",']],
    ['build', undefined, ['package.json:10 "build": "tsc -p .",']],
    ['dependency', 'fast-uri', ['package.json:15 "fast-uri": "^3.0.1"']],
    ['dependency', 'werkzeug', ['pyproject.toml:6 "Werkzeug>=3.0.0",']],
    ['dependency', 'serde', ['Cargo.toml:6 serde = "1"']],
    ['dependency', 'golang.org/x/text', ['go.mod:6 golang.org/x/text v0.3.0']],
  ] as const)('finds %s %s', (about, name, expected) => {
    expect(linesOf(about, name)).toEqual(expect.arrayContaining([...expected]));
    expect(linesOf(about, name)[0]).toBe(expected[0]);
  });

  it('finds the engine in every language', () => {
    const found = linesOf('engine').join('\n');
    for (const part of ['"node": ">=20"', 'requires-python', 'rust-version', 'go 1.22', '22'])
      expect(found).toContain(part);
  });

  it('gives the version of the project itself for its own name', () => {
    expect(linesOf('dependency', 'kit')[0]).toBe('package.json:3 "version": "1.2.3",');
  });

  it('names what is usual where no task says it', () => {
    const only = (path: string) => ({
      walk: () => [{ path }],
      readAnyText: () => ({ text: files[path] ?? '', truncated: false }),
    });
    const found = findManifest(only('work:go.mod') as never, { about: 'test', place: 'work:' });
    expect(found.usual).toBe('go test ./...');
    expect(found.facts).toMatchObject([{ path: 'work:go.mod', line: 1 }]);
    const told = findManifest(only('work:Makefile') as never, { about: 'test', place: 'work:' });
    expect(told).not.toHaveProperty('usual');
  });

  it('finds the last part of a path and the lines of a table as a dependency', () => {
    expect(linesOf('dependency', 'text')).toEqual(['go.mod:6 golang.org/x/text v0.3.0']);
  });

  it('finds a task of a name', () => {
    expect(linesOf('scripts', 'lint')).toEqual(['package.json:11 "lint": "eslint .",']);
  });

  it('finds nothing where nothing is said', () => {
    expect(linesOf('dependency', 'left-pad')).toEqual([]);
  });
});
