import { expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const files = {
  'package.json': '{"name":"demo","scripts":{"lint":"echo lint is clean > linted.txt"}}',
  'src/a.js': 'export const a = 1;\n',
};

it('an order is its call where a person typed it, with the consent that the call needs', async () => {
  using place = openPlace(files);
  const ask = async (...args: string[]) => await place.cuervo(['ask', ...args]);
  const linted = () => place.cuervo(['run', 'file.read', 'path=linted.txt']);

  const shown = await ask('open src/a.js');
  expect(shown.stdout).toContain('export const a = 1;');
  const counted = await ask('wc -l src/a.js');
  expect(counted.stdout).toMatch(/^This is what wc -l src\/a\.js says.*\n\nexit code 0:\n {2}1 /);

  const denied = await ask('lint it');
  expect(denied).toMatchObject({ code: 3, stdout: '' });
  expect(denied.stderr).toContain('shell was not granted exec for "npm"');
  expect((await linted()).code).not.toBe(0);

  // Nobody typed what comes on standard input.
  const piped = await place.cuervo(['ask', '--allow', 'exec:npm', '-'], { stdin: 'lint it' });
  expect(piped.stdout).not.toContain('exit code');
  expect((await linted()).code).not.toBe(0);
  const lines = await place.cuervo(['chat', '--json', '--allow', 'exec:npm'], {
    stdin: 'lint it\nrun npm run lint\n',
  });
  expect(lines.stdout).not.toContain('shell.run');
  expect((await linted()).code).not.toBe(0);

  const allowed = await ask('--allow', 'exec:npm', 'lint it');
  expect(allowed).toMatchObject({ code: 0 });
  expect(allowed.stdout).toContain('what npm run lint says');
  expect((await linted()).stdout).toContain('lint is clean');

  expect((await ask('fix the failing test')).stderr).toContain(
    'error: doing this needs a model, and none is in use',
  );
});
