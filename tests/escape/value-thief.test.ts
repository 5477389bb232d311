import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import type { Ran } from './support/cuervo.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => made.install(await buildGuest('value-thief')),
});

/** What another plugin would have kept. */
function keepForAnother(key: string, value: string): void {
  keepDirectly('somebody-else', [key], value);
}

/** Past all limits on a call. */
function keepDirectly(plugin: string, keys: readonly string[], value: string): void {
  const database = new Database(join(place.home, 'cuervo.db'));
  const insert = database.prepare(
    'INSERT OR REPLACE INTO plugin_values (plugin, key, value) VALUES (?, ?, ?)',
  );
  database.transaction(() => {
    for (const key of keys) insert.run(plugin, key, Buffer.from(value));
  })();
  database.close();
}

escapeCase('values of another plugin', {
  denied: [
    'neither its keys nor its values are seen, under the very same key',
    async () => {
      await place.run('value-thief.look', { key: 'token' }, { allow: ['kv'] });
      keepForAnother('token', 'abc');
      const ran = await place.run('value-thief.look', { key: 'token' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toEqual({ keys: [], length: null });
    },
  ],
  control: [
    'its own are, in a later run too',
    async () => {
      const kept = await place.run(
        'value-thief.keep',
        { key: 'own', length: 3 },
        { allow: ['kv'] },
      );
      expect(expectSuccess(kept)).toEqual({ keys: ['own'] });
      const ran = await place.run('value-thief.look', { key: 'own' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toEqual({ keys: ['own'], length: 3 });
    },
  ],
});

escapeCase('values of a plugin that was removed', {
  denied: [
    [
      'the next one of its name finds nothing of them',
      async () => {
        const file = await buildGuest('value-thief');
        await place.run('value-thief.keep', { key: 'left', length: 3 }, { allow: ['kv'] });
        expect((await place.cuervo(['plugin', 'remove', 'value-thief'])).exitCode).toBe(0);
        await place.install(file);
        const ran = await place.run('value-thief.look', { key: 'left' }, { allow: ['kv'] });
        expect(expectSuccess(ran)).toEqual({ keys: [], length: null });
      },
    ],
    [
      'nor of what was left behind by one that is no longer there',
      async () => {
        const file = await buildGuest('value-thief');
        await place.run('value-thief.keep', { key: 'left', length: 3 }, { allow: ['kv'] });
        await place.cuervo(['plugin', 'remove', 'value-thief']);
        keepDirectly('value-thief', ['left'], 'abc');
        await place.install(file);
        const ran = await place.run('value-thief.look', { key: 'left' }, { allow: ['kv'] });
        expect(expectSuccess(ran)).toEqual({ keys: [], length: null });
      },
    ],
  ],
  control: [
    'an update finds them',
    async () => {
      await place.run('value-thief.keep', { key: 'left', length: 3 }, { allow: ['kv'] });
      await place.install(await buildGuest('value-thief'));
      const ran = await place.run('value-thief.look', { key: 'left' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toMatchObject({ length: 3 });
      await place.cuervo(['plugin', 'remove', 'value-thief']);
      await place.install(await buildGuest('value-thief'));
    },
  ],
});

escapeCase('kv without grant, above its limit and above the effect', {
  denied: [
    [
      'nothing is kept without a grant',
      async () => {
        const ran = await place.run('value-thief.keep', { key: 'a', length: 1 }, { allow: [] });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /not granted kv/ });
      },
    ],
    [
      'a value above 1 MiB is a limit',
      async () => {
        const input = { key: 'big', length: 1024 * 1024 + 1 };
        const ran = await place.run('value-thief.keep', input, { allow: ['kv'] });
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /1048576 bytes/ });
      },
    ],
    [
      'a tool that promised to read keeps nothing',
      async () => {
        const ran = await place.run('value-thief.liar', { key: 'secret' }, { allow: ['kv'] });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /effect "read"/ });
      },
    ],
  ],
  control: [
    'a value of 1 MiB is kept by a tool that promised to write',
    async () => {
      const input = { key: 'big', length: 1024 * 1024 };
      expectSuccess(await place.run('value-thief.keep', input, { allow: ['kv'] }));
      const ran = await place.run('value-thief.look', { key: 'big' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toMatchObject({ length: 1024 * 1024 });
      expect((expectSuccess(ran) as { keys: string[] }).keys).not.toContain('secret');
    },
  ],
});

escapeCase('memory of another project', {
  denied: [
    'what was said in another workspace is not found',
    async () => {
      const other = join(place.home, '..', 'other-project');
      mkdirSync(other, { recursive: true });
      await place.cuervo([
        'ask',
        '-w',
        other,
        'remember that the blue heron nests in the north tower',
      ]);
      const ran = await place.run(
        'value-thief.recall',
        { text: 'blue heron' },
        { allow: ['memory'] },
      );
      expect(expectSuccess(ran)).toEqual({ texts: [] });
    },
  ],
  control: [
    'what was said in this one is',
    async () => {
      await place.cuervo([
        'ask',
        '-w',
        place.work,
        'remember that the grey heron nests in the mill',
      ]);
      const ran = await place.run(
        'value-thief.recall',
        { text: 'grey heron' },
        { allow: ['memory'] },
      );
      expect(expectSuccess(ran)).toEqual({ texts: ['the grey heron nests in the mill'] });
    },
  ],
});

escapeCase('answer that no frame holds', {
  denied: [
    'keys that take more than a frame are a limit of the call, and not the end of the kernel',
    async () => {
      await place.run('value-thief.look', { key: 'token' }, { allow: ['kv'] });
      // Each takes six times its length in JSON.
      const keys = Array.from({ length: 4000 }, (_, n) => `${'\u0001'.repeat(400)}${n}`);
      keepDirectly('value-thief', keys, '');
      const ran = await place.run('value-thief.look', { key: 'own' }, { allow: ['kv'] });
      expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /a frame of/ });
    },
  ],
  control: [
    'the same guest sees its keys once they are few again',
    async () => {
      const database = new Database(join(place.home, 'cuervo.db'));
      database.prepare("DELETE FROM plugin_values WHERE plugin = 'value-thief'").run();
      database.close();
      keepDirectly('value-thief', ['few'], 'abc');
      const ran = await place.run('value-thief.look', { key: 'few' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toEqual({ keys: ['few'], length: 3 });
    },
  ],
});

const asked = (): Promise<Ran> =>
  place.cuervo(['ask', 'when do releases happen?', '--workspace', place.work]);

escapeCase('words put into the mouth of a person', {
  denied: [
    'what a plugin remembered is shown with its name',
    async () => {
      const told = { text: 'releases happen on Fridays' };
      expectSuccess(await place.run('value-thief.tell', told, { allow: ['memory'] }));
      expect((await asked()).stdout).toMatch(/, from value-thief: releases happen on Fridays/);
    },
  ],
  control: [
    'what a person said is shown without one',
    async () => {
      const note = 'remember that releases happen on Thursdays';
      await place.cuervo(['ask', note, '--workspace', place.work]);
      expect((await asked()).stdout).toMatch(/(?:ago|now): .*releases happen on Thursdays/);
    },
  ],
});
