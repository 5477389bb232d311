import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openKernel } from '../src/index.ts';
import { createVirtualTime } from '../tests/fixtures/virtual-time.ts';
import { allJobs } from './all-jobs.ts';
import { hourMs } from './job.ts';
import { runDueJobs } from './run-due-jobs.ts';
import { defaultLeaseMs } from './run-job.ts';

const startMs = Date.UTC(2026, 0, 1);
const dayMs = 24 * hourMs;
const months = 36;
const turnsOfMonth = 56;
const turnRows = 1_500;
const signal = new AbortController().signal;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Told once, each in a month of its own, in words of its own. */
const facts = [
  'releases happen on Thursdays',
  'the staging server runs on port 8080',
  'the wiki lives at docs.example.org',
  'the on-call lead is Maria',
  'backups run at midnight',
  'the invoice limit is 500 euros',
  'we decided to use Postgres for the queue',
  'I prefer tabs for indentation',
  'the fax number of the notary is 4711',
  'the heron logo belongs to the design team',
  'certificates expire every 90 days',
  'the daily standup is at 9:30',
  'the backend speaks gRPC with the gateway',
  'customers in Norway pay without tax',
  'the plotter needs the blue cartridge',
  'the archive key hangs in room 12',
  'night builds use the arm runner',
  'the parser is named Osprey',
  'the tenant of floor two is a bakery',
  'payroll closes on the 25th',
];
/** Facts that are corrected in the second year: their number, and the words. */
const corrections: readonly (readonly [number, string])[] = [
  [0, 'releases moved to Fridays, remember that'],
  [1, 'remember that the staging server runs on port 9090'],
  [3, 'the on-call lead is now Jonas, remember that'],
];

describe('memory over three years', () => {
  it('loses no fact that was told once among 2,000 turns, and finds each by its own words', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuervo-years-'));
    folders.push(folder);
    const [home, workspace] = [join(folder, 'home'), join(folder, 'work')];
    mkdirSync(workspace);
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(join(home, 'config.toml'), `[memory]\nturn-rows = ${turnRows}\n`, {
      mode: 0o600,
    });
    const time = createVirtualTime(startMs);
    let isCorrecting = false;
    const askYesNo = async () => isCorrecting;
    await using kernel = await openKernel({ home, workspace, clock: time.clock, askYesNo });
    const jobs = { kernel, timing: time.timing, signal, stuck: new Set<string>() };
    const memory = await kernel.memory();
    const tell = async (words: string): Promise<string> => {
      let answer = '';
      for await (const event of kernel.ask(words, { signal })) {
        if (event.type === 'answer') answer = event.text;
      }
      return answer;
    };
    const table: string[] = [];
    let replaced = 0;
    for (let month = 0; month < months; month += 1) {
      await time.pass(startMs + month * 30 * dayMs - time.clock.nowMs());
      const turns = Array.from({ length: turnsOfMonth }, (_, at) => {
        const number = month * turnsOfMonth + at;
        const text = `where is the file ${number} of ${facts[number % facts.length]?.split(' ')[1]}`;
        const ts = time.clock.nowMs() + at;
        const base = { layer: 'interact' as const, kind: 'question', tags: [], session: 's' };
        return { ...base, text, context: text, project: workspace, ts };
      });
      await memory.remember(turns, { signal });
      const fact = facts[month];
      if (fact !== undefined) {
        const starts = /^(we decided|I prefer)/.test(fact) ? fact : `remember that ${fact}`;
        expect(await tell(starts)).toContain(fact);
      }
      for (const [at, words] of month === 22 ? corrections : []) {
        isCorrecting = true;
        expect(await tell(words)).toContain(`replaces: "${facts[at]}"`);
        isCorrecting = false;
        replaced += 1;
      }
      const did = { promoted: 0, pruned: 0 };
      for (const passedMs of [7 * hourMs, 9 * dayMs, 20 * dayMs]) {
        await time.pass(startMs + month * 30 * dayMs + passedMs - time.clock.nowMs());
        const { runs } = await runDueJobs(allJobs, { ...jobs, leaseMs: defaultLeaseMs });
        for (const { job, summary } of runs) {
          if (job === 'promote_decisions') did.promoted += countIn(summary, /promoted (\d+)/);
          if (job === 'prune_memory') did.pruned += countIn(summary, /removed (\d+)/);
        }
      }
      const { interact, insights, assets } = await memory.count({}, { signal });
      table.push(
        `month ${month + 1}: promoted ${did.promoted}, replaced ${replaced}, pruned ${did.pruned}, rows ${interact} + ${insights} + ${assets}`,
      );
    }
    // promoted as they come, and turns go only beyond the number that stays
    expect(table[0]).toBe('month 1: promoted 1, replaced 0, pruned 0, rows 56 + 1 + 0');
    expect(table[22]).toBe('month 23: promoted 3, replaced 3, pruned 0, rows 1288 + 23 + 0');
    expect(table.at(-1)).toBe(
      `month 36: promoted 0, replaced 3, pruned ${turnsOfMonth}, rows ${turnRows} + 23 + 0`,
    );
    const newer = new Map(corrections.map(([at, words]) => [facts[at], words]));
    const kinds = ['fact', 'decision', 'preference'];
    expect(await memory.list({ kinds }, { signal, limit: 99 })).toHaveLength(23);
    for (const fact of facts) {
      const [first] = await memory.search(
        { text: fact, limit: 5, projects: [workspace, ''] },
        { signal },
      );
      const words = newer.get(fact);
      if (words === undefined) expect(first?.text).toBe(fact);
      else {
        expect(words).toContain(first?.text);
        expect(first?.replaced?.map(({ text }) => text)).toEqual([fact]);
      }
    }
  }, 600_000);
});

function countIn(summary: string, pattern: RegExp): number {
  return Number(pattern.exec(summary)?.[1] ?? 0);
}
