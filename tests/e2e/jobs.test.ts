import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { openPlace } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';

const hourMs = 3_600_000;
const files = { 'README.md': '# Ferry\n\nPages are carried at night.\n' };

/** Locks count by process, and the test holds the store itself. */
const alone = { ownProcess: true };

describe('cuervo jobs', () => {
  it('list shows every job, and nothing is due in a new home', async () => {
    using place = openPlace(files);
    const { code, rows } = await place.cuervo(['jobs', 'list', '--json']);
    expect(code).toBe(0);
    expect(rows.map(({ name }) => name)).toEqual([
      'decay_scores',
      'promote_decisions',
      'flush_memory',
      'make_vectors',
      'prune_memory',
      'reindex_workspace',
      'optimize_tables',
      'vacuum_orphans',
      'prune',
      'prune_blobs',
      'snapshot_metrics',
    ]);
    for (const row of rows) expect(row.nextMs).toBeGreaterThan(Date.now());
    const { stdout } = await place.cuervo(['jobs', 'list']);
    expect(stdout).toMatch(/^prune_memory +never ran, due in 6 h/m);
  });

  it('run promotes a note, and log says why', async () => {
    using place = openPlace(files);
    await place.cuervo(['ask', '--quiet', 'remember that releases happen on Thursdays']);
    const ran = await place.cuervo(['jobs', 'run', 'promote_decisions', '--json']);
    expect(ran.rows).toMatchObject([{ outcome: 'done', summary: 'promoted 1 row' }]);
    const log = await place.cuervo(['jobs', 'log']);
    expect(log.stdout).toContain('promote_decisions  done  (asked for by name)');
    expect(log.stdout).toContain('a fact that you told');
    const again = await place.cuervo(['jobs', 'run', 'promote_decisions']);
    expect(again.stdout).toBe('nothing new to promote\n');
  });

  it('run refuses an unknown job and one that another process runs', async () => {
    using place = openPlace(files);
    const unknown = await place.cuervo(['jobs', 'run', 'tidy']);
    expect(unknown.code).toBe(4);
    expect(twoLines(unknown).error).toBe('there is no job "tidy"');
    using store = openStore({ path: `${place.home}/cuervo.db` });
    const claim = { job: 'prune', leaseMs: 60_000, nowMs: 1, why: () => 'a test' };
    store.jobs.claim({ ...claim, holder: 'other' });
    const held = await place.cuervo(['jobs', 'run', 'prune'], alone);
    expect(held.code).toBe(8);
    expect(twoLines(held).error).toBe('prune is running in another process');
    store.jobs.release('prune', 'other');
    expect((await place.cuervo(['jobs', 'run', 'prune'], alone)).code).toBe(0);
  });
});

describe('due jobs', () => {
  it('catch up behind a command that used the store, and not while they are paused', async () => {
    using place = openPlace(files);
    using store = openStore({ path: `${place.home}/cuervo.db` });
    store.jobs.records(['promote_decisions', 'prune'], Date.now() - 25 * hourMs);
    expect((await place.cuervo(['jobs', 'pause', 'prune'], alone)).code).toBe(0);
    await place.cuervo(['tools'], alone);
    expect(store.jobs.log({ limit: 9 })).toEqual([]);
    await place.cuervo(['run', 'search.grep', '{"pattern":"night"}'], alone);
    const log = store.jobs.log({ limit: 9 });
    expect(log.map(({ job, why }) => `${job}: ${why}`)).toEqual([
      'promote_decisions: every 6 h, and 25 h have passed',
    ]);
    expect((await place.cuervo(['jobs', 'resume', 'prune'], alone)).code).toBe(0);
    await place.cuervo(['run', 'search.grep', '{"pattern":"night"}'], alone);
    expect(store.jobs.log({ limit: 1 })).toMatchObject([{ job: 'prune', outcome: 'done' }]);
  });
});

describe('cuervo scheduler unit', () => {
  it('is for one of both', async () => {
    using place = openPlace();
    const both = await place.cuervo(['scheduler', 'unit', '--systemd', '--launchd']);
    expect(both).toMatchObject({ code: 2, stdout: '' });
    expect(both.stderr).toContain("'--systemd' cannot be used with option '--launchd'");
  });
});

describe('cuervo scheduler run', () => {
  it('runs what is due and ends with code 0 on Ctrl+C', async () => {
    using place = openPlace(files);
    await place.cuervo(['jobs', 'log']);
    using store = openStore({ path: `${place.home}/cuervo.db` });
    store.jobs.records(['prune'], Date.now() - 25 * hourMs);
    const ran = await place.cuervo(['scheduler', 'run', '--json'], {
      onLine: (_, child) => child.kill('SIGINT'),
    });
    expect(ran.code).toBe(0);
    expect(ran.rows).toMatchObject([{ job: 'prune', outcome: 'done' }]);
    expect(ran.stderr).toContain('ended');
  });
});
