import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { root, twoLines } from '../support/run-cuervo.ts';

const example = join(root, 'examples/plugins/wordcount');
const hourMs = 3_600_000;

/** Two binaries of one plugin, built once. */
let built: Place;
const oldWasm = (): string => join(built.work, 'old.wasm');
const newWasm = (): string => join(built.work, 'new.wasm');

beforeAll(async () => {
  const source = readFileSync(join(example, 'plugin.ts'), 'utf8');
  built = openPlace({ 'newer/plugin.ts': source.replace("'0.1.0'", "'0.2.0'") });
  for (const [folder, out] of [
    [example, oldWasm()],
    [join(built.work, 'newer'), newWasm()],
  ] as const) {
    const ran = await built.cuervo(['plugin', 'build', folder, '-o', out]);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
  }
});
afterAll(() => built[Symbol.dispose]());

const count = ['run', 'wordcount.count-file', '{"path":"work:a.txt"}'];

/** A place where wordcount is installed and holds nothing. */
async function openWithPlugin(): Promise<Place> {
  const place = openPlace({ 'a.txt': 'one two three\n' });
  const ran = await place.cuervo(['plugin', 'install', oldWasm(), '--yes']);
  expect(ran.code).toBe(0);
  return place;
}

const grantsFile = (place: Place): string => join(place.home, 'grants.toml');
const textOf = (place: Place): string => readFileSync(grantsFile(place), 'utf8');

async function digestOf(place: Place, name = 'wordcount'): Promise<string> {
  const { rows } = await place.cuervo(['plugin', 'list', '--json']);
  return String(rows.find((row) => row.name === name)?.sha256);
}

function writeEntry(place: Place, digest: string, expires: string, grant = 'fs:work'): void {
  const lines = [
    '[[grant]]',
    'plugin = "wordcount"',
    `digest = "${digest}"`,
    `capabilities = ["${grant}"]`,
    'granted = 2020-01-01T00:00:00Z',
    `expires = ${expires}`,
  ];
  writeFileSync(grantsFile(place), `${lines.join('\n')}\n`, { mode: 0o600 });
}

function journalOf(place: Place): { command: string; question: string; status: string }[] {
  const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
  try {
    const sql = "SELECT command, question, status FROM runs WHERE command LIKE 'plugin %'";
    return db.prepare(`${sql} ORDER BY started_ms, id`).all() as never;
  } finally {
    db.close();
  }
}

