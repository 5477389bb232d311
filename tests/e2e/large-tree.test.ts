import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import { openKernel } from '../../src/kernel.ts';
import { fsLimits } from '../../src/paths/fs-limits.ts';
import { openPlace } from '../support/place.ts';

/** Enough files for a second process to help, every third with two lines that match. */
const files = Object.fromEntries(
  Array.from({ length: 1500 }, (_, index) => [
    `d${index % 7}/file-${String(index).padStart(4, '0')}.txt`,
    index % 3 === 0 ? `a needle ${index}\nnothing\nneedle again\n` : 'nothing\n',
  ]),
);

describe('search.grep in a large tree', () => {
  it('finds the same in the same order, alone and with the help of a second process', async () => {
    using place = openPlace(files);
    await using kernel = await openKernel({ home: place.home, workspace: place.work });
    const found: unknown[] = [];
    const helps = vi.spyOn(PluginProcess.prototype, 'assist');
    onTestFinished(() => void helps.mockRestore());
    // The second process is started by the first search and helps as soon as it is ready.
    while (found.length < 2 || helps.mock.calls.length < 2) {
      const input = { pattern: 'needle', limit: 700 };
      for await (const event of kernel.run('search.grep', input)) {
        if (event.type === 'result') found.push(JSON.parse(event.content));
      }
    }
    const [first] = found as { matches: { path: string }[]; truncated: boolean }[];
    expect(first?.matches).toHaveLength(700);
    expect(first?.truncated).toBe(true);
    const matchesOf = (result: unknown) => (result as { matches: unknown }).matches;
    for (const later of found.slice(1)) expect(matchesOf(later)).toEqual(first?.matches);
  });

  it('fails over no folder that goes out of the workspace and comes back meanwhile', async () => {
    using place = openPlace(files);
    await using kernel = await openKernel({ home: place.home, workspace: place.work });
    const inFolder = Object.keys(files).filter((path) => path.startsWith('d3/')).length;
    const others = Object.keys(files).length - inFolder;
    const seen = { without: 0, within: 0 };
    const names = [join(place.work, 'd3'), join(place.dir, 'd3')];
    const mover = spawn(process.execPath, ['-e', moveForEver, ...names], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(mover.stdout, 'data');
      for (let time = 0; time < 300 && (seen.without < 5 || seen.within < 5); time += 1) {
        for await (const event of kernel.run('search.grep', { pattern: 'nothing', limit: 2000 })) {
          if (event.type === 'error') throw new Error(event.message);
          if (event.type !== 'result') continue;
          const { matches } = JSON.parse(event.content) as { matches: { path: string }[] };
          const ofFolder = matches.filter(({ path }) => path.startsWith('d3/')).length;
          expect(matches.length - ofFolder).toBe(others);
          if (ofFolder > 0) seen.within += 1;
          else seen.without += 1;
        }
      }
    } finally {
      mover.kill('SIGKILL');
    }
    expect(Math.min(seen.without, seen.within)).toBeGreaterThan(0);
  });
});

describe('file.find in a tree that it does not see whole', () => {
  it('says so beside what it found, also where that is more than it shows', async () => {
    using place = openPlace({
      ...{ 'a/one.txt': '', 'a/two.txt': '' },
      [`${'d/'.repeat(fsLimits.depth + 1)}deep.txt`]: '',
    });
    for (const limit of [1, 10]) {
      const input = JSON.stringify({ pattern: '*.txt', limit });
      const { stdout, stderr } = await place.cuervo(['run', 'file.find', input]);
      expect(stdout).toContain('are too deep');
      expect(stderr).toContain('2 files for *.txt, and not all was looked at');
      expect(stdout.includes('1 more; ask for')).toBe(limit === 1);
    }
  });
});

const moveForEver = `
  const { renameSync } = require('node:fs');
  const [here, there] = process.argv.slice(1);
  console.log('ready');
  for (;;) {
    renameSync(here, there);
    renameSync(there, here);
  }
`;
