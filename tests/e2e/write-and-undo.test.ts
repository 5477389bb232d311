import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';
import { treeState } from '../support/tree-state.ts';

let place: Place;
beforeEach(() => {
  place = openPlace({
    'src/a.ts': 'const retries = 3;\nexport { retries };\n',
    'src/b.ts': "import { retries } from './a.ts';\nretries;\n",
    'README.md': '# Sample\n',
  });
});
afterEach(() => place[Symbol.dispose]());

const text = (path: string) => readFileSync(join(place.work, path), 'utf8');

async function run(tool: string, input: JsonObject, allow = ['--allow', 'fs-write:work']) {
  const ran = await place.cuervo(['run', tool, JSON.stringify(input), '--json', ...allow]);
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; content?: string; code?: string });
  const result = events.find(({ type }) => type === 'result');
  const error = events.find(({ type }) => type === 'error');
  return { code: ran.code, content: result?.content && JSON.parse(result.content), error };
}

const hasBubblewrap = existsSync('/usr/bin/bwrap');

describe('tools that write', () => {
  it('say of one line and one file that it is one', async () => {
    const told = async (tool: string, input: JsonObject) => {
      const args = ['run', tool, JSON.stringify(input), '--allow', 'fs-write:work'];
      return (await place.cuervo(args)).stderr;
    };
    const edit = { path: 'README.md', old: 'Sample', new: 'Example' };
    expect(await told('file.edit', edit)).toBe('README.md changed: 1 line added, 1 removed\n');
    const edits = [{ path: 'README.md', old: 'Example', new: 'A\nB' }];
    expect(await told('file.multi-edit', { edits })).toBe(
      '1 file changed, 2 lines added, 1 removed\n',
    );
  });

  // A number of a mode stops no one who is root; a mount does.
  it.skipIf(!hasBubblewrap)(
    'say that a file system is read-only, and leave no part (needs: apt-get install bubblewrap)',
    () => {
      const inputs: [string, JsonObject][] = [
        ['file.write', { path: 'new.txt', text: 'x' }],
        ['file.edit', { path: 'src/a.ts', old: '3', new: '5' }],
        ['file.move', { from: 'README.md', to: 'READ.md' }],
        ['file.delete', { path: 'README.md' }],
      ];
      const before = treeState(place.work);
      const mount = ['--dev-bind', '/', '/', '--ro-bind', place.work, place.work];
      for (const [tool, input] of inputs) {
        const args = ['run', tool, JSON.stringify(input), '--allow', 'fs-write:work'];
        const ran = spawnSync('bwrap', [...mount, process.execPath, program, ...args], {
          cwd: place.work,
          env: { PATH: process.env.PATH, CUERVO_HOME: place.home },
          encoding: 'utf8',
        });
        expect({ tool, code: ran.status }).toEqual({ tool, code: 3 });
        expect(ran.stderr).toContain('is on a read-only file system');
      }
      expect(treeState(place.work)).toEqual(before);
    },
  );

  it('change nothing without a grant', async () => {
    const denied = await run('file.write', { path: 'new.txt', text: 'x' }, []);
    expect(denied).toMatchObject({ code: 3, error: { code: 'permission-denied' } });
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
  });

  it('write, edit, insert, move and remove, and cuervo undo takes each of them back', async () => {
    const before = [text('src/a.ts'), text('src/b.ts'), text('README.md')];
    expect(await run('file.write', { path: 'notes/new.md', text: '# New\n' })).toMatchObject({
      code: 0,
      content: { path: 'notes/new.md', created: true, added: 1 },
    });
    expect(
      await run('file.edit', { path: 'src/a.ts', old: 'retries = 3', new: 'retries = 5' }),
    ).toMatchObject({ content: { added: 1, removed: 1, diff: expect.stringContaining('+const') } });
    await run('file.insert', { path: 'src/a.ts', line: 1, text: '// how often' });
    await run('file.edit-lines', { path: 'src/b.ts', start: 2, end: 2, text: 'void retries;' });
    await run('file.multi-edit', {
      edits: [
        { path: 'src/a.ts', old: 'retries', new: 'tries', all: true },
        { path: 'src/b.ts', old: 'retries', new: 'tries', all: true },
      ],
    });
    await run('file.move', { from: 'src/b.ts', to: 'lib/deep/b.ts' });
    await run('file.delete', { path: 'README.md' });
    expect(text('src/a.ts')).toBe('// how often\nconst tries = 5;\nexport { tries };\n');
    expect(text('lib/deep/b.ts')).toBe("import { tries } from './a.ts';\nvoid tries;\n");
    expect(existsSync(join(place.work, 'README.md'))).toBe(false);

    const diff = await place.cuervo(['undo', '--list', '--json']);
    const runs = diff.stdout.trim().split('\n');
    expect(runs).toHaveLength(7);
    const { run: id } = JSON.parse(runs[5] ?? '') as { run: string };
    const shown = await place.cuervo(['runs', 'diff', id]);
    expect(shown.stdout).toContain('-const retries = 3;\n+const retries = 5;');

    const undone = await place.cuervo(['undo', '--last', '7', '--yes', '--json']);
    expect(undone.code).toBe(0);
    expect([text('src/a.ts'), text('src/b.ts'), text('README.md')]).toEqual(before);
    for (const path of ['notes', 'lib']) expect(existsSync(join(place.work, path))).toBe(false);
    expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 4 });
  });

  it('edit-cell changes one cell of a notebook, and cuervo undo brings back each byte', async () => {
    const path = 'analysis.ipynb';
    writeFileSync(join(place.work, path), notebook(['import math\n', 'r = 2'], 'executed'));
    const before = text(path);
    const input = { path, cell: 'b3f1', old: 'r = 2', new: 'r = 3  # Größe' };
    const denied = await run('file.edit-cell', input, []);
    expect(denied).toMatchObject({ code: 3, error: { code: 'permission-denied' } });
    expect(text(path)).toBe(before);

    const listed = await run('file.cells', { path }, []);
    expect(listed.content).toMatchObject({
      total: 2,
      cells: [
        { number: 1, id: 'a0c2', type: 'markdown', source: '# Circles' },
        { number: 2, id: 'b3f1', type: 'code', lines: 2, outputs: 1 },
      ],
    });
    const { hash } = listed.content as { hash: string };
    expect(await run('file.edit-cell', { ...input, expectHash: hash })).toMatchObject({
      code: 0,
      content: {
        cell: { number: 2, id: 'b3f1', type: 'code' },
        added: 1,
        removed: 1,
        outputsCleared: 1,
        diff: expect.stringContaining('-r = 2\n+r = 3  # Größe'),
      },
    });
    expect(text(path)).toBe(notebook(['import math\n', 'r = 3  # Größe'], 'cleared'));
    expect(await run('file.edit-cell', { ...input, expectHash: hash })).toMatchObject({
      code: 8,
      error: { code: 'conflict' },
    });
    expect(await run('file.edit-cell', { path, cell: 3, source: 'x' })).toMatchObject({
      error: { message: expect.stringContaining('analysis.ipynb has 2 cells, and no cell 3') },
    });

    expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 0 });
    expect(text(path)).toBe(before);
  });

  it('multi-edit changes nothing when one of its edits cannot be made', async () => {
    const before = text('src/a.ts');
    const failed = await run('file.multi-edit', {
      edits: [
        { path: 'src/a.ts', old: 'retries', new: 'tries', all: true },
        { path: 'src/b.ts', old: 'absent', new: 'x' },
      ],
    });
    expect(failed).toMatchObject({
      code: 4,
      error: { message: expect.stringContaining('edit 2: old is not in src/b.ts') },
    });
    expect(text('src/a.ts')).toBe(before);
  });

  it('refuse to write over what was changed since it was read', async () => {
    const read = await run('file.read', { path: 'src/a.ts' });
    const { hash } = read.content as { hash: string };
    writeFileSync(join(place.work, 'src/a.ts'), 'by hand\n');
    for (const input of [
      { text: 'x' },
      { old: 'hand', new: 'x' },
      { start: 1, end: 1, text: 'x' },
    ]) {
      const tool = 'old' in input ? 'edit' : 'start' in input ? 'edit-lines' : 'write';
      const failed = await run(`file.${tool}`, { path: 'src/a.ts', ...input, expectHash: hash });
      expect(failed).toMatchObject({ code: 8, error: { code: 'conflict' } });
    }
    expect(text('src/a.ts')).toBe('by hand\n');
  });

  it('undo asks, and without a terminal says how to say yes', async () => {
    await run('file.write', { path: 'new.txt', text: 'x' });
    const refused = await place.cuervo(['undo']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hint: Answer on the command line'),
    });
    expect(text('new.txt')).toBe('x');
  });
});

/** As Jupyter writes it: an indentation of one, sorted keys, a line feed at the end. */
function notebook(source: string[], state: 'executed' | 'cleared'): string {
  const executed = state === 'executed';
  const output = { name: 'stdout', output_type: 'stream', text: ['12.566\n'] };
  const cells = [
    { cell_type: 'markdown', id: 'a0c2', metadata: { tags: ['é'] }, source: ['# Circles'] },
    {
      cell_type: 'code',
      execution_count: executed ? 4 : null,
      id: 'b3f1',
      metadata: { collapsed: false, jupyter: { outputs_hidden: false } },
      outputs: executed ? [output] : [],
      source,
    },
  ];
  const metadata = {
    kernelspec: { display_name: 'Python 3 (ipykernel)', language: 'python', name: 'python3' },
    language_info: { file_extension: '.py', name: 'python', version: '3.13.0' },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}
