import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const ask = async (place: Place, words: string) => await place.cuervo(['ask', words]);
const shown = async (place: Place, words: string) => (await ask(place, words)).stdout;

describe('facts that move', () => {
  it('are shown with what they replaced, and taken back by an undo of their run', async () => {
    using place = openPlace();
    await ask(place, 'remember that releases happen on Thursdays');
    const corrected = await shown(place, 'no, they moved to Fridays');
    expect(corrected).toContain('replaces: releases happen on Thursdays (');
    const answer = await shown(place, 'when do releases happen?');
    expect(answer.indexOf('Fridays')).toBeGreaterThan(0);
    expect(answer.indexOf('Thursdays')).toBeGreaterThan(answer.indexOf('Fridays'));
    const [, run = ''] = /cuervo undo (\w+)/.exec(corrected) ?? [];
    expect(await place.cuervo(['undo', run, '--yes'])).toMatchObject({
      code: 0,
      stdout: 'forget: they moved to Fridays\nas before: releases happen on Thursdays\n',
    });
    expect(await shown(place, 'when do releases happen?')).not.toContain('Fridays');
    const { rows } = await place.cuervo(['memory', 'history', 'releases', '--json']);
    expect(rows).toMatchObject([{ text: 'releases happen on Thursdays', scope: 'project' }]);
    expect(rows[0]).not.toHaveProperty('replacedBy');
  });

  it('are kept beside what is known of the subject where it is not plain that they replace it', async () => {
    using place = openPlace();
    const said = 'we moved the retro to Thursday at 4pm';
    // nothing is known of it: it may be a question
    expect(await shown(place, said)).not.toContain('Remembered');
    await ask(place, 'remember that the retro is every other Wednesday at 3pm');
    const kept = await shown(place, said);
    expect(kept).toContain(
      `: ${said}\n  holds beside it: the retro is every other Wednesday at 3pm (`,
    );
    expect(kept).not.toContain('known before');
    await ask(place, 'remember that the car stands in the garage, level 4');
    expect(await shown(place, 'the car stands on level 2 now')).toContain(
      'holds beside it: the car stands in the garage, level 4 (',
    );
    expect(await shown(place, 'the car makes a noise now')).not.toContain('Remembered');
    const { rows } = await place.cuervo(['memory', 'history', 'retro', '--json']);
    expect(rows.map(({ text }) => text)).toEqual([
      said,
      'the retro is every other Wednesday at 3pm',
    ]);
  });

  it('pass from one to another, and what else is known of both holds', async () => {
    using place = openPlace();
    await ask(place, 'remember that Priya keeps the duty roster');
    await ask(place, 'remember that Priya wrote the duty roster');
    await ask(place, 'remember that Priya keeps bees');
    const handed = await shown(place, 'Priya handed the duty roster over to Oskar');
    expect(handed.match(/replaces: .*(?= \()/g)).toEqual(['replaces: Priya keeps the duty roster']);
    expect(await shown(place, 'who keeps the duty roster?')).toMatch(/handed .* to Oskar\n/);
  });

  it('names the nearest of many that hold beside it, and how many more', async () => {
    using place = openPlace();
    for (const bed of [1, 2, 3, 4, 5, 6]) {
      await ask(place, `remember that garden bed ${bed} grows plant sort ${bed}`);
    }
    expect(await shown(place, 'remember that garden bed 2 grows mint by the wall')).toMatch(
      /wall\n {2}holds beside it: garden bed 2 grows plant (?:.*\n){3} {2}and 3 more on this subject/,
    );
  });

  it('shows the preferences that hold where a change of one does not say which', async () => {
    using place = openPlace();
    expect(await shown(place, 'I prefer oats now')).toContain(
      '\n  nothing with its words was known',
    );
    for (const said of ['tabs', 'tea', 'windows that open']) await ask(place, `I prefer ${said}`);
    await ask(place, 'we decided to rent a bus');
    const changed = await shown(place, 'I prefer spaces now');
    expect(
      changed
        .trimEnd()
        .replace(/ \(\d.*\)/g, '')
        .split('\n')
        .slice(1),
    ).toEqual([
      '  it does not say which preference it replaces',
      ...['windows that open', 'tea', 'tabs'].map((said) => `  holds beside it: I prefer ${said}`),
      '  and 1 more preference',
    ]);
    expect(await shown(place, 'I no longer prefer tabs')).toContain(
      'No longer holds: I prefer tabs',
    );
  });

  it('end, stay ended when the newer one ends, and hold again when asked', async () => {
    using place = openPlace();
    await ask(place, 'remember that releases happen on Thursdays');
    await ask(place, 'no, releases moved to Fridays');
    expect(await shown(place, 'that is no longer true')).toContain('No longer holds: releases');
    const history = async () =>
      (await place.cuervo(['memory', 'history', 'releases', '--json'])).rows;
    expect((await place.cuervo(['memory', 'search', 'releases'])).code).toBe(4);
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
    expect(await shown(place, 'forget the standup')).toContain('No longer holds: the standup');
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
    expect((await ask(place, 'no, releases moved to Fridays')).code).toBe(0);
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
