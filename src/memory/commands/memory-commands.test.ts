import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKernel } from '../../kernel.ts';

const options = { signal: new AbortController().signal };
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-memory-commands-'));
  mkdirSync(join(dir, 'work/docs'), { recursive: true });
  writeFileSync(join(dir, 'work/docs/bird.md'), '# Heron\n\nIt stands.\n');
  writeFileSync(join(dir, 'work/docs/empty.md'), '');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const open = () =>
  openKernel({ home: join(dir, 'home'), workspace: join(dir, 'work'), model: 'none' });

describe('memory that forgets sources', () => {
  it.each([
    ['an age', { beforeMs: 1 }],
    ['a run', { run: 'none' }],
    ['a layer', { layer: 'interact' as const }],
    ['an id', { ids: ['00'] }],
  ])('reads a file again when %s left part of it', async (_, narrowed) => {
    await using kernel = await open();
    const { memoryCommands, index } = kernel;
    await index.update(options);
    const sources = await memoryCommands.sourcesOf('docs', options);
    const gone = await memoryCommands.forget({ sources, ...narrowed }, options);
    expect(gone).toEqual({ interact: 0, insights: 0, assets: 0 });
    writeFileSync(join(dir, 'work/docs/bird.md'), '# Stork\n\nIt flies south.\n');
    expect(await index.update(options)).toMatchObject({ added: 1, unchanged: 1, forgotten: 0 });
    const memory = await kernel.memory();
    const rows = await memory.list({ layer: 'assets' }, { ...options, limit: 9 });
    expect(rows.map(({ record }) => record.text)).toEqual([expect.stringContaining('Stork')]);
  });

  it.each([
    ['is named alone', {}, 2],
    ['has no piece left', { layer: 'assets' as const }, 1],
  ])('leaves a file out that %s', async (_, narrowed, forgotten) => {
    await using kernel = await open();
    const { memoryCommands, index } = kernel;
    await index.update(options);
    const sources = await memoryCommands.sourcesOf('docs', options);
    const gone = await memoryCommands.forget({ sources, ...narrowed }, options);
    expect(gone).toEqual({ interact: 0, insights: 0, assets: 1 });
    expect(await index.update(options)).toMatchObject({ added: 0, forgotten });
  });
});
