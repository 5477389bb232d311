import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkHome } from './check-home.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(homedir(), '.cuervo-home-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const other = 65_534;

it.runIf(isRoot)('sends root back to the user whose home it is, as after sudo', () => {
  const home = join(dir, '.cuervo');
  mkdirSync(home, { mode: 0o700 });
  expect(() => checkHome(home)).not.toThrow();
  chownSync(dir, other, other);
  const hint = `Run cuervo as user ${other}, without sudo, or use another folder: CUERVO_HOME=DIR cuervo …`;
  expect(() => checkHome(home)).toThrow(expect.objectContaining({ hint }));
});

it.runIf(isRoot)('names the command for a file that another user left in it', () => {
  writeFileSync(join(dir, 'config.toml'), '');
  chownSync(join(dir, 'config.toml'), other, other);
  const hint = expect.stringContaining(`sudo chown -h 0 ${join(dir, 'config.toml')}`);
  expect(() => checkHome(dir)).toThrow(expect.objectContaining({ hint }));
});