describe('plugin grant and revoke', () => {
  it('let a call succeed and deny it again, and journal both', async () => {
    using place = await openWithPlugin();
    expect((await place.cuervo(count)).code).toBe(3);

    const granted = await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work']);
    expect(granted.code).toBe(0);
    expect(granted.stdout).toMatch(/^wordcount {2}fs:work {2}[0-9a-f]{12} {2}no end date\n$/);
    expect((await place.cuervo(count)).code).toBe(0);
    expect(statSync(grantsFile(place)).mode & 0o777).toBe(0o600);

    const revoked = await place.cuervo(['plugin', 'revoke', 'wordcount', 'fs:work']);
    expect(revoked).toMatchObject({ code: 0, stdout: 'revoked wordcount fs:work\n' });
    const denied = await place.cuervo(count);
    expect(denied.code).toBe(3);
    expect(textOf(place)).not.toContain('wordcount');

    const digest = await digestOf(place);
    expect(journalOf(place)).toEqual([
      { command: 'plugin grant', question: `wordcount@${digest} fs:work`, status: 'ok' },
      { command: 'plugin revoke', question: 'wordcount fs:work', status: 'ok' },
    ]);
  });

  it('give the command that a denial names', async () => {
    using place = await openWithPlugin();
    const { hint } = twoLines(await place.cuervo(count));
    const [command = ''] = /cuervo plugin grant \S+ \S+/.exec(hint) ?? [];
    expect((await place.cuervo(command.split(' ').slice(1))).code).toBe(0);
    expect((await place.cuervo(count)).code).toBe(0);
  });

  it('journal what an install grants and a removal takes', async () => {
    using place = await openWithPlugin();
    await place.cuervo(['plugin', 'install', oldWasm(), '--yes', '--grant', 'fs:work']);
    await place.cuervo(['plugin', 'remove', 'wordcount']);
    expect(journalOf(place)).toMatchObject([
      { command: 'plugin install', question: expect.stringMatching(/^wordcount@\w{64} fs:work$/) },
      { command: 'plugin remove', question: expect.stringMatching(/^wordcount@\w{64}$/) },
    ]);
  });

  it('take everything back when no grant is named', async () => {
    using place = await openWithPlugin();
    await place.cuervo(['plugin', 'grant', 'shell', 'exec:make', 'exec:node']);
    const revoked = await place.cuervo(['plugin', 'revoke', 'shell']);
    expect(revoked.stdout).toBe('revoked shell exec:make\nrevoked shell exec:node\n');
    const again = await place.cuervo(['plugin', 'revoke', 'shell']);
    expect(again).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'nothing was granted to shell\n',
    });
  });

  it('refuse what the binary cannot use, what is not held and who is not installed', async () => {
    using place = await openWithPlugin();
    await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work']);
    const before = textOf(place);
    const unwanted = await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work', 'kv']);
    expect(unwanted.code).toBe(2);
    expect(twoLines(unwanted).error).toBe('wordcount cannot use kv: it wants fs');
    const notHeld = await place.cuervo(['plugin', 'revoke', 'wordcount', 'fs:work', 'fs:docs']);
    expect(notHeld.code).toBe(4);
    expect(twoLines(notHeld).error).toBe('wordcount was not granted fs:docs');
    for (const command of [
      ['grant', 'nobody', 'kv'],
      ['revoke', 'nobody'],
      ['grants', 'nobody'],
    ]) {
      const ran = await place.cuervo(['plugin', ...command]);
      expect(ran.code).toBe(4);
      expect(twoLines(ran)).toEqual({
        error: 'no plugin "nobody" is installed',
        hint: 'See what is installed with: cuervo plugin list',
      });
    }
    expect((await place.cuervo(['plugin', 'grant', 'wordcount', 'network'])).code).toBe(2);
    expect(textOf(place)).toBe(before);
    expect(journalOf(place).length).toBe(1);
  });

  it('give built-in plugins more, and leave them what ships with them', async () => {
    using place = openPlace();
    const shipped = await place.cuervo(['plugin', 'revoke', 'file', 'fs:work']);
    expect(shipped.code).toBe(2);
    expect(twoLines(shipped).error).toBe(
      'file holds fs:work because it is built in, and that cannot be revoked',
    );
    expect((await place.cuervo(['plugin', 'grant', 'file', 'fs:work'])).code).toBe(2);
    expect(existsSync(grantsFile(place))).toBe(false);

    expect((await place.cuervo(['plugin', 'grant', 'file', 'fs-write:work'])).code).toBe(0);
    const digest = await digestOf(place, 'file');
    const listed = await place.cuervo(['plugin', 'grants', 'file', '--json']);
    expect(listed.rows).toMatchObject([
      { plugin: 'file', grant: 'fs:work', status: 'built-in', digest },
      { plugin: 'file', grant: 'fs-write:work', status: 'held', digest },
    ]);
    const revoked = await place.cuervo(['plugin', 'revoke', 'file']);
    expect(revoked.stdout).toBe('revoked file fs-write:work\n');
    expect((await place.cuervo(['plugin', 'grants', 'file', '--json'])).rows.length).toBe(1);
  });

  it('lose nothing when eight processes change the file at once', async () => {
    using place = await openWithPlugin();
    const programs = Array.from({ length: 8 }, (_, index) => `exec:program-${index}`);
    await place.cuervo(['plugin', 'grant', 'shell', 'exec:program-0', 'exec:program-1']);
    const changes = programs.map((grant, index) =>
      place.cuervo(['plugin', index < 2 ? 'revoke' : 'grant', 'shell', grant]),
    );
    expect((await Promise.all(changes)).map(({ code }) => code)).toEqual(programs.map(() => 0));
    const { rows } = await place.cuervo(['plugin', 'grants', 'shell', '--json']);
    const kept = rows.filter(({ status }) => status === 'held').map(({ grant }) => grant);
    expect(kept.toSorted()).toEqual(programs.slice(2));
    expect(journalOf(place).length).toBe(9);
    expect(existsSync(`${grantsFile(place)}.busy`)).toBe(false);
  });
});

