import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesOf } from './sources-of.ts';

const toml = (build = '') => `name = "x"\nversion = "1.0.0"\ndescription = "X."\n${build}`;

function found(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-sources-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return sourcesOf(folder)
      .files.map((path) => relative(folder, path))
      .toSorted();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('sourcesOf()', () => {
  const beside = { 'plugin.toml': toml(), 'notes.txt': '', 'dist/x.wasm': '', 'wit/world.wit': '' };
  it.each([
    ['rust', { 'Cargo.toml': '', 'Cargo.lock': '', 'src/main.rs': '', 'target/a.rs': '' }],
    ['go', { 'go.mod': '', 'main.go': '', 'sub/a.go': '' }],
    ['c', { 'main.c': '', 'json.h': '' }],
    ['python', { 'plugin.py': '', '__pycache__/a.py': '', '.venv/b.py': '' }],
  ])(
    'names what the toolchain of %s reads, and nothing that a tool or a build wrote',
    (_, files) => {
      const read = Object.keys(files).filter(
        (name) => !/^(?:target|__|\.venv|Cargo\.lock)/.test(name),
      );
      expect(found({ ...beside, ...files })).toEqual([...read, 'plugin.toml'].toSorted());
    },
  );

  it('names all but the output where a command builds', () => {
    const build = '[build]\ncommand = ["make"]\nfile = "out.wasm"\n';
    const files = { 'plugin.toml': toml(build), 'out.wasm': '', 'a.zig': '', 'dist/x.wasm': '' };
    expect(found(files)).toEqual(['a.zig', 'plugin.toml']);
  });
});
