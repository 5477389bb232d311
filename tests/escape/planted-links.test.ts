import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { linkSdk } from '../../sdk/author/link-sdk.ts';
import { outputOf, writeOutput } from '../../sdk/build/write-output.ts';
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

/** A folder of a plugin, with a link that leads out of it or a folder of the same name. */
function pluginFolder(name: string, inner: string, isLink: boolean): string {
  const folder = join(place.work, name);
  put(folder, 'package.json', '{}');
  if (isLink) symlinkSync(place.outside, join(folder, inner));
  else mkdirSync(join(folder, inner));
  return folder;
}

escapeCase('link of the name of a folder beside a plugin', {
  denied: [
    [
      'dist is not followed, and the way out is named',
      () => {
        const folder = pluginFolder('strange', 'dist', true);
        expect(() => outputOf(folder, 'tool', undefined)).toThrow('name the output with --out');
      },
    ],
    [
      'node_modules gets no link to the SDK',
      () => {
        linkSdk(pluginFolder('odd', 'node_modules', true), place.work);
        expect(existsSync(join(place.outside, '@cuervo'))).toBe(false);
      },
    ],
  ],
  control: [
    'folders are written to, and so is a file that was named',
    () => {
      const folder = pluginFolder('plain', 'dist', false);
      expect(outputOf(folder, 'tool', undefined)).toBe(join(folder, 'dist/tool.wasm'));
      expect(outputOf(folder, 'tool', '/tmp/tool.wasm')).toBe('/tmp/tool.wasm');
      linkSdk(folder, place.work);
      const link = join(folder, 'node_modules/@cuervo/sdk');
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    },
  ],
});
