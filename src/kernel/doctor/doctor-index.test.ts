import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexFolder } from '../../finder/watch-files.ts';
import { tryLock } from '../../lib/sqlite/database-file.ts';
import { checkIndex } from './doctor-recall.ts';

it('checkIndex() says whether searches go by an index, and who keeps it up', async () => {
  using stack = new DisposableStack();
  const home = mkdtempSync(join(tmpdir(), 'doctor-index-'));
  stack.defer(() => rmSync(home, { recursive: true }));
  const config = { home, workspace: '/shop' };
  const finding = async (): Promise<string> => (await checkIndex(config)).finding;
  expect(await finding()).toBe('there is none of /shop: searches read every file');
  const folder = indexFolder(home, '/shop');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'files.db'), '');
  expect(await finding()).toContain('look for changes before each answer');
  const lock = tryLock(join(folder, 'watched.lock'));
  expect(await finding()).toBe('a process keeps that of /shop up with the files');
  lock?.[Symbol.dispose]();
  expect(await finding()).toContain('look for changes before each answer');
});
