import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeIndexFolder } from './mark-index.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'index-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Makes one in a process of its own, which is killed before it could remove it. */
function makeAndDie(): void {
  const module = join(import.meta.dirname, 'mark-index.ts');
  const script = `
    const { makeIndexFolder } = await import(${JSON.stringify(module)});
    const { path } = makeIndexFolder(${JSON.stringify(dir)});
    (await import('node:fs')).writeFileSync(path + '/0', 'an index');
    process.kill(process.pid, 'SIGKILL');`;
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  expect(signal).toBe('SIGKILL');
}

describe('makeIndexFolder()', () => {
  it('removes what a killed process left, at the next use', () => {
    makeAndDie();
    const [left] = readdirSync(dir);
    expect(readdirSync(join(dir, left ?? ''))).toEqual(['0']);
    using folder = makeIndexFolder(dir);
    expect(readdirSync(dir)).toHaveLength(1);
    expect(existsSync(folder.path)).toBe(true);
  });

  it('leaves alone what belongs to a process that runs, and what nobody can tell of', () => {
    using first = makeIndexFolder(dir);
    for (const name of ['index-', 'index-abc', 'index-%-abcdef', 'closed', 'index-0-0-abcdef'])
      mkdirSync(join(dir, name));
    writeFileSync(join(dir, 'empty'), '');
    const before = readdirSync(dir);
    {
      using second = makeIndexFolder(dir);
      expect(existsSync(second.path)).toBe(true);
    }
    expect(readdirSync(dir)).toEqual(before);
    expect(existsSync(first.path)).toBe(true);
  });
});
