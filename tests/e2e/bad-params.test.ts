import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, twoLines } from '../support/run-cuervo.ts';

/** The journal's rows of the last run of a tool. */
function lastRun(place: Place) {
  const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
  try {
    const one = (sql: string, ...args: string[]) => db.prepare(sql).get(...args) as Row;
    const run = one("SELECT id, status FROM runs WHERE command = 'run' ORDER BY rowid DESC");
    const id = String(run.id);
    return {
      run,
      step: one('SELECT tool, input, status, summary FROM steps WHERE run = ?', id),
      calls: one('SELECT count(*) AS calls FROM host_calls WHERE run = ?', id).calls,
    };
  } finally {
    db.close();
  }
}
type Row = Readonly<Record<string, unknown>>;

describe('parameters that are wrong', () => {
  it('never reach the guest, and stand in the journal with the reason', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const ran = await place.cuervo(['run', 'file.read', '{"path":5,"statr":1}', '--json']);
    const message =
      'file.read: path: has to be a string, and is a number; unknown field "statr"; read takes path, start, end, around, last, numbered';
    expect(ran.code).toBe(2);
    expect(lineOf(ran, 'error')).toMatchObject({ code: 'invalid-argument', message });
    expect(lineOf(ran, 'step-finished')).toMatchObject({ status: 'error', summary: message });
    expect(lastRun(place)).toEqual({
      run: { id: expect.any(String), status: 'invalid-argument' },
      step: {
        tool: 'file.read',
        input: '{"path":5,"statr":1}',
        status: 'error',
        summary: message,
      },
      calls: 0,
    });
    const shown = await place.cuervo(['run', 'file.read', '{}']);
    expect(twoLines(shown)).toEqual({
      error: 'file.read: path: is missing',
      hint: 'See what it takes with: cuervo tools file.read',
    });
    // control: what is right reaches it, and its host calls are journaled
    expect((await place.cuervo(['run', 'file.read', '{"path":"a.txt"}'])).stdout).toContain('one');
    expect(lastRun(place)).toMatchObject({ run: { status: 'ok' }, step: { status: 'ok' } });
    expect(lastRun(place).calls).toBeGreaterThan(0);
  });
});
