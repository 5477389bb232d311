import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';

const edits = 11;

async function edit(place: Place, at: number): Promise<void> {
  const input = JSON.stringify({ path: 'a.txt', old: `text ${at - 1}`, new: `text ${at}` });
  const ran = await place.cuervo(['run', 'file.edit', input, '--allow', 'fs-write:work']);
  expect(ran.code).toBe(0);
}

describe('lists with nothing in them', () => {
  it('say so, and with --json they are empty', async () => {
    using place = openPlace({ 'a.txt': 'text 0\n' });
    for (const [command, said] of [
      ['undo', 'no run changed files of this workspace\n'],
      ['apply', 'no dry run of this workspace can be applied\n'],
    ] as const) {
      expect(await place.cuervo([command, '--list'])).toMatchObject({ code: 0, stdout: said });
      const json = await place.cuervo([command, '--list', '--json']);
      expect(json).toMatchObject({ code: 0, stdout: '' });
    }
    for (const command of ['diff', 'output', 'guard']) {
      expect((await place.cuervo(['runs', command, 'x'])).code).toBe(4);
    }
    await edit(place, 1);
    const { rows } = await place.cuervo(['undo', '--list', '--json']);
    const none = await place.cuervo(['runs', 'guard', String(rows[0]?.run)]);
    expect(none).toMatchObject({ code: 0, stdout: 'no checkpoint found anything\n' });
  });
});

describe('edits one after the other', () => {
  it('are taken back one by one, as many as there are, and then it says that there is none', async () => {
    using place = openPlace({ 'a.txt': 'text 0\n' });
    const text = () => readFileSync(join(place.work, 'a.txt'), 'utf8');
    for (let at = 1; at <= edits; at += 1) await edit(place, at);
    for (let at = edits - 1; at >= 0; at -= 1) {
      expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
      expect(text()).toBe(`text ${at}\n`);
    }
    const none = await place.cuervo(['undo', '--yes']);
    expect(none.code).toBe(4);
    expect(twoLines(none)).toEqual({
      error: 'there is no run to undo here: none changed files, or all are undone',
      hint: 'See the runs that changed files with: cuervo undo --list; undo a fact by its run, from: cuervo runs list',
    });
    expect(text()).toBe('text 0\n');
  });

  it('are taken back all at once, and it says when there are fewer than that', async () => {
    using place = openPlace({ 'a.txt': 'text 0\n' });
    const input = JSON.stringify({ path: 'b.txt', text: 'new\n' });
    await place.cuervo(['run', 'file.write', input, '--allow', 'fs-write:work']);
    await edit(place, 1);
    const undone = await place.cuervo(['undo', '--last', '99', '--yes']);
    expect(undone).toMatchObject({ code: 0, stdout: 'restored a.txt\nremoved b.txt\n' });
    expect(undone.stderr).toContain('only 2 runs can be undone\n');
    const both = await place.cuervo(['undo', '0', '--last', '2', '--yes']);
    expect(both.code).toBe(2);
  });

  it('that were taken back already are left as they are, and it says so', async () => {
    using place = openPlace({ 'a.txt': 'text 0\n' });
    await edit(place, 1);
    await edit(place, 2);
    writeFileSync(join(place.work, 'a.txt'), 'text 1\n');
    const list = async () => (await place.cuervo(['undo', '--list', '--json'])).stdout;
    const before = await list();
    const nothing = await place.cuervo(['undo', '--yes']);
    expect(nothing).toMatchObject({ code: 4, stdout: '' });
    expect(twoLines(nothing).error).toMatch(
      /^run \w+ has nothing to undo: its files are as they were before it$/,
    );
    expect(await list()).toBe(before);
    const both = await place.cuervo(['undo', '--last', '2', '--yes']);
    expect(both).toMatchObject({ code: 0, stdout: 'restored a.txt\n' });
    expect(both.stderr).toContain('has nothing to undo');
    const [, , first] = (await place.cuervo(['undo', '--list', '--json'])).rows;
    const again = await place.cuervo(['undo', String(first?.run), '--yes']);
    expect(again.code).toBe(4);
    expect(twoLines(again).error).toContain('it is already undone');
  });

  it('that are further back than the quota keeps say why they cannot be', async () => {
    using place = openPlace({ 'a.txt': `text 0\n${'x'.repeat(4000)}\n` });
    // The newest 20 runs keep what they need, whatever the quota.
    for (let at = 1; at <= 22; at += 1) await edit(place, at);
    writeFileSync(join(place.home, 'config.toml'), '[workspace]\nblob-bytes = 1000\n');
    expect((await place.cuervo(['jobs', 'run', 'prune_blobs'])).code).toBe(0);
    for (let at = 21; at >= 2; at -= 1) {
      expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
    }
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toMatch(/^text 2\n/);
    const gone = await place.cuervo(['undo', '--yes']);
    expect(gone.stdout + gone.stderr).toMatch(/no longer kept/);
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toMatch(/^text 2\n/);
  });
});