describe('a grant of a root that there is not', () => {
  const noRoot = 'fs:wrok: there is no root "wrok"; there is work';

  it('is refused when it is given, and nothing is kept', async () => {
    using place = openPlace({ 'a.txt': 'one two three\n' });
    const installed = ['plugin', 'install', oldWasm(), '--yes'];
    const mistyped = await place.cuervo([...installed, '--grant', 'fs:wrok']);
    expect(mistyped.code).toBe(2);
    expect(mistyped.stderr).toBe(`error: ${noRoot}\nhint: Grant the workspace with fs:work.\n`);
    expect((await place.cuervo(['plugin', 'list'])).stdout).not.toContain('wordcount');
    expect((await place.cuervo(installed)).code).toBe(0);
    const granted = await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:wrok']);
    expect(granted.code).toBe(2);
    expect(twoLines(granted).error).toBe(noRoot);
    expect(existsSync(grantsFile(place))).toBe(false);
    expect((await place.cuervo([...count, '--allow', 'fs:wrok'])).code).toBe(2);
    // The control: the root that there is.
    expect((await place.cuervo([...count, '--allow', 'fs:work'])).code).toBe(0);
  });

  it('gives nothing where it stands in the file, and says what takes it back', async () => {
    using place = await openWithPlugin();
    writeEntry(place, await digestOf(place), '2099-01-01T00:00:00Z', 'fs:wrok');
    const pure = await place.cuervo(['run', 'wordcount.count', '{"text":"one two"}']);
    expect(pure.code).toBe(0);
    expect(pure.stderr).toContain('cuervo plugin revoke wordcount fs:wrok');
    expect((await place.cuervo(count)).code).toBe(3);
    const listed = await place.cuervo(['plugin', 'grants', 'wordcount']);
    expect(listed.stdout).toContain('for a root that does not exist: no effect');
    const revoked = await place.cuervo(['plugin', 'revoke', 'wordcount', 'fs:wrok']);
    expect(revoked.stdout).toBe('revoked wordcount fs:wrok\n');
  });
});

describe('a grant with an end', () => {
  it('holds for the time that was said', async () => {
    using place = await openWithPlugin();
    const startMs = Date.now();
    const args = ['plugin', 'grant', 'wordcount', 'fs:work', '--for', '2h', '--json'];
    const { rows } = await place.cuervo(args);
    expect(rows).toMatchObject([{ grant: 'fs:work', status: 'held' }]);
    expect(rows[0]?.expiresMs).toBeGreaterThanOrEqual(startMs + 2 * hourMs);
    expect(rows[0]?.expiresMs).toBeLessThanOrEqual(Date.now() + 2 * hourMs);
    expect((await place.cuervo(count)).code).toBe(0);
    const listed = await place.cuervo(['plugin', 'grants', 'wordcount']);
    expect(listed.stdout).toMatch(/ until \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/);
    // The newest word counts.
    await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work']);
    const forever = await place.cuervo(['plugin', 'grants', 'wordcount', '--json']);
    expect(forever.rows.length).toBe(1);
    expect(forever.rows[0]).not.toHaveProperty('expiresMs');
  });

  it('gives nothing afterwards, is shown as expired, and goes with the next change', async () => {
    using place = await openWithPlugin();
    const digest = await digestOf(place);
    writeEntry(place, digest, '2099-01-01T00:00:00Z');
    expect((await place.cuervo(count)).code).toBe(0);

    writeEntry(place, digest, '2020-01-02T00:00:00Z');
    expect((await place.cuervo(count)).code).toBe(3);
    const listed = await place.cuervo(['plugin', 'grants', 'wordcount', '--json']);
    expect(listed.rows).toMatchObject([{ grant: 'fs:work', status: 'expired' }]);
    expect((await place.cuervo(['plugin', 'grants', 'wordcount'])).stdout).toContain(
      'expired 2020-01-02 00:00 UTC',
    );
    expect((await place.cuervo(['plugin', 'grant', 'shell', 'exec:make'])).code).toBe(0);
    expect(textOf(place)).toContain('exec:make');
    expect(textOf(place)).not.toContain('fs:work');
  });
});

