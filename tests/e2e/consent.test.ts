import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import {
  runInTerminal,
  type Typed,
  terminalMissing,
} from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = terminalMissing();
const question = '[y/p/e/n/?] ';

/** The command line at a terminal. */
function at(place: Place, args: readonly string[], typed: readonly Typed[], env = {}) {
  return runInTerminal([process.execPath, program, ...args], typed, {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, NO_COLOR: '1', ...env },
  });
}

const write = (path: string, text: string): string[] => [
  'run',
  'file.write',
  JSON.stringify({ path, text }),
];

/** What people answered, oldest first. */
function answersOf(place: Place): string[] {
  const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
  try {
    const rows = db.prepare("SELECT question FROM runs WHERE command = 'consent' ORDER BY rowid");
    return (rows.all() as { question: string }[]).map((row) => row.question);
  } finally {
    db.close();
  }
}

const contentOf = (place: Place, name: string): string | undefined => {
  const path = join(place.work, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

describe(`a question at a terminal${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  it.skipIf(missing)('shows the change, and y makes it once', async () => {
    using place = openPlace({ 'a.txt': 'one\ntwo\nthree\n' });
    const ran = await at(place, write('a.txt', 'one\n2\nthree\n'), [
      [question, '?\r'],
      [question, 'y\r'],
    ]);
    expect(ran.code).toBe(0);
    // The sentence stands first, and ? shows the rest.
    expect(ran.screen.split('built in')).toHaveLength(2);
    expect(ran.screen).toContain('cuervo asks: may this change be made?');
    expect(ran.screen).toMatch(/file +"work:a\.txt"/);
    expect(ran.screen).toMatch(/- \| two\n +\+ \| 2\n/);
    expect(ran.screen).toMatch(/for +plugin "file" \("file\.write"\), built in\n/);
    expect(contentOf(place, 'a.txt')).toBe('one\n2\nthree\n');
    expect(answersOf(place)).toEqual([
      expect.stringMatching(
        /^once file@\w{64} for fs-write write work:a\.txt \w{64} -> \w{64} of /,
      ),
    ]);
    // Once is once: the next run asks again, and without a terminal it is denied.
    expect((await place.cuervo(write('a.txt', 'x'))).code).toBe(3);
    expect(existsSync(join(place.home, 'grants.toml'))).toBe(false);
  });

  it.skipIf(missing).each([
    ['n', 'n\r', 3],
    ['Ctrl+D', '\u0004', 3],
    ['Ctrl+C', '\u0003', 130],
  ])('%s denies, and it is journaled', async (_, typed, code) => {
    using place = openPlace();
    const ran = await at(place, write('new.txt', 'x'), [[question, typed]]);
    expect(ran.code).toBe(code);
    expect(contentOf(place, 'new.txt')).toBeUndefined();
    expect(answersOf(place)).toEqual([expect.stringMatching(/^no file@/)]);
    if (code === 3) {
      expect(ran.screen).toContain('error: file.write: the user does not allow file to do this');
      expect(ran.screen).toContain('hint: cuervo plugin grant file fs-write:work keeps it');
    }
  });

  it.skipIf(missing)('takes no empty line and no other word for a yes', async () => {
    using place = openPlace();
    const typed: Typed[] = [
      [question, '\r'],
      [question, 'sure\r'],
      [question, ' \r'],
      [question, 'n\r'],
    ];
    const ran = await at(place, write('new.txt', 'x'), typed);
    expect(ran.code).toBe(3);
    expect(ran.screen).toContain('Type one of y, p, e, n, then Enter.');
    expect(contentOf(place, 'new.txt')).toBeUndefined();
  });

  it.skipIf(missing)('p holds in this project, and in no other', async () => {
    using place = openPlace();
    const ran = await at(place, write('a.txt', 'x'), [
      [question, '?\r'],
      [question, 'p\r'],
    ]);
    expect(ran.code).toBe(0);
    expect(ran.screen).toContain(`p  always in "${place.work}"`);
    const toml = readFileSync(join(place.home, 'grants.toml'), 'utf8');
    expect(toml).toContain(`project = "${place.work}"`);
    expect((await place.cuervo(write('b.txt', 'y'))).code).toBe(0);
    const elsewhere = ['--workspace', place.dir];
    expect((await place.cuervo([...write('work/c.txt', 'z'), ...elsewhere])).code).toBe(3);
    const { rows } = await place.cuervo(['plugin', 'grants', 'file', '--json']);
    expect(rows).toContainEqual(
      expect.objectContaining({ grant: 'fs-write:work', status: 'held', project: place.work }),
    );
    expect(answersOf(place)).toEqual([expect.stringContaining(` in ${place.work} for fs-write `)]);
    // And it is taken back like any other.
    await place.cuervo(['plugin', 'revoke', 'file', 'fs-write:work', '--project']);
    expect((await place.cuervo(write('b.txt', 'w'))).code).toBe(3);
  });

  it.skipIf(missing)('s is not offered where there is no session, and is not a yes', async () => {
    using place = openPlace();
    const ran = await at(place, write('a.txt', 'x'), [
      [question, 's\r'],
      ['Type one of y, p, e, n', 'y\r'],
    ]);
    expect(ran.code).toBe(0);
    expect(ran.screen).not.toContain('this session');
    expect(answersOf(place)).toEqual([expect.stringMatching(/^once file@/)]);
    expect((await place.cuervo(write('a.txt', 'y'))).code).toBe(3);
  });

  it.skipIf(missing)('is not answered by what was typed before it', async () => {
    using place = openPlace();
    // The workspace's note comes before the question.
    writeFileSync(join(place.work, 'cuervo.toml'), '[budget]\nrounds = 1000\n');
    const typed: Typed[] = [
      ['a project can only lower it', 'y\ry\ry'],
      [question, 'n\r'],
    ];
    const ran = await at(place, write('new.txt', 'x'), typed);
    expect(ran.code).toBe(3);
    expect(contentOf(place, 'new.txt')).toBeUndefined();
  });

  it.skipIf(missing)('is not asked with --json, and CI=true answers nothing', async () => {
    using place = openPlace();
    const json = await at(place, [...write('a.txt', 'x'), '--json'], []);
    expect(json.code).toBe(3);
    expect(json.screen).not.toContain(question);
    const ran = await place.cuervo(write('a.txt', 'x'), { env: { CI: 'true' } });
    expect(ran.code).toBe(3);
    // Nobody is asked while standard input is not a terminal.
    const piped = await place.cuervo(write('a.txt', 'x'), { stdin: 'y\ny\n' });
    expect(piped.code).toBe(3);
    const answered = await at(place, write('a.txt', 'x'), [[question, 'n\r']], { CI: 'true' });
    expect(answered.code).toBe(3);
    expect(contentOf(place, 'a.txt')).toBeUndefined();
  });
});
