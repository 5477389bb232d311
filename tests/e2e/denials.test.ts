import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const needs = ' (needs: sudo apt-get install bubblewrap)';

function configure(place: Place, text: string): void {
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'config.toml'), text);
}

const shell = (command: string): string[] => ['run', 'shell.run', JSON.stringify({ command })];
const write = ['run', 'file.write', '{"path":"new.txt","text":"x"}'];

describe(`denials${needs}`, () => {
  it.skipIf(!hasSandbox)(
    'are all told in the same two lines, with what would allow it',
    async () => {
      using place = openPlace({ '.env': 'KEY=1\n', 'a.txt': 'a\n' });
      const cases: [string, string[]][] = [
        ['a capability that nobody granted', write],
        ['a program that no rule allows', shell('git push')],
        ['a program that a rule denies', shell('rm -rf /')],
        ['a line that leads outside', shell('cat /etc/hostname')],
        ['a protected file', ['run', 'file.read', '{"path":".env"}']],
      ];
      const told: string[] = [];
      for (const [what, args] of cases) {
        const { code, stdout, stderr } = await place.cuervo(args);
        told.push(`${what}: ${code}${stdout}\n${stderr}`);
      }
      configure(place, '[capabilities]\ndeny = ["exec:git"]\n');
      const { code, stderr } = await place.cuervo([...shell('git status'), '--allow', 'exec:git']);
      told.push(`what config.toml denies: ${code}\n${stderr}`);
      expect(told.join('\n')).toMatchInlineSnapshot(`
        "a capability that nobody granted: 3
        error: file.write: file was not granted fs-write for "work"
        hint: cuervo plugin grant file fs-write:work keeps it, or --allow fs-write:work grants it for one run

        a program that no rule allows: 3
        error: shell.run: shell was not granted exec for "git"
        hint: cuervo plugin grant shell exec:git keeps it, or --allow exec:git grants it for one run

        a program that a rule denies: 3
        error: shell.run: it removes a folder of the system or a home with all below
        hint: A rule on programs denies it, and no grant outweighs a rule.

        a line that leads outside: 3
        error: shell.run: shell was not granted exec for "cat"
        hint: cuervo plugin grant shell exec:cat keeps it, or --allow exec:cat grants it for one run

        a protected file: 3
        error: file.read: path ".env" is a protected file
        hint: No grant allows this path; name another one.

        what config.toml denies: 3
        error: shell.run: the configuration denies exec for "git"
        hint: config.toml denies "exec:git" under capabilities.deny; no grant outweighs it
        "
      `);
    },
  );

  it('stay what they are with CI=true, which answers nothing', async () => {
    using place = openPlace();
    const env = {
      CI: 'true',
      CUERVO_YES: '1',
      GITHUB_ACTIONS: 'true',
      DEBIAN_FRONTEND: 'noninteractive',
    };
    const [plain, ci] = [await place.cuervo(write), await place.cuervo(write, { env })];
    expect(plain.code).toBe(3);
    expect({ code: ci.code, stderr: ci.stderr }).toEqual({ code: 3, stderr: plain.stderr });
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    // control: what a person typed allows it, there as elsewhere
    expect((await place.cuervo([...write, '--allow', 'fs-write:work'], { env })).code).toBe(0);
  });
});

describe('configuration that takes a protection away', () => {
  it('is told at the start of every run, and grants nothing', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    configure(place, '[exec]\nsandbox = "none"\n\n[plugins]\nsandbox = "none"\n');
    for (const args of [shell('rm a.txt'), shell('git status'), write]) {
      const ran = await place.cuervo(args);
      expect(ran.code).toBe(3);
      expect(ran.stderr).toContain('note: exec.sandbox is "none" in config.toml');
      expect(ran.stderr).toContain('note: plugins.sandbox is "none" in config.toml');
    }
    expect(existsSync(join(place.work, 'a.txt'))).toBe(true);
    // control: with the grant it runs, and is told anyway
    const ran = await place.cuervo([...shell('rm a.txt'), '--allow', 'exec:rm']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('note: exec.sandbox is "none"');
    expect(existsSync(join(place.work, 'a.txt'))).toBe(false);
    configure(place, '');
    expect((await place.cuervo(['run', 'file.list', '{}'])).stderr).not.toContain('note:');
  });
});

describe(`a program that only computes${needs}`, () => {
  it.skipIf(!hasSandbox)('ends at the limit of processor time', async () => {
    using place = openPlace({ 'loop.sh': 'while :; do :; done\n' });
    configure(place, '[exec]\ncpu-seconds = 1\n');
    const ran = await place.cuervo([...shell('sh loop.sh'), '--allow', 'exec:sh']);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      exitCode: 128,
      stderr: expect.stringMatching(/^sh: ended by SIG(XCPU|KILL)\n/),
    });
  });
});
