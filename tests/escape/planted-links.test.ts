import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { writeOutput } from '../../sdk/build/write-output.ts';
import { changeAlone } from '../../src/lib/files/lock-file.ts';
import { writeFileWhole } from '../../src/lib/files/write-file-whole.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';

const place = usePlace({});

/** Writes `name` of the workspace where a link of the name of its beginnings leads out. */
function besideLink(name: string, ending: string, write: (path: string) => void): string {
  const target = put(place.outside, `${name}.rc`, 'mine');
  const path = join(place.work, name);
  // A repository would bring one for each number that a process may have.
  symlinkSync(target, `${path}.${ending.replace('PID', String(process.pid))}`);
  write(path);
  return readFileSync(target, 'utf8');
}

escapeCase('link of the name under which a file is begun', {
  denied: [
    [
      'a file that is replaced writes nothing through it',
      () => {
        const write = (path: string) => writeFileWhole(path, 'words of a stranger');
        expect(besideLink('plugins.lock', 'PID.part', write)).toBe('mine');
      },
    ],
    [
      'nor does a plugin that is built',
      () => {
        const write = (path: string) => writeOutput(path, Buffer.from('words of a stranger'));
        expect(besideLink('tool.wasm', 'PID.part', write)).toBe('mine');
      },
    ],
    [
      'nor does a lock between processes',
      () => {
        const write = (path: string) => changeAlone(path, () => undefined);
        expect(besideLink('changed', 'busy.PID', write)).toBe('mine');
      },
    ],
  ],
  control: [
    'the file itself is there and whole',
    () => {
      const path = join(place.work, 'kept.json');
      besideLink('kept.json', 'PID.part', () => writeFileWhole(path, '{}'));
      expect(readFileSync(path, 'utf8')).toBe('{}');
      expect(existsSync(`${path}.${process.pid}.part`)).toBe(false);
    },
  ],
});
