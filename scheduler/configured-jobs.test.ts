import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKernel } from '../src/index.ts';
import { allJobs } from './all-jobs.ts';
import { configuredJobs } from './configured-jobs.ts';
import { hourMs } from './job.ts';

const home = mkdtempSync(join(tmpdir(), 'cuervo-jobs-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function periods(config: string): Promise<Record<string, number>> {
  writeFileSync(join(home, 'config.toml'), config);
  await using kernel = await openKernel({ home, workspace: home });
  return Object.fromEntries(
    configuredJobs(kernel).map(({ name, everyMs }) => [name, everyMs / hourMs]),
  );
}

describe('configuredJobs()', () => {
  it('takes periods from config.toml, and else those of the jobs', async () => {
    const own = Object.fromEntries(allJobs.map(({ name, everyMs }) => [name, everyMs / hourMs]));
    expect(await periods('')).toEqual(own);
    expect(await periods('[jobs.prune_memory]\nevery-minutes = 720\n')).toEqual({
      ...own,
      prune_memory: 12,
    });
  });

  it('refuses a name that is not a job, with those that are', async () => {
    await expect(periods('[jobs.tidy]\nevery-minutes = 5\n')).rejects.toMatchObject({
      code: 'invalid-argument',
      message: `${home}/config.toml: there is no job "tidy"`,
      hint: expect.stringContaining('prune_memory'),
    });
  });

  it.each(['every-minutes = 0', 'every-minutes = 525601', 'every-hours = 1'])(
    'refuses %s',
    async (line) => {
      await expect(periods(`[jobs.prune]\n${line}\n`)).rejects.toThrow('jobs.prune.every-');
    },
  );
});
