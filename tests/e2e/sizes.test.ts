import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

describe('questions about sizes', () => {
  let place: Place;

  beforeAll(() => {
    place = openPlace({
      '.gitignore': 'out/\n',
      'notes.txt': 'one\r\ntwo\r\nthree',
      'src/a.py': 'x = 1\ny = 2\n',
      'src/deep/b.py': `${'z = 3\n'.repeat(40)}`,
      'src/page.html': '<p>a page</p>\n',
      'out/big.txt': 'not counted\n'.repeat(100),
    });
    writeFileSync(join(place.work, 'dots.bin'), Buffer.from([0, 255, 0, 255]));
    mkdirSync(join(place.work, 'empty'));
  });
  afterAll(() => place[Symbol.dispose]());

  /** What stands below the first line. */
  const answer = async (question: string) =>
    (await place.cuervo(['ask', '--quiet', question])).stdout.split('\n').slice(2);

  it('gives bytes and lines of a file, with any line ends and by a part of its path', async () => {
    const notes = ['notes.txt: 15 bytes, 3 lines:', '  notes.txt  15 B  3 lines', ''];
    expect(await answer('how big is notes.txt?')).toEqual(notes);
    expect((await answer('how many lines does b.py have?'))[0]).toBe(
      'src/deep/b.py: 240 bytes, 40 lines:',
    );
    expect((await answer('how large is dots.bin'))[0]).toBe('dots.bin: 4 bytes:');
  });

  it('counts all that lies below a folder, its largest part first', async () => {
    expect(await answer('how big is the src folder?')).toEqual([
      'src: 3 files, 266 bytes, 43 lines (without hidden and ignored files):',
      '  src/deep/  240 B  1 file',
      '  src/page.html  14 B',
      '  src/a.py  12 B',
      '',
    ]);
    const [empty] = await answer('how big is empty');
    expect(empty).toMatch(/^empty: 0 files, 0 bytes, 0 lines/);
  });

  it('counts lines of the workspace, all or those of a language', async () => {
    expect((await answer('how many lines of code are there?'))[0]).toMatch(
      /^5 files, 285 bytes, 46 lines/,
    );
    expect((await answer('how many lines of Python are there?'))[0]).toMatch(
      /^2 files, 252 bytes, 42 lines/,
    );
  });

  it('names the largest files, and the longest that are code', async () => {
    const [, first, ...others] = await answer('what is the largest file?');
    expect(first).toBe('  src/deep/b.py  240 B  40 lines');
    expect(others.join('\n')).toContain('src/page.html');
    expect(await answer('which source file is the longest?')).toEqual([
      'the longest of 2 files:',
      '  src/deep/b.py  240 B  40 lines',
      '  src/a.py  12 B  2 lines',
      '',
    ]);
    expect((await answer('how many Python files are there?'))[0]).toMatch(/^2 files, /);
  });

  it('is a question about the text where there is no such path', async () => {
    expect((await answer('how big is three?')).join('\n')).toContain('notes.txt:3');
  });

  it('takes the one file of a name that is not a path', async () => {
    expect((await answer('how big is the page?'))[0]).toBe('src/page.html: 14 bytes, 1 line:');
  });
});
