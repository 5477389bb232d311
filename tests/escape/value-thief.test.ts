import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectSuccess,
  type PlaceRunOptions,
  put,
  usePlace,
} from './support/place.ts';

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
    'INSERT OR REPLACE INTO plugin_values (plugin, project, key, value) VALUES (?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const key of keys) insert.run(plugin, place.work, key, Buffer.from(value));
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

/** Another workspace of the same person. */
const elsewhere = (): string => {
  const folder = join(place.dir, 'elsewhere');
  mkdirSync(folder, { recursive: true });
  return folder;
};

escapeCase('values of another workspace', {
  denied: [
    'what a plugin kept in one workspace is not there in the next',
    async () => {
      const input = { key: 'carried', length: 3 };
      expectSuccess(await place.run('value-thief.keep', input, { allow: ['kv'] }));
      const options = { allow: ['kv'], workspace: elsewhere() };
      const ran = await place.run('value-thief.look', { key: 'carried' }, options);
      expect(expectSuccess(ran)).toEqual({ keys: [], length: null });
    },
  ],
  control: [
    'in the same one it is',
    async () => {
      const input = { key: 'carried', length: 3 };
      expectSuccess(await place.run('value-thief.keep', input, { allow: ['kv'] }));
      const ran = await place.run('value-thief.look', { key: 'carried' }, { allow: ['kv'] });
      expect(expectSuccess(ran)).toMatchObject({ length: 3 });
    },
  ],
});

const shellLine = (command: string, workspace: string): Promise<Ran> => {
  const allow = ['fs:work', 'exec:seq', 'exec:echo'];
  return place.run('shell.run', { command, session: 'same' }, { allow, workspace });
};
/** Prints more than is handed on, and returns what it is kept as. */
const keptLine = async (): Promise<string> =>
  (expectSuccess(await shellLine('seq 1 30000', place.work)) as { kept: string }).kept;
const linesOf = (id: string, workspace: string): Promise<Ran> =>
  place.run('shell.output', { id, start: 7, end: 7 }, { workspace });

escapeCase('lines of a shell in another workspace', {
  needs: { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' },
  denied: [
    [
      'a variable of a session is not set in the other',
      async () => {
        expectSuccess(await shellLine('TOKEN=carried', place.work));
        const ran = await shellLine('echo "$TOKEN"', elsewhere());
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /has no value/ });
      },
    ],
    [
      'a long output is not read in the other',
      async () => {
        const ran = await linesOf(await keptLine(), elsewhere());
        expectFailure(place, ran, { code: 'not-found', exit: 4 });
      },
    ],
  ],
  control: [
    'in the same one both are there',
    async () => {
      expectSuccess(await shellLine('TOKEN=carried', place.work));
      const ran = await shellLine('echo "$TOKEN"', place.work);
      expect(expectSuccess(ran)).toMatchObject({ stdout: 'carried\n' });
      const lines = await linesOf(await keptLine(), place.work);
      expect(expectSuccess(lines)).toMatchObject({ lines: '7: 7' });
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

const recall = async (text: string, options: PlaceRunOptions = {}): Promise<string[]> => {
  const ran = await place.run('value-thief.recall', { text }, { allow: ['memory'], ...options });
  return (expectSuccess(ran) as { texts: string[] }).texts;
};
const tell = async (text: string, options: PlaceRunOptions = {}): Promise<void> => {
  expectSuccess(await place.run('value-thief.tell', { text }, { allow: ['memory'], ...options }));
};

escapeCase('memory of another project', {
  denied: [
    'what a plugin remembered in another workspace is not found',
    async () => {
      await tell('the blue heron nests in the north tower', { workspace: elsewhere() });
      expect(await recall('blue heron')).toEqual([]);
    },
  ],
  control: [
    'what it remembered in this one is',
    async () => {
      await tell('the grey heron nests in the mill');
      expect(await recall('grey heron')).toEqual(['the grey heron nests in the mill']);
    },
  ],
});

escapeCase('memory of somebody else', {
  denied: [
    [
      'the same words do not take its place, so that it is the plugin who said them',
      async () => {
        await place.cuervo(['ask', '-w', place.work, 'remember that the stilt wades in the weir']);
        await tell('the stilt wades in the weir');
        const found = await place.cuervo(['ask', '-w', place.work, 'where does the stilt wade?']);
        expect(found.stdout).toMatch(/(?:ago|now): .*the stilt wades in the weir/);
      },
    ],
    [
      'neither what a person said nor what a person added by a name',
      async () => {
        const said = ['ask', '-w', place.work, 'remember that the stork rests on the barn'];
        expect((await place.cuervo(said)).exitCode).toBe(0);
        const added = ['memory', 'add', '-', '--source', 'birds', '-w', place.work];
        const input = 'the stork rests on the barn\n';
        expect((await place.cuervo(added, { stdin: input })).exitCode).toBe(0);
        expect(await recall('stork on the barn', { allow: ['memory', 'fs:work'] })).toEqual([]);
      },
    ],
  ],
  control: [
    'what it remembered itself is found',
    async () => {
      await tell('the ibis rests on the chimney');
      expect(await recall('ibis')).toEqual(['the ibis rests on the chimney']);
    },
  ],
});

const reads = { allow: ['memory', 'fs:work'] };
const addFile = async (path: string): Promise<void> => {
  const ran = await place.cuervo(['memory', 'add', join(place.work, path), '-w', place.work]);
  expect(ran.exitCode).toBe(0);
};

escapeCase('pieces of files in memory', {
  denied: [
    [
      'leave to use memory is no leave to read files',
      async () => {
        put(place.work, 'birds/crane.txt', 'the crane winters in the delta\n');
        await addFile('birds/crane.txt');
        expect(await recall('crane in the delta')).toEqual([]);
      },
    ],
    [
      'a file that was protected since is not shown, whatever was read of it before',
      async () => {
        put(place.work, 'birds/raven.txt', 'the raven sleeps in the quarry\n');
        await addFile('birds/raven.txt');
        put(place.work, 'cuervo.toml', 'protected = ["birds/raven.txt"]\n');
        const found = await recall('raven in the quarry', reads);
        rmSync(join(place.work, 'cuervo.toml'));
        expect(found).toEqual([]);
      },
    ],
    [
      'nor one that has a protected name by now, nor one behind a link',
      async () => {
        for (const name of ['owl', 'wren']) {
          put(place.work, `${name}s/${name}.txt`, `the ${name} hides in the cellar\n`);
          await addFile(`${name}s/${name}.txt`);
        }
        renameSync(join(place.work, 'owls/owl.txt'), join(place.work, 'owls/owl.pem'));
        renameSync(join(place.work, 'wrens'), join(place.work, '.env.d'));
        symlinkSync('.env.d', join(place.work, 'wrens'));
        expect(await recall('owl in the cellar', reads)).toEqual([]);
        expect(await recall('wren in the cellar', reads)).toEqual([]);
      },
    ],
  ],
  control: [
    'with both grants a file that stands as it was read is shown',
    async () => {
      put(place.work, 'birds/finch.txt', 'the finch sings at the ford\n');
      await addFile('birds/finch.txt');
      expect(await recall('finch at the ford', reads)).toEqual(['the finch sings at the ford']);
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
