import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Kernel, openKernel } from '../src/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { createVirtualTime, type VirtualTime } from '../tests/fixtures/virtual-time.ts';
import { runs } from '../tests/support/runs.ts';
import { allJobs } from './all-jobs.ts';
import { hourMs } from './job.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { defaultLeaseMs } from './run-job.ts';

const startMs = Date.UTC(2026, 0, 1);
const dayMs = 24 * hourMs;
const signal = new AbortController().signal;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Bed = AsyncDisposable & {
  time: VirtualTime;
  kernel: Kernel;
  say(text: string, over?: { kind?: string; tags?: string[] }): Promise<void>;
  /** @returns `JOB: SUMMARY`, without those that found nothing to do */
  tick(): Promise<string[]>;
  rows(): Promise<{ interact: number; insights: number }>;
};

async function openBed(): Promise<Bed> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-jobs-'));
  folders.push(folder);
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(workspace);
  const time = createVirtualTime(startMs);
  const kernel = await openKernel({ home, workspace, clock: time.clock });
  const stuck = new Set<string>();
  const ports = { kernel, timing: time.timing, signal, stuck, leaseMs: defaultLeaseMs };
  return {
    time,
    kernel,
    say: async (text, { kind = 'answer', tags = [] } = {}) => {
      const memory = await kernel.memory();
      const ts = time.clock.nowMs();
      const record = { layer: 'interact' as const, text, context: text, kind, tags, ts };
      await memory.remember([{ ...record, project: workspace, session: 's', run: 'r' }], {
        signal,
      });
    },
    tick: async () => {
      const { runs } = await runDueJobs(allJobs, ports);
      return runs
        .map(({ job, summary }) => `${job}: ${summary}`)
        .filter(
          (line) =>
            !/nothing new|no layer holds|no table has|removed 0 (?:runs|files|marks of sources and 0)|updated 0 scores, dropped 0|^snapshot_metrics/.test(
              line,
            ),
        );
    },
    rows: async () => {
      const memory = await kernel.memory();
      const { interact, insights } = await memory.count({}, { signal });
      return { interact, insights };
    },
    [Symbol.asyncDispose]: () => kernel[Symbol.asyncDispose](),
  };
}

