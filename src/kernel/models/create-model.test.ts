import { on } from 'node:events';
import { type FSWatcher, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallGguf } from '../../../tests/fixtures/small-gguf.ts';
import { unconfined as confine } from '../../../tests/support/unconfined.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { StoreWithJournal } from '../../store/open-store.ts';
import { createRunsUnderWay } from '../runs-under-way.ts';
import { createModel } from './create-model.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-create-model-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Says its id and reads on: a model that is never loaded. */
const endless = `
  import { renameSync, writeFileSync } from 'node:fs';
  const path = FOLDER + '/pid';
  writeFileSync(path + '.part', String(process.pid));
  renameSync(path + '.part', path);
  process.stdin.resume();
  setInterval(() => {}, 1e6);
`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves with what a file of the folder holds, once it is there. */
async function appeared(name: string, watcher: FSWatcher): Promise<string> {
  for await (const [, changed] of on(watcher, 'change')) {
    if (changed === name) break;
  }
  return readFileSync(join(folder, name), 'utf8');
}

describe('a model that is opened while its kernel is closed', () => {
  it('is given up as canceled, and its process is gone before the closing ends', async () => {
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(
      join(folder, 'llama-child.js'),
      endless.replace('FOLDER', JSON.stringify(folder)),
    );
    const path = join(folder, 'm.gguf');
    writeFileSync(path, smallGguf());
    const base = loadConfig({ home: folder }, {});
    const config = {
      ...base,
      model: path,
      modelFrom: 'command line' as const,
      paths: { ...base.paths, dist: folder },
    };
    const runs = createRunsUnderWay();
    await using opened = new AsyncDisposableStack();
    const none = { has: () => false, unlock: async () => {}, find: () => undefined };
    const settings = { getSetting: () => undefined, setSetting: () => {} };
    const core = {
      config,
      options: {},
      hasStore: () => false,
      warn: () => {},
      noteRequest: async () => {},
      runs,
      sandbox: { confine } as Parameters<typeof createModel>[0]['sandbox'],
      own: <Part extends Disposable | AsyncDisposable>(part: Part) => opened.use(part),
      store: async () => settings as unknown as StoreWithJournal,
    };
    const model = createModel(core, none);
    const watcher = watch(folder);
    opened.defer(() => watcher.close());
    const opening = expect(model.open()).rejects.toMatchObject({ code: 'canceled' });
    const pid = Number(await appeared('pid', watcher));
    expect(isRunning(pid)).toBe(true);
    await runs.close();
    expect(isRunning(pid)).toBe(false);
    await opening;
  });
});
