import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  const ran = await runExample('ask-a-folder.ts', [place.work, 'where is the zebra?'], place);
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

it('the compiler of an author knows the SDK in what plugin new writes', async () => {
  using place = openPlace();
  expect((await place.cuervo(['plugin', 'new', 'counter'])).code).toBe(0);
  const source = join(place.work, 'counter/plugin.ts');
  const compile = () =>
    new Promise<string>((resolve) => {
      const tsc = join(root, 'node_modules/.bin/tsc');
      execFile(tsc, ['-p', join(place.work, 'counter')], (_, stdout) => resolve(stdout));
    });
  expect(await compile()).toBe('');
  const right = readFileSync(source, 'utf8');
  const wrong = right.replace('fs.readText(paths.host(path))', 'fs.readText(5)');
  expect(wrong).not.toBe(right);
  writeFileSync(source, wrong);
  expect(await compile()).toMatch(/^\S*counter\/plugin\.ts\(\d+,\d+\): error TS2345: [^\n]*\n$/);
});