describe('grants.toml', () => {
  it('gives another binary of the same name nothing', async () => {
    using place = await openWithPlugin();
    await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work']);
    expect((await place.cuervo(count)).code).toBe(0);
    const old = textOf(place);
    expect((await place.cuervo(['plugin', 'install', newWasm(), '--replace', '--yes'])).code).toBe(
      0,
    );
    expect((await place.cuervo(count)).code).toBe(3);
    // Not even when the old entry comes back.
    writeFileSync(grantsFile(place), old);
    expect((await place.cuervo(count)).code).toBe(3);
    const { rows } = await place.cuervo(['plugin', 'grants', 'wordcount', '--json']);
    expect(rows).toMatchObject([{ grant: 'fs:work', status: 'other-binary' }]);
    // The control: a grant of its own lets it.
    expect((await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work'])).code).toBe(0);
    expect((await place.cuervo(count)).code).toBe(0);
    const revoked = await place.cuervo(['plugin', 'revoke', 'wordcount']);
    expect(revoked.stdout).toBe('revoked wordcount fs:work\n');
    expect(textOf(place)).not.toContain('wordcount');
  });

  it('is kept where the same binary is installed once more', async () => {
    using place = await openWithPlugin();
    await place.cuervo(['plugin', 'grant', 'wordcount', 'fs:work', '--project']);
    const before = textOf(place);
    const again = ['plugin', 'install', oldWasm(), '--yes'];
    const kept = await place.cuervo(again);
    expect(kept.stderr).toContain(`\nGranted now: fs:work in ${place.work}\n`);
    expect(textOf(place)).toBe(before);
    const more = await place.cuervo([...again, '--grant', 'fs:work']);
    expect(more.stderr).toContain(`\nGranted now: fs:work in ${place.work}, fs:work\n`);
    const { rows } = await place.cuervo(['plugin', 'grants', 'wordcount', '--json']);
    expect(rows.map(({ project }) => project)).toEqual([place.work, undefined]);
    expect((await place.cuervo(again)).stderr).toContain(', fs:work\n');
    // What is held everywhere and without an end is not given once more.
    const [journaled, text] = [journalOf(place), textOf(place)];
    expect((await place.cuervo([...again, '--grant', 'fs:work'])).code).toBe(0);
    expect([journalOf(place), textOf(place)]).toEqual([journaled, text]);
    expect((await place.cuervo(count)).code).toBe(0);
    // The control: another binary holds nothing of it.
    const other = await place.cuervo(['plugin', 'install', newWasm(), '--replace', '--yes']);
    expect(other.stderr).toContain('\nGranted now: nothing\n');
  });

  it('is changed by nobody while it cannot be read', async () => {
    using place = await openWithPlugin();
    const damaged = '[[grant]]\nplugin = "wordcount"\n';
    writeFileSync(grantsFile(place), damaged);
    for (const args of [
      ['plugin', 'grant', 'wordcount', 'fs:work'],
      ['plugin', 'revoke', 'wordcount'],
      ['plugin', 'grants'],
      count,
    ]) {
      const ran = await place.cuervo(args);
      expect({ args, code: ran.code }).toEqual({ args, code: 2 });
      expect(twoLines(ran).error).toContain('grants.toml line 1: grant[0].digest is missing');
    }
    expect(textOf(place)).toBe(damaged);
  });
});
