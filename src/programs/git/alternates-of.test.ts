import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rawPath, toBytes } from '../../lib/files/raw-fs.ts';
import { alternatesOf } from './repository-folder.ts';

let root = '';
const list = '.git/objects/info/alternates';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-alternates-')));
  for (const folder of ['.git/objects/info', 'store/pack', 'loose/ab', 'src'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

it('alternatesOf() finds object folders inside of the root, by either kind of path', () => {
  symlinkSync('store', join(root, 'link'));
  const lines = ['# note', '../../loose', join(root, 'link'), '/usr', '../../src', '../..', 'gone'];
  writeFileSync(join(root, list), `${lines.join('\n')}\n`);
  expect(alternatesOf(root, list)).toEqual(['loose', 'store']);
});

it('alternatesOf() reads a path in quotes, and one that is not UTF-8, as git does', () => {
  mkdirSync(rawPath(join(root, 'd\udcff/pack')), { recursive: true });
  const plain = toBytes('../../d\udcff\n');
  writeFileSync(join(root, list), Buffer.concat([Buffer.from('"../../d\\377"\n'), plain]));
  expect(alternatesOf(root, list)).toEqual(['d\udcff', 'd\udcff']);
});

it('alternatesOf() reads no link, and nothing that is not there', () => {
  expect(alternatesOf(root, list)).toEqual([]);
  symlinkSync('/etc/passwd', join(root, list));
  expect(alternatesOf(root, list)).toEqual([]);
});
