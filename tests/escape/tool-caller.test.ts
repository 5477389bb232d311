import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await buildGuest('tool-caller')) });
const read = { path: 'inside.txt' };
const write = { path: 'new.txt', text: 'x' };
const call = (tool: string, input: object, more: object = {}) => ({ tool, input, ...more });

escapeCase('a tool that no grant names', {
  denied: [
    'a call without a grant for it ends with exit 3, whatever else was granted',
    async () => {
      for (const allow of [[], ['fs:work'], ['tools:search.*', 'fs:work']]) {
        const ran = await place.run('tool-caller.call', call('file.read', read), { allow });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /tool-caller was not granted tools/,
        });
      }
    },
  ],
  control: [
    'with the grant it reads',
    async () => {
      const allow = ['tools:file.read'];
      const ran = await place.run('tool-caller.call', call('file.read', read), { allow });
      expectSuccess(ran);
      expect(ran.stdout).toContain(place.inside);
    },
  ],
});

escapeCase('the authority of the called plugin', {
  denied: [
    'a call gives its caller nothing that a person did not grant to the called plugin',
    async () => {
      const allow = ['tools:*'];
      const ran = await place.run('tool-caller.call', call('file.write', write), { allow });
      expectFailure(place, ran, {
        code: 'permission-denied',
        exit: 3,
        says: /file was not granted fs-write/,
      });
      expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    },
  ],
  control: [
    'with the grant of the called plugin it writes',
    async () => {
      const allow = ['tools:*', 'fs-write:work'];
      expectSuccess(await place.run('tool-caller.call', call('file.write', write), { allow }));
      expect(existsSync(join(place.work, 'new.txt'))).toBe(true);
      const undone = await place.cuervo(['undo', '--yes', '--workspace', place.work]);
      expect(undone.exitCode).toBe(0);
      expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    },
  ],
});

escapeCase('an effect above that of the caller', {
  denied: [
    'a tool that promised to read does not have another one write',
    async () => {
      const allow = ['tools:*', 'fs-write:work'];
      const ran = await place.run('tool-caller.read', call('file.write', write), { allow });
      expectFailure(place, ran, {
        code: 'permission-denied',
        exit: 3,
        says: /file.write has the effect "write", above the effect "read" of tool-caller.read/,
      });
      expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    },
  ],
  control: [
    'it has another one read',
    async () => {
      const allow = ['tools:*'];
      expectSuccess(await place.run('tool-caller.read', call('file.read', read), { allow }));
    },
  ],
});

escapeCase('recursion through tools', {
  denied: [
    [
      'a tool that waits already is refused, with the chain',
      async () => {
        const ran = await place.run('tool-caller.again', {}, { allow: ['tools:*'] });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /waits for this call already: tool-caller.again → tool-caller.again/,
        });
      },
    ],
    [
      'a fifth tool is refused, with the chain',
      async () => {
        const ran = await place.run('tool-caller.four', read, { allow: ['tools:*'] });
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /four → tool-caller.one → tool-caller.two → tool-caller.three → file.read: tools call each other 4 deep/,
        });
      },
    ],
  ],
  control: [
    'four tools deep it reads',
    async () => {
      const ran = await place.run('tool-caller.one', read, { allow: ['tools:*'] });
      expectSuccess(ran);
      expect(ran.stdout).toContain(place.inside);
    },
  ],
});

escapeCase('a denial tried a thousand times', {
  denied: [
    'each try is denied, and the journal counts them in a few rows',
    async () => {
      const input = call('file.read', read, { times: 900 });
      const ran = await place.run('tool-caller.call', input, { allow: ['tools:search.*'] });
      expectFailure(place, ran, { code: 'permission-denied', exit: 3 });
    },
  ],
  control: [
    'with the grant as many calls are made',
    async () => {
      const input = call('file.read', read, { times: 100 });
      expectSuccess(await place.run('tool-caller.call', input, { allow: ['tools:*'] }));
    },
  ],
});

/** How runs that begin together end. */
async function endOf(count: number): Promise<unknown[]> {
  const allow = ['tools:*', 'fs:work'];
  await using kernel = await openKernel({ home: place.home, workspace: place.work, allow });
  const runs = Array.from({ length: count }, async () => {
    const statuses: unknown[] = [];
    for await (const event of kernel.run('tool-caller.one', read)) {
      if (event.type === 'run-finished') statuses.push(event.status);
    }
    return statuses;
  });
  return (await Promise.all(runs)).flat();
}

escapeCase('runs that wait for processes of each other', {
  denied: [
    'calls of eight runs, four deep in one plugin, wait for no process that they hold',
    async () => expect(await endOf(8)).toEqual(Array.from({ length: 8 }, () => 'ok')),
  ],
  control: ['one run ends', async () => expect(await endOf(1)).toEqual(['ok'])],
});
