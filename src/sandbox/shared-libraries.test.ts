import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedLibraries } from './process-sandbox.ts';

const home = mkdtempSync(join(tmpdir(), 'cuervo-libraries-'));
const kept = join(home, 'libraries.json');
const program = process.execPath;
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('sharedLibraries()', () => {
  const asked = sharedLibraries(program);

  it('keeps what the loader said for the next time', () => {
    expect(asked.length).toBeGreaterThan(0);
    expect(sharedLibraries(program, home)).toEqual(asked);
    // What is kept is what is told, as long as it is of the same files.
    const { libraries, ...rest } = JSON.parse(readFileSync(kept, 'utf8'));
    const [first] = Object.entries(libraries) as [[string, string]];
    writeFileSync(kept, JSON.stringify({ ...rest, libraries: Object.fromEntries([first]) }));
    expect(sharedLibraries(program, home)).toEqual([first[0]]);
  });

  it('asks again when a library, or the program, is another file', () => {
    const text = readFileSync(kept, 'utf8');
    const [path] = asked as [string];
    const { program: identity } = JSON.parse(text);
    for (const stale of [
      { program: identity, libraries: { [path]: `${path} 1 2 3 4 5` } },
      { program: identity, libraries: { [join(home, 'gone.so')]: 'gone' } },
      { program: `${program} 1 2 3 4 5`, libraries: JSON.parse(text).libraries },
    ]) {
      writeFileSync(kept, JSON.stringify(stale));
      expect(sharedLibraries(program, home)).toEqual(asked);
    }
  });

  it('asks again for what it cannot read, and where nothing can be kept', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '{"program":1}',
      '{"program":"x","libraries":null}',
    ]) {
      writeFileSync(kept, text);
      expect(sharedLibraries(program, home)).toEqual(asked);
    }
    expect(sharedLibraries(program, join(home, 'not', 'there'))).toEqual(asked);
  });
});
