import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../contracts/config.ts';
import { once } from '../../lib/memo.ts';
import { walkCopy, writeDryRun } from '../../programs/snapshot/copy-changes.ts';
import { openStore, type StoreWithJournal } from '../../store/open-store.ts';
import { type ApplyCommands, createApplyCommands } from './apply-commands.ts';

let dir = '';
let store: StoreWithJournal;
const clock = { nowMs: () => 1000 };

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cuervo-apply-'));
  for (const name of ['work', 'home/dry-runs/one/work'])
    mkdirSync(join(dir, name), { recursive: true });
  store = openStore({ path: join(dir, 'home/cuervo.db') });
  const [work, copied] = [join(dir, 'work'), join(dir, 'home/dry-runs/one/work')];
  for (const folder of [work, copied]) writeFileSync(join(folder, 'a.txt'), 'one\n');
  writeDryRun(join(dir, 'home/dry-runs/one'), {
    run: 'dry-1',
    workspace: work,
    takenAtMs: Date.now() - 10_000,
    original: await walkCopy('work', work),
    copy: await walkCopy('work', copied),
  });
  writeFileSync(join(copied, 'a.txt'), 'one and two\n');
});
afterEach(() => {
  store[Symbol.dispose]();
  rmSync(dir, { recursive: true, force: true });
});

let ids = 0;

type Waits = { beforeChange?: () => Promise<void>; beforeStore?: () => Promise<void> };

function commands({ beforeChange, beforeStore }: Waits = {}): ApplyCommands {
  const project = join(dir, 'work');
  return createApplyCommands({
    config: { home: join(dir, 'home'), workspace: project } as Config,
    clock,
    store: async () => {
      await beforeStore?.();
      return store;
    },
    journaled: async (command, question, change) => {
      ids += 1;
      const id = `run-${ids}`;
      const run = { id, session: undefined, command, question, project, model: 'none' };
      store.startRun({ ...run, status: 'running', startedMs: 1, finishedMs: undefined });
      await beforeChange?.();
      const value = await change(id);
      store.finishRun(id, 'ok', 2);
      return value;
    },
  });
}

const text = (): string => readFileSync(join(dir, 'work/a.txt'), 'utf8');
const kept = (): string[] => readdirSync(join(dir, 'home/dry-runs'));

describe('createApplyCommands()', () => {
  it('applies a dry run once, though two commands apply it at a time', async () => {
    const [began, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = commands({
      beforeChange: async () => {
        began.resolve();
        await go.promise;
      },
    }).apply('dry-1');
    await began.promise;
    await expect(commands().apply('dry-1')).rejects.toMatchObject({
      code: 'conflict',
      message: 'dry run dry-1 is being applied by another command',
    });
    go.resolve();
    const { appliedBy, paths } = await first;
    expect(paths).toEqual(['a.txt']);
    expect(text()).toBe('one and two\n');
    expect(kept()).toEqual([]);
    await expect(commands().apply('dry-1')).rejects.toMatchObject({
      code: 'conflict',
      message: `dry run dry-1 was applied in the meantime, by run ${appliedBy}`,
    });
    expect(store.changes.allRuns(join(dir, 'work'), 10)).toHaveLength(1);
  });

  it('says that it was applied where it goes while it is looked at', async () => {
    const applying = once(() => commands().apply('dry-1'));
    const looking = commands({ beforeStore: async () => void (await applying()) });
    const outcome = await looking.diff('dry-1').catch((thrown: unknown) => thrown);
    const { appliedBy } = await applying();
    expect(outcome).toMatchObject({
      code: 'conflict',
      message: `dry run dry-1 was applied in the meantime, by run ${appliedBy}`,
    });
  });

  it('is tried again where the one that applied it failed', async () => {
    const failing = commands({
      beforeChange: async () => {
        throw new Error('full');
      },
    });
    await expect(failing.apply('dry-1')).rejects.toThrow('full');
    expect(kept()).toEqual(['one']);
    expect(text()).toBe('one\n');
    expect(await commands().apply('dry-1')).toMatchObject({ paths: ['a.txt'] });
    expect(kept()).toEqual([]);
  });

  it.each(['', ' '])('never takes %j for the start of an id', async (run) => {
    const refused = { code: 'invalid-argument', message: 'the id of the dry run is empty' };
    for (const act of ['plan', 'diff', 'apply'] as const)
      await expect(commands()[act](run)).rejects.toMatchObject(refused);
    expect(() => commands().discard(run)).toThrow(refused.message);
    expect(kept()).toEqual(['one']);
  });
});
