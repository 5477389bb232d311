import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';
import { program, twoLines } from '../support/run-cuervo.ts';
import { shell } from '../support/shell.ts';

const cuervo = `"${process.execPath}" "${program}"`;
const writes = `run file.write '{"path":"a.txt","text":"z"}'`;

describe('standard output that nobody reads', () => {
  it('leaves no step undone that changes something, and none of its exit code', async () => {
    using place = openPlace({});
    const unread = async (command: string) =>
      await shell(`set -o pipefail; ${cuervo} ${command} | true`, place);
    expect(await unread(`${writes} --json --allow fs-write:work`)).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('z');
    expect(await unread(`${writes} --json`)).toMatchObject({ code: 3 });
    expect(await unread('undo --yes')).toMatchObject({ code: 0 });
    expect(existsSync(join(place.work, 'a.txt'))).toBe(false);
    const asked = await unread(`ask --allow fs-write:work '${writes.replaceAll("'", '')}'`);
    expect(asked).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('z');
  });

  it('cuts no job off that runs behind an answer', async () => {
    using place = openPlace({ 'a.txt': 'the answer is 42\n' });
    for (let at = 0; at < 8; at += 1) await place.cuervo(['ask', `what is the answer to ${at}?`]);
    const database = new DatabaseSync(join(place.home, 'cuervo.db'));
    database.exec("UPDATE jobs SET since_ms = 0 WHERE name = 'flush_memory'");
    await shell(`${cuervo} ask "what is the answer?" | head -1`, place);
    const run = database.prepare("SELECT * FROM job_runs WHERE job = 'flush_memory'").get();
    database.close();
    expect(run).toMatchObject({
      outcome: 'done',
      summary: expect.stringMatching(/^moved \d+ rows/),
    });
  });

  it('ends a command that only reads', async () => {
    using place = openPlace({ 'a.txt': 'the answer is 42\n' });
    const script = `${cuervo} run file.read '{"path":"a.txt"}' --json | true; echo "$PIPESTATUS"`;
    expect(await shell(script, place)).toMatchObject({ stdout: '0\n', stderr: '' });
    const [run] = (await place.cuervo(['runs', 'list', '--json'])).rows;
    expect(run).toMatchObject({ question: 'file.read' });
    expect(run?.status).not.toBe('ok');
  });
});

describe.skipIf(!existsSync('/dev/full'))('standard output on a full disk', () => {
  it.each([
    '--help',
    'tools',
    'doctor --json',
    `run file.read '{"path":"a.txt"}' --quiet`,
    'ask "what is the answer?"',
    `${writes} --allow fs-write:work --json --quiet`,
  ])('is told in two lines by %s', async (command) => {
    using place = openPlace({ 'a.txt': 'the answer is 42\n' });
    const ran = await shell(`${cuervo} ${command} >/dev/full`, place);
    expect(ran.code).toBe(5);
    expect(twoLines(ran).error).toBe('standard output cannot be written: ENOSPC');
    if (command.startsWith(writes)) {
      expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('z');
    }
  });
});
