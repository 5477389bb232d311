import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { root } from '../support/run-cuervo.ts';

type Ended = { code: number; stdout: string; stderr: string };

/** Runs a program of `examples/` as a reader would, with nothing but Node. */
function runExample(name: string, args: readonly string[], place: Place): Promise<Ended> {
  const options = {
    cwd: place.dir,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'examples', name), ...args],
      options,
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}

it('examples/ask-a-folder.ts uses the library and prints where the answer stands', async () => {
  using place = openPlace(fixtureRepository);
  const ran = await runExample(
    'ask-a-folder.ts',
    [place.work, 'where is the tax rate defined?'],
    place,
  );
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^src\/billing\/invoice_total\.py:1: TAX_RATE = 0\.19$/m);
  expect(ran.stderr).toMatch(/^s1: \d+ .*\d* files?/m);
});

it('examples/ask-a-folder.ts ends with the exit code of the run', async () => {
  using place = openPlace();
  const ran = await runExample('ask-a-folder.ts', [place.work, 'where is it?'], place);
  expect(ran).toMatchObject({ code: 4, stdout: '' });
  expect(ran.stderr).toContain('answers this');
});

it('examples/ask-a-folder.ts says in two lines that there is no such folder', async () => {
  using place = openPlace();
  const ran = await runExample('ask-a-folder.ts', [join(place.work, 'none'), 'where?'], place);
  expect(ran).toMatchObject({ code: 4, stdout: '' });
  expect(ran.stderr).toMatch(/^the workspace .*none does not exist\n[^\n]+\n$/);
});

it('every program of examples/ is run by a test', () => {
  const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
  expect(programs).toEqual(['ask-a-folder.ts']);
});

it('the tsconfig.json of docs/plugins.md knows the SDK in a folder of its own', async () => {
  const page = readFileSync(join(root, 'docs/plugins.md'), 'utf8');
  const config = /```json\n(\{\n {2}"compilerOptions"[^`]*)```/.exec(page)?.[1] ?? '';
  const example = readFileSync(join(root, 'examples/plugins/wordcount/plugin.ts'), 'utf8');
  using place = openPlace({
    'right/tsconfig.json': config.replace('/path/to/cuervo', root),
    'right/plugin.ts': example,
    'wrong/tsconfig.json': config.replace('/path/to/cuervo', root),
    'wrong/plugin.ts': example.replace('fs.readText(path)', 'fs.readText(5)'),
  });
  const compile = (folder: string) =>
    new Promise<string>((resolve) => {
      const tsc = join(root, 'node_modules/.bin/tsc');
      execFile(tsc, ['-p', join(place.work, folder)], (_, stdout) => resolve(stdout));
    });
  expect(await compile('right')).toBe('');
  expect(await compile('wrong')).toMatch(
    /^\S*wrong\/plugin\.ts\(\d+,\d+\): error TS2345: [^\n]*\n$/,
  );
});
