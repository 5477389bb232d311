import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSegmentBuilder } from '../host/words/build-segment.ts';
import { encodeSegment } from '../host/words/encode-segment.ts';
import { type FileStamp, stampsBelow } from '../host/words/file-stamp.ts';
import { toWritten, writeWordFile } from '../host/words/word-file.ts';
import { type Kernel, openKernel } from '../kernel.ts';
import { systemClock } from '../lib/clock.ts';
import { createWordFiles } from './word-files.ts';

const { signal } = new AbortController();
/** What was written a moment ago counts as settled. */
const clock = { nowMs: () => Date.now() + 60_000 };

function openWorkspace(files: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-words-'));
  const work = join(dir, 'work');
  const home = join(dir, 'home');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    work,
    home,
    write,
    open: () => openKernel({ home, workspace: work, model: 'none', clock }),
    kept: () => (existsSync(join(home, 'words')) ? readdirSync(join(home, 'words')) : []),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

type Found = { passages: { path: string; text: string }[]; total: number };

async function passages(kernel: Kernel, question: string): Promise<Found> {
  for await (const event of kernel.run('search.passages', { question })) {
    if (event.type === 'result') return JSON.parse(event.content) as Found;
    if (event.type === 'error') throw new Error(event.message);
  }
  throw new Error('the search gave nothing');
}

describe('the counts of words of a workspace', () => {
  it('are made with its index, for its owner alone, and go with it', async () => {
    using place = openWorkspace({ 'a.ts': 'export const heron = 1;\n' });
    await using kernel = await place.open();
    await kernel.index.update({ signal });
    const [name, ...others] = place.kept();
    expect(others).toEqual([]);
    const path = join(place.home, 'words', name ?? '');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { ino } = statSync(path);
    await kernel.index.update({ signal });
    expect(statSync(path).ino).toBe(ino);
    place.write('a.ts', 'export const stork = 1;\n');
    await kernel.index.update({ signal });
    expect(statSync(path).ino).not.toBe(ino);
    await kernel.index.remove({ signal });
    expect(place.kept()).toEqual([]);
  });

  it('go when a source is forgotten, and come without it', async () => {
    using place = openWorkspace({ 'a.ts': 'const heron = 1;\n', 'b.ts': 'const stork = 1;\n' });
    await using kernel = await place.open();
    await kernel.index.update({ signal });
    await kernel.memoryCommands.forget({ source: 'a.ts' }, { signal });
    expect(place.kept()).toEqual([]);
    await kernel.index.update({ signal });
    expect(await passages(kernel, 'where is the heron?')).toMatchObject({ total: 1 });
    expect(place.kept()).toHaveLength(1);
  });

  it('let a search find what it finds without them, also in what has changed', async () => {
    using place = openWorkspace({
      'a.ts': 'export const heronNest = 1;\n',
      'b.ts': 'export const other = 2;\n',
      'c.ts': 'export const heronEgg = 3;\n',
    });
    await using kernel = await place.open();
    await kernel.index.update({ signal });
    place.write('b.ts', 'export const heronWing = 2;\n');
    rmSync(join(place.work, 'c.ts'));
    const first = await passages(kernel, 'where is the heron?');
    expect(first.passages.map(({ path }) => path).toSorted()).toEqual(['a.ts', 'b.ts']);
    rmSync(join(place.home, 'words'), { recursive: true });
    expect(await passages(kernel, 'where is the heron?')).toEqual(first);
  });

  it('decide which files are looked at, and never which lines are shown', async () => {
    using place = openWorkspace({ 'a.ts': 'export const heron = 1;\n' });
    await using kernel = await place.open();
    expect(await passages(kernel, 'where is the stork?')).toMatchObject({ passages: [], total: 0 });
    await kernel.index.update({ signal });
    const { rules, fileOf } = createWordFiles({ config: kernel.config, clock: systemClock });
    const file = fileOf(place.work) ?? '';
    const forge = (by: string): void => {
      const builder = createSegmentBuilder();
      const text = Buffer.from('export const stork = 1;\n\0');
      builder.add('a.ts', stampsBelow(place.work)('a.ts') as FileStamp, text, text.length - 1);
      writeWordFile(file, by, [toWritten(1, encodeSegment(builder.finish()))]);
    };
    forge(rules);
    const misled = await passages(kernel, 'where is the stork?');
    expect(misled).toMatchObject({ passages: [], total: 1 });
    forge('of other protected names');
    expect(await passages(kernel, 'where is the stork?')).toMatchObject({ total: 0 });
  });
});
