import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openPlace } from './support/place.ts';

/** A Node that many systems bring; its tests are skipped by name where there is none. */
const oldNode = '/usr/bin/node';
const version = spawnSync(oldNode, ['--version'], { encoding: 'utf8' }).stdout ?? '';
const major = Number(/^v(\d+)/.exec(version)?.[1] ?? 0);
const isOld = major > 0 && major < 26;

describe.skipIf(!isOld)(`an old Node at ${oldNode} (${version.trim() || 'not there'})`, () => {
  it.each([[['--version']], [['ask', 'where is it?']], [[]]])(
    'gets one line that says what to do: %j',
    async (args) => {
      using place = openPlace();
      const ran = await place.cuervo(args, { node: oldNode });
      expect(ran.code).toBe(7);
      expect(ran.stdout).toBe('');
      expect(ran.stderr).toMatch(
        /^cuervo needs Node 26 or later and this is v\d+\.\d+\.\d+: .+\n$/,
      );
      expect(ran.stderr).toContain('npx cuervo');
    },
  );
});
