import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  entriesIn,
  fromBytes,
  lstatSync,
  rawPath,
  readlinkSync,
  realpathSync,
  showRaw,
  toBytes,
} from './raw-fs.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-raw-')));
afterAll(() => rmSync(folder, { recursive: true }));

describe('fromBytes() and toBytes()', () => {
  // What `os.fsdecode()` of Python says of the same bytes.
  it.each([
    ['64ff', 'd\udcff'],
    ['c3', '\udcc3'],
    ['c0af', '\udcc0\udcaf'],
    ['eda080', '\udced\udca0\udc80'],
    ['edb2803f', '\udced\udcb2\udc80?'],
    ['f4908080', '\udcf4\udc90\udc80\udc80'],
    ['f09080', '\udcf0\udc90\udc80'],
    ['f0908080ff', '\ud800\udc00\udcff'],
    ['efbfbd', '\ufffd'],
    ['c3a9', 'é'],
  ])('read %s as %j, and back', (hex, text) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(fromBytes(bytes)).toBe(text);
    expect(toBytes(text)).toEqual(bytes);
    expect(text.isWellFormed() ? rawPath(text) : 'bytes').toBe(
      text.isWellFormed() ? text : 'bytes',
    );
  });

  it('lose nothing of any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 12 }).map((each) => Buffer.from(each));
    fc.assert(
      fc.property(bytes, (each) => {
        expect(toBytes(fromBytes(each))).toEqual(each);
      }),
    );
  });

  it('show a byte as it is written in a shell', () => {
    expect(showRaw('é/d\udcff/\ud800\udc00')).toBe('é/d\\xff/\ud800\udc00');
  });
});

describe.skipIf(process.platform !== 'linux')('names on a disk', () => {
  const names = ['d\udcff', 'd\udcfe', 'd\ufffd', 'plain'];
  for (const name of names) writeFileSync(rawPath(join(folder, name)), name.at(-1) ?? '');
  symlinkSync(rawPath('d\udcff'), join(folder, 'link'));

  it('are each listed as itself, where Node has one for three', () => {
    expect(new Set(readdirSync(folder)).size).toBe(3);
    for (const most of [undefined, 100])
      expect(
        entriesIn(folder, most)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...names, 'link'].sort());
    expect(entriesIn(folder, 2)).toHaveLength(2);
  });

  it('lead to what they name, links among them', () => {
    const inodes = names.map((name) => lstatSync(join(folder, name)).ino);
    expect(new Set(inodes).size).toBe(names.length);
    expect(readlinkSync(join(folder, 'link'))).toBe('d\udcff');
    expect(realpathSync(join(folder, 'link'))).toBe(join(folder, 'd\udcff'));
  });
});
