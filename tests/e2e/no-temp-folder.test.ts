import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const files = { 'birds.md': '# Birds\n\nThe heron stands in shallow water.\n' };

/** A home whose memory has tables, for which LanceDB is loaded. */
async function withTables(): Promise<Place> {
  const place = openPlace(files);
  writeFileSync(join(place.dir, 'file'), '');
  expect((await place.cuervo(['ask', 'remember that the heron is called Anna'])).code).toBe(0);
  expect((await place.cuervo(['memory', 'add', 'birds.md'])).code).toBe(0);
  expect((await place.cuervo(['memory', 'compact'])).code).toBe(0);
  expect(existsSync(join(place.home, 'lancedb/interact.lance'))).toBe(true);
  return place;
}

// LanceDB aborts its process without a temporary folder, so each command has one of its own.
describe('a temporary folder that cannot be written', { timeout: 120_000 }, () => {
  it.each([
    ['is missing', (place: Place) => join(place.dir, 'missing')],
    ['is a file', (place: Place) => join(place.dir, 'file')],
    ['takes no folder', () => '/proc'],
  ])('that %s is one in the home instead', async (_how, folderOf) => {
    using place = await withTables();
    const options = { ownProcess: true, env: { TMPDIR: folderOf(place) } };
    const asked = await place.cuervo(['ask', 'what is the heron called?'], options);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    const found = await place.cuervo(['memory', 'search', 'heron'], options);
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('Anna') });
    expect((await place.cuervo(['memory', 'compact'], options)).code).toBe(0);
    const ran = await place.cuervo(
      ['run', 'shell.run', 'echo heron', '--allow', 'exec:echo'],
      options,
    );
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('heron') });
    const doctor = await place.cuervo(['doctor'], options);
    expect(doctor.stdout).toContain('warn  temporary folder: ');
    expect(readdirSync(join(place.home, 'tmp'))).toEqual([]);
  });

  it('costs memory and not the answer where the home has no place for one either', async () => {
    using place = await withTables();
    writeFileSync(join(place.home, 'tmp'), '');
    const env = { TMPDIR: join(place.dir, 'missing') };
    const options = { ownProcess: true, env };
    const asked = await place.cuervo(['ask', 'where does the heron stand?'], options);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('shallow water') });
    expect(asked.stderr).toContain('note: ');
    const found = await place.cuervo(['memory', 'compact'], options);
    expect(found.code).toBe(7);
    expect(found.stderr).toBe(
      `error: no temporary folder can be made in "${env.TMPDIR}" (TMPDIR), which memory needs\n` +
        'hint: Name a folder that you can write to: TMPDIR=DIR cuervo …\n',
    );
  });
});
