import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeKnownWindows, type KnownQuestion } from './protocol/known-windows.ts';
import { createTallyHelp, type TallyGate } from './tally-help.ts';
import { type FileStamp, stampsBelow } from './words/file-stamp.ts';
import { updateWordFile } from './words/update-word-file.ts';

const { signal } = new AbortController();
const rules = 'as they are';
const asked: KnownQuestion = { root: 'work', start: '', words: ['heron'], window: 40, step: 30 };

/** A folder whose words are known, and one beside it. */
async function openFolders() {
  const dir = mkdtempSync(join(tmpdir(), 'tally-help-'));
  const work = join(dir, 'work');
  mkdirSync(join(work, 'sub'), { recursive: true });
  const paths = ['a.ts', 'sub/b.ts'];
  for (const path of paths) writeFileSync(join(work, path), 'const heron = 1;\n');
  const file = join(dir, 'words');
  const files = paths.map((path) => ({ path, ...(stampsBelow(work)(path) as FileStamp) }));
  const nowMs = (): number => Date.now() + 60_000;
  await updateWordFile(file, { folder: work, files, rules, nowMs }, { signal });
  const words = { rules, fileOf: (folder: string) => (folder === work ? file : undefined) };
  const open = (more: Partial<TallyGate> = {}) =>
    createTallyHelp({ words, roots: { work }, effect: 'read', denied: {}, signal, ...more });
  return {
    work,
    file,
    open,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

async function ask(help: ReturnType<typeof createTallyHelp>, question: unknown = asked) {
  const reply = await help.serve({ id: 1, call: 'help.tally', args: [question] });
  return reply?.parts === undefined ? undefined : decodeKnownWindows(reply.parts);
}

describe('createTallyHelp()', () => {
  it('knows the words of a root that was granted, and of what lies below the start', async () => {
    using folders = await openFolders();
    const help = folders.open();
    expect(help.known).toEqual(['work']);
    expect((await ask(help))?.paths).toEqual(['a.ts', 'sub/b.ts']);
    expect((await ask(help, { ...asked, start: 'sub' }))?.paths).toEqual(['sub/b.ts']);
    expect((await ask(help, { ...asked, start: 'su' }))?.paths).toEqual([]);
  });

  it.each<[string, (work: string) => Partial<TallyGate>]>([
    ['a folder in it', (work) => ({ roots: { work: join(work, 'sub') } })],
    ['the folder above it', (work) => ({ roots: { work: join(work, '..') } })],
    ['the right to read files', () => ({ denied: { fs: 'not granted' } })],
    ['a tool that reads', () => ({ effect: 'pure' })],
  ])('says nothing to whoever holds but %s, or not even that', async (_, more) => {
    using folders = await openFolders();
    const help = folders.open(more(folders.work));
    expect(help.known).toEqual([]);
    expect(await ask(help)).toBeUndefined();
  });

  it('says nothing where other names are withheld by now', async () => {
    using folders = await openFolders();
    const words = { rules: 'others', fileOf: () => folders.file };
    expect(await ask(folders.open({ words }))).toBeUndefined();
    expect(await ask(folders.open({ words: { ...words, rules } }))).toBeDefined();
  });

  it.each<[string, unknown]>([
    ['no object', 7],
    ['another root', { ...asked, root: 'toString' }],
    ['no list of words', { ...asked, words: 'heron' }],
    ['too many words', { ...asked, words: new Array(65).fill('heron') }],
    ['a word that is none', { ...asked, words: [{ length: 3 }] }],
    ['a window beside the counts', { ...asked, window: 15 }],
    ['a step of nothing', { ...asked, step: 0 }],
    ['a step that is no number', { ...asked, step: '10' }],
  ])('is asked for %s and says nothing', async (_, question) => {
    using folders = await openFolders();
    expect(await ask(folders.open(), question)).toBeUndefined();
  });

  it('answers one call eight times', async () => {
    using folders = await openFolders();
    const help = folders.open();
    for (let time = 0; time < 8; time += 1) expect(await ask(help)).toBeDefined();
    expect(await ask(help)).toBeUndefined();
  });

  it('leaves other requests to whoever serves them', async () => {
    using folders = await openFolders();
    expect(folders.open().serve({ id: 1, call: 'kv.get', args: [] })).toBeUndefined();
  });
});
