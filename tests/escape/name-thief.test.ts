import { expect } from 'vitest';
import { called, inFile } from './guests/name-thief/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, put, usePlace } from './support/place.ts';

const place = usePlace({ fill: (made) => void put(made.work, 'a.txt', 'kept\n') });
const builtins = ['file', 'git', 'search', 'shell'];

escapeCase('name of a built-in plugin', {
  denied: [
    [
      'neither the manifest nor the file gives a stranger one',
      async () => {
        for (const name of builtins) {
          await expectRefused(place, await called(name), /is the name of a built-in plugin/);
        }
        await expectRefused(place, await inFile('file.wasm'), /is the name of a built-in plugin/);
        const read = await place.run('file.read', { path: 'a.txt' }, { allow: [] });
        expect(read.exitCode).toBe(0);
      },
    ],
    [
      'nor one that looks or sorts like it, or leads elsewhere',
      async () => {
        for (const name of ['File', 'file ', 'fіle', 'file.read', '../file', 'file\u200b', '']) {
          await expectRefused(place, await called(name), /./);
        }
      },
    ],
  ],
  control: [
    'another name is installed, and its tools stand under it alone',
    async () => {
      expect(expectSuccess(await installAndGo(place, await called('files'), 'files'))).toBe(1);
      const { stdout } = await place.cuervo(['tools', '--json']);
      const names = stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { name: string }).name);
      expect(names).toContain('files.go');
      expect(new Set(names).size).toBe(names.length);
    },
  ],
});
