import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const ask = async (place: Place, words: string) => await place.cuervo(['ask', words]);
const shown = async (place: Place, words: string) => (await ask(place, words)).stdout;

describe('facts that move', () => {
  it('hold beside an older one where nobody can be asked, the newer first', async () => {
    using place = openPlace();
    await ask(place, 'remember that releases happen on Thursdays');
    const kept = await shown(place, 'remember that releases happen on Fridays');
    expect(kept).toContain('  holds beside it: "releases happen on Thursdays" (');
    const answer = await shown(place, 'when do releases happen?');
    expect(answer.indexOf('Fridays')).toBeGreaterThan(0);
    expect(answer.indexOf('Thursdays')).toBeGreaterThan(answer.indexOf('Fridays'));
    const [, older = '', newer = ''] = /memory replace (\w+) (\w+)/.exec(kept) ?? [];
    expect((await place.cuervo(['memory', 'replace', older, newer])).code).toBe(0);
    expect(await shown(place, 'when do releases happen?')).toContain(
      'replaces: releases happen on',
    );
    const { rows } = await place.cuervo(['memory', 'history', 'releases', '--json']);
    expect(rows).toMatchObject([
      { text: 'releases happen on Fridays', scope: 'project' },
      { text: 'releases happen on Thursdays', replacedBy: rows[0]?.id },
    ]);
  });

  it('are corrected by nothing but an act: a message is offered its command', async () => {
    using place = openPlace();
    await ask(place, 'remember that we keep the cache in Redis');
    const valkey = 'we no longer keep the cache in Redis, it is in Valkey';
    for (const [begun, said] of [
      ['no, ', 'it moved to Valkey'],
      ['', valkey],
    ]) {
      await ask(place, 'where do we keep the cache?');
      const { stderr } = await ask(place, `${begun}${said}`);
      expect(stderr).toContain('this is not kept; to keep it in place of "we keep the cache in');
      expect(stderr).toMatch(new RegExp(`cuervo memory edit [0-9a-f]{12} '${said}'`));
    }
    for (const said of [
      'turns out the cache is never invalidated',
      'actually the test suite is failing on my machine',
    ]) {
      const { stdout, stderr } = await ask(place, said);
      expect(stdout + stderr).not.toContain('Remembered');
    }
    const { rows } = await place.cuervo(['memory', 'list', '--kind', 'fact', '--json']);
    expect(rows).toMatchObject([{ text: 'we keep the cache in Redis' }]);
  });

  it('names the nearest of many that hold beside it, and how many more', async () => {
    using place = openPlace();
    for (const bed of [1, 2, 3, 4, 5, 6]) {
      await ask(place, `remember that garden bed ${bed} grows plant sort ${bed}`);
    }
    expect(await shown(place, 'remember that garden bed 2 grows mint by the wall')).toMatch(
      /wall\n(?: {2}holds beside it: "garden bed \d grows plant .*\n){3} {2}and 3 more like it/,
    );
  });

  it('end, stay ended when the newer one ends, and hold again when asked', async () => {
    using place = openPlace();
    await ask(place, 'remember that releases happen on Thursdays');
    const kept = await shown(place, 'remember that releases moved to Fridays');
    const [, from = '', to = ''] = /memory replace (\w+) (\w+)/.exec(kept) ?? [];
    await place.cuervo(['memory', 'replace', from, to]);
    await ask(place, 'when do releases happen?');
    expect(await shown(place, 'that is no longer true')).toContain('No longer holds: "releases');
    const history = async () =>
      (await place.cuervo(['memory', 'history', 'releases', '--json'])).rows;
    const search = ['memory', 'search', '--kind', 'fact', 'releases'];
    expect((await place.cuervo(search)).code).toBe(4);
    const [newer, older] = await history();
    expect(newer).toMatchObject({ endedMs: expect.any(Number), replaces: [older?.id] });
    expect(older).toMatchObject({ replacedBy: newer?.id });
    await place.cuervo(['memory', 'revive', String(older?.id)]);
    expect(await shown(place, 'when do releases happen?')).toContain('on Thursdays');
  });

  it('are listed when a person asks for all of them, and end by their subject', async () => {
    using place = openPlace();
    const all = 'what do you know about me?';
    expect(await shown(place, all)).toContain('Nothing was told yet.');
    await ask(place, 'remember that the standup is at 10');
    await ask(place, 'I prefer tabs');
    expect(await shown(place, all)).toMatch(
      /^You told:\n {2}I prefer tabs \(.*, in every workspace\)\n {2}the standup is at 10 \(/,
    );
    expect(await ask(place, 'forget the lunch')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('no fact is about this'),
    });
    expect(await shown(place, 'forget the standup')).toContain('No longer holds: "the standup');
    expect(await shown(place, 'what did I tell you?')).not.toContain('standup');
  });

  it('are edited and replaced by hand, and forgotten for good, in the session, too', async () => {
    using place = openPlace();
    await ask(place, 'remember that the door code is 4711');
    await ask(place, 'remember that the door opens with a card');
    const list = async () =>
      (await place.cuervo(['memory', 'list', '--kind', 'fact', '--json'])).rows;
    const [card, code] = await list();
    await place.cuervo(['memory', 'replace', String(code?.id), String(card?.id)]);
    const [hit] = (await place.cuervo(['memory', 'search', 'door code', '--json'])).rows;
    expect(hit).toMatchObject({
      text: 'the door opens with a card',
      replaced: [{ text: 'the door code is 4711' }],
    });
    const listed = await place.cuervo(['memory', 'list', '--kind', 'fact']);
    expect(listed.stdout).toContain(
      `replaced by ${String(card?.id).slice(0, 12)}\n  the door code`,
    );
    const edit = ['memory', 'edit', String(card?.id), 'the door opens with a ring'];
    expect((await place.cuervo(edit)).code).toBe(0);
    await place.cuervo(['memory', 'forget', '--id', String(code?.id), '--yes']);
    await place.cuervo(['memory', 'rebuild']);
    expect(JSON.stringify(await list())).not.toContain('4711');
    const sessions = await place.cuervo(['session', 'list', '--json']);
    expect(sessions.stdout).not.toContain('4711');
    expect(await shown(place, 'how does the door open?')).toContain('with a ring');
  });

  it('are refused at the quota, with what could go', async () => {
    using place = openPlace();
    mkdirSync(place.home, { recursive: true, mode: 0o700 });
    const config = join(place.home, 'config.toml');
    writeFileSync(config, '[memory]\nfact-rows = 1\n', { mode: 0o600 });
    await ask(place, 'remember that releases happen on Thursdays');
    const refused = await ask(place, 'remember that the port is 8080');
    expect(refused).toMatchObject({ code: 5 });
    expect(refused.stderr).toContain('limit 1 (memory.fact-rows)');
    expect(refused.stderr).toContain('releases happen on Thursdays');
  });

  it('are found, and doctor names the table, when files of it are gone', async () => {
    using place = openPlace();
    await ask(place, 'remember that releases happen on Thursdays');
    await place.cuervo(['memory', 'compact']);
    const data = join(place.home, 'lancedb/interact.lance/data');
    for (const name of readdirSync(data)) truncateSync(join(data, name), 10);
    const found = await ask(place, 'when do releases happen?');
    expect(found.stdout).toContain('releases happen on Thursdays');
    expect(found.stderr).toContain('cuervo memory rebuild');
    const sick = await place.cuervo(['doctor']);
    expect(sick.stdout).toMatch(/fail {2}memory tables: interact: /);
    await place.cuervo(['memory', 'rebuild']);
    const well = await place.cuervo(['doctor']);
    expect(well.stdout).toMatch(/ok {4}memory tables: .* can be read/);
    writeFileSync(join(place.home, 'cuervo.db'), '');
    const emptied = await place.cuervo(['memory', 'search', 'releases']);
    expect(emptied.stdout).toContain('releases happen on Thursdays');
    expect(emptied.stderr).toContain('is kept as');
    expect(existsSync(join(place.home, 'cuervo.db.emptied'))).toBe(true);
    await place.cuervo(['memory', 'rebuild']);
    rmSync(join(place.home, 'lancedb'), { recursive: true });
    expect(await shown(place, 'when do releases happen?')).toContain('on Thursdays');
  });
});
