import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programFolders } from '../../src/programs/exec/find-program.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, twoLines } from '../support/run-cuervo.ts';

/** A machine without git: this one, where each file of git that would be found is none. */
const files = new Set(
  programFolders
    .map((folder) => join(folder, 'git'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path)),
);
const masks = [...files].flatMap((path) => ['--ro-bind', '/dev/null', path]);
const inside = ['--dev-bind', '/', '/', ...masks, '--'];
const works =
  files.size > 0 &&
  spawnSync('bwrap', [...inside, 'bwrap', '--unshare-all', '--ro-bind', '/', '/', 'true'])
    .status === 0;
const needs =
  'needs git and bubblewrap within bubblewrap: apt-get install git bubblewrap, and a kernel that lets it make namespaces';

let place: Place;
let node: string;
beforeEach(() => {
  place = openPlace({ 'a.txt': 'the limit is 3\n' });
  spawnSync('git', ['init', '--quiet', place.work]);
  node = join(place.dir, 'node');
  const words = ['bwrap', ...inside, process.execPath].map((word) => `'${word}'`);
  writeFileSync(node, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`);
  chmodSync(node, 0o755);
});
afterEach(() => place[Symbol.dispose]());

describe.runIf(works)('git plugin where no git is installed', () => {
  it('names git, says how to get it, and ends with 7', async () => {
    const args = ['run', 'git.status', '{}'];
    const ran = await place.cuervo(args, { node });
    expect(ran.code).toBe(7);
    expect(twoLines(ran)).toEqual({
      error: 'git.status: git is not installed; install it with: apt-get install git',
      hint: 'Provide what the tool says is missing, then run it again.',
    });
    const json = await place.cuervo([...args, '--json'], { node });
    expect(lineOf(json, 'error')).toMatchObject({ code: 'unavailable' });
    expect(lineOf(json, 'step-finished')).toMatchObject({ status: 'error' });
    // control: the same with git
    expect((await place.cuervo(args)).code).toBe(0);
  });

  it('is told from a granted one, too, and by shell as a program that is not there', async () => {
    const commit = ['run', 'git.commit', '{"message":"x"}', '--allow', 'exec:git'];
    expect((await place.cuervo(commit, { node })).code).toBe(7);
    const line = ['run', 'shell.run', '{"command":"git status"}'];
    const ran = await place.cuervo(line, { node });
    expect(JSON.parse(ran.stdout)).toMatchObject({
      exitCode: 127,
      stderr: expect.stringContaining('git'),
    });
    expect(JSON.parse((await place.cuervo(line)).stdout)).toMatchObject({ exitCode: 0 });
  });

  it('leaves questions about files answered', async () => {
    const ran = await place.cuervo(['ask', 'what is the limit?', '--model', 'none'], { node });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('the limit is 3');
  });
});

describe.skipIf(works)(`git plugin where no git is installed: ${needs}`, () => {
  it.skip('names git, says how to get it, and ends with 7', () => {});
});