describe('allJobs', () => {
  it('keep what was told, move it up with a reason, and let no turn go for its age', async () => {
    await using bed = await openBed();
    await bed.tick();
    await bed.say('the port is 8080');
    await bed.say('we take Postgres and not MySQL', { kind: 'decision' });
    await bed.say('releases happen on Thursdays', { kind: 'fact' });
    const days: [number, string[], Awaited<ReturnType<Bed['rows']>>][] = [];
    for (const day of [0.25, 0.5, 1.25, 60, 91, 365, 3 * 365]) {
      await bed.time.pass(startMs + day * dayMs - bed.time.clock.nowMs());
      days.push([day, await bed.tick(), await bed.rows()]);
    }
    const [first, ...others] = days;
    expect(first).toEqual([
      0.25,
      ['promote_decisions: promoted 2 rows'],
      { interact: 1, insights: 2 },
    ]);
    for (const [day, did, rows] of others) {
      expect([day, did, rows]).toEqual([day, [], { interact: 1, insights: 2 }]);
    }
    const [run] = (await bed.kernel.jobs.book())
      .log({ job: 'promote_decisions', limit: 9 })
      .slice(-1);
    expect(run?.details.map((line) => line.slice(14)).sort()).toEqual([
      'a decision that you told',
      'a fact that you told',
    ]);
  }, 60_000);

  it('move pending rows over from eight on', async () => {
    await using bed = await openBed();
    await bed.tick();
    for (let turn = 0; turn < 7; turn += 1) await bed.say(`turn ${turn}`);
    await bed.time.pass(hourMs);
    expect(await bed.tick()).toEqual([]);
    await bed.say('turn 7');
    expect(await bed.tick()).toEqual(['flush_memory: moved 8 rows, 0 wait']);
    expect(await bed.kernel.jobs.pendingRows()).toBe(0);
  });

  it('copy what answers draw on, and let its use wear off: a year as a table', async () => {
    await using bed = await openBed();
    using store = openStore({ path: join(bed.kernel.config.home, 'cuervo.db') });
    await bed.tick();
    const months = runs(12);
    const table: string[] = [];
    for (let month = 1; month <= months; month += 1) {
      const monthMs = startMs + month * 30 * dayMs;
      await bed.time.pass(monthMs - bed.time.clock.nowMs());
      await bed.tick();
      await bed.say(`we keep the queue of month ${month} in Postgres`, { tags: ['decision'] });
      await bed.say(`the cache of month ${month} holds 40 entries`);
      await bed.say(`the log of month ${month} is long`);
      const memory = await bed.kernel.memory();
      const rows = await memory.list({ layer: 'interact' }, { signal, limit: 99 });
      const useOf = (word: string, times: number): void => {
        const row = rows.find(({ record }) => record.text.includes(`${word} of month ${month}`));
        const used = { id: row?.id ?? '', layer: 'interact' as const };
        for (let time = 0; time < times; time += 1) {
          store.memoryUses.count([used], bed.time.clock.nowMs());
        }
      };
      useOf('cache', 3);
      useOf('log', 2);
      const did: string[] = [];
      for (const passedMs of [7 * hourMs, 25 * hourMs, 9 * dayMs, 20 * dayMs]) {
        await bed.time.pass(monthMs + passedMs - bed.time.clock.nowMs());
        did.push(...(await bed.tick()));
      }
      const { interact, insights } = await bed.rows();
      table.push([month, interact, insights, ...did.map(shortly)].join(' | '));
    }
    // month | interact | insights | what was done, in order; turns stay whole
    const done = 'promote 2 | decay 2, 0 worn | decay 2, 0 worn | decay 0, 2 worn';
    expect(table).toEqual(
      Array.from(
        { length: months },
        (_, at) => `${at + 1} | ${3 * at + 3} | ${2 * at + 2} | ${done}`,
      ),
    );
    const promoted = (await bed.kernel.jobs.book())
      .log({ job: 'promote_decisions', limit: 1_000 })
      .flatMap(({ details }) => details.map((line) => line.slice(14)));
    expect(promoted).toHaveLength(2 * months);
    expect(promoted.slice(-2).sort()).toEqual(['tagged decision', 'used in 3 answers']);
  }, 120_000);

  it('take away what belongs to nothing, and note sizes where others can read them', async () => {
    await using bed = await openBed();
    using store = openStore({ path: join(bed.kernel.config.home, 'cuervo.db') });
    await bed.tick();
    const { workspace, home } = bed.kernel.config;
    const source = { project: workspace, hash: 'x', bytes: 500, changedMs: 1 };
    store.memorySources.put([
      { ...source, source: 'lost.md' },
      { ...source, source: 'forgotten.md', forgottenMs: 1 },
      { ...source, source: 'picture.png', hash: 'no text' },
    ]);
    store.memoryUses.count([{ id: 'f'.repeat(64), layer: 'insights' }], startMs);
    await bed.time.pass(dayMs);
    expect(await bed.tick()).toContain(
      'vacuum_orphans: removed 1 marks of sources and 1 counts of use',
    );
    expect(store.memorySources.all(workspace).map(({ source: name }) => name)).toEqual([
      'forgotten.md',
      'picture.png',
    ]);
    expect(store.memoryUses.all()).toEqual([]);
    const metrics = JSON.parse(readFileSync(join(home, 'metrics.json'), 'utf8')) as object;
    expect(metrics).toMatchObject({
      ts: startMs + dayMs,
      memory: { interact: 0, insights: 0, assets: 0, pending: 0 },
      runs: { done: 0, failed: 0 },
      failingJobs: [],
    });
    expect(store.metrics.latest(1)).toEqual([metrics]);
  });

  it('bring an index up to the files, and leave alone what nobody indexed or had forgotten', async () => {
    await using bed = await openBed();
    const { workspace } = bed.kernel.config;
    const write = (name: string, text: string) => writeFileSync(join(workspace, name), text);
    write('a.md', '# Heron\n\nstands in shallow water, for hours, without a move\n');
    await bed.tick();
    await bed.time.pass(hourMs);
    expect(await bed.tick()).toEqual([]);

    await bed.kernel.index.update({ signal });
    await bed.kernel.memoryCommands.forget({ source: 'a.md' }, { signal });
    write('a.md', '# Heron\n\nhas moved\n');
    write('b.md', '# Stork\n\nnests on the roof of the town hall, every year again\n');
    await bed.time.pass(hourMs);
    expect(await bed.tick()).toEqual(['reindex_workspace: checked 1 of 1 workspaces']);
    const memory = await bed.kernel.memory();
    const rows = await memory.list({ layer: 'assets' }, { signal, limit: 9 });
    expect(rows.map(({ record }) => record.source)).toEqual(['b.md']);
    const [run] = (await bed.kernel.jobs.book()).log({ job: 'reindex_workspace', limit: 1 });
    expect(run?.why).toMatch(/^1 index; every 30 min/);
    expect(run?.details[0]).toContain('read 1 files, wrote 1 pieces, removed 0');
  });
});

/** What a job told, as a cell of the table. */
function shortly(line: string): string {
  const promoted = /promoted (\d+) row/.exec(line);
  if (promoted !== null) return `promote ${promoted[1]}`;
  const decayed = /updated (\d+) scores, dropped (\d+) that were worn/.exec(line);
  if (decayed !== null) return `decay ${decayed[1]}, ${decayed[2]} worn`;
  const vacuumed = /removed 0 marks of sources and (\d+) counts/.exec(line);
  if (vacuumed !== null) return `vacuum ${vacuumed[1]} uses`;
  return line.replace(/^prune_memory: removed/, 'prune');
}
