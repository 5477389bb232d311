import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { updater } from './guests/updater/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({});
const go = (): Promise<Ran> => place.run('updater.go', {}, { allow: [] });
/** Each version lies in the place of the one before: another file would be a second plugin. */
const version = async (...args: Parameters<typeof updater>): Promise<string> => {
  const path = join(place.dir, 'updater.wasm');
  copyFileSync(await updater(...args), path);
  return path;
};
const install = (file: string, ...flags: string[]): Promise<Ran> =>
  place.cuervo(['plugin', 'install', file, ...flags]);
const old = (): Promise<void> =>
  version('1.0.0', 1, ['clock']).then((file) => place.install(file, ['clock']));

escapeCase('plugin update that widens', {
  denied: [
    [
      'without a yes the old one stays, and the difference is told',
      async () => {
        await old();
        const before = place.state();
        const ran = await install(await version('1.1.0', 2, ['clock', 'random']));
        expect(ran.exitCode).toBe(3);
        expect(ran.stderr).toContain('It replaces updater 1.0.0 by 1.1.0: a newer version.');
        expect(ran.stderr).toContain('It now also wants: random.');
        expect(ran.stderr).toContain('It no longer holds what the old one held: clock.');
        expect(place.state()).toBe(before);
        expect(expectSuccess(await go())).toBe(1);
      },
    ],
    [
      'with a yes it holds nothing, not even what the old one held',
      async () => {
        await old();
        await place.install(await version('1.1.0', 2, ['clock', 'random']));
        expectFailure(place, await go(), { code: 'permission-denied', exit: 3 });
      },
    ],
    [
      'nor does a grant to the old one come back for another binary of its version',
      async () => {
        await old();
        const grants = readFileSync(join(place.home, 'grants.toml'), 'utf8');
        await place.install(await version('1.0.0', 3, ['clock']));
        // The entry of the old one is there, for the way back to it alone.
        expect(readFileSync(join(place.home, 'grants.toml'), 'utf8')).toBe(grants);
        expectFailure(place, await go(), { code: 'permission-denied', exit: 3 });
        await place.install(await version('1.0.0', 1, ['clock']));
        expectFailure(place, await go(), { code: 'permission-denied', exit: 3 });
      },
    ],
  ],
  control: [
    'with grants of its own it does what it wants',
    async () => {
      await old();
      expect(expectSuccess(await go())).toBe(1);
      await place.install(await version('1.1.0', 2, ['clock', 'random']), ['clock', 'random']);
      expect(expectSuccess(await go())).toBe(2);
    },
  ],
});

escapeCase('downgrade', {
  denied: [
    'an older version says so, and is not installed without a yes',
    async () => {
      await place.install(await version('1.10.0', 5));
      const before = place.state();
      const ran = await install(await version('1.9.0', 4));
      expect(ran.exitCode).toBe(3);
      expect(ran.stderr).toContain('It replaces updater 1.10.0 by 1.9.0: an older version.');
      expect(place.state()).toBe(before);
      expect(expectSuccess(await go())).toBe(5);
    },
  ],
  control: [
    'a person who wants it gets it, and nothing of the newer one stays',
    async () => {
      await place.install(await version('1.10.0', 5));
      const ran = await install(await version('1.9.0', 4), '--yes');
      expect(ran.exitCode).toBe(0);
      expect(expectSuccess(await go())).toBe(4);
      expect(readdirSync(join(place.home, 'plugins'))).toHaveLength(1);
    },
  ],
});

escapeCase('two installs at once', {
  denied: [
    'one of them is there as a whole, and nobody holds the grants of the other',
    async () => {
      const files = await Promise.all([
        updater('2.0.0', 6, ['clock']),
        updater('2.0.0', 7, ['random']),
        updater('2.0.0', 8),
      ]);
      const flags = [['--grant', 'clock'], ['--grant', 'random'], []];
      const ran = await Promise.all(
        files.map((file, index) => install(file, '--yes', '--replace', ...(flags[index] ?? []))),
      );
      // What a person agreed to was the place of nobody: who comes later is told to look again.
      const codes = ran.map(({ exitCode }) => exitCode);
      expect(codes).toContain(0);
      for (const code of codes) expect([0, 8]).toContain(code);
      const listed = await place.cuervo(['plugin', 'list', '--json']);
      const rows = listed.events as unknown as {
        name: string;
        grants: string[];
        capabilities: string[];
      }[];
      const [row, ...others] = rows.filter(({ name }) => name === 'updater');
      expect(others).toEqual([]);
      for (const grant of row?.grants ?? []) expect(row?.capabilities).toContain(grant);
      expect(readdirSync(join(place.home, 'plugins'))).toHaveLength(1);
      const answer = await go();
      // Which of them came last is nobody's promise: it answers, or is denied as its own binary.
      if (answer.error === undefined) expect([6, 7, 8]).toContain(expectSuccess(answer));
      else expectFailure(place, answer, { code: 'permission-denied', exit: 3 });
    },
  ],
  control: [
    'one after the other, the last one is there and answers',
    async () => {
      await place.cuervo(['plugin', 'remove', 'updater']);
      for (const number of [6, 7]) await place.install(await version('2.0.0', number));
      expect(expectSuccess(await go())).toBe(7);
    },
  ],
});
