import { realpathSync } from 'node:fs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { wayOn } from '../../paths/open-name.ts';

// The same tests once more, as it is where a process may read its roots by their paths. A file of
// tests is a module: it runs again only where modules are made anew.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { enterTrees, openTempTree, wholeWalk } = await import('./fs-fixture.ts');
enterTrees();

describe.runIf(wayOn(process.platform) === 'descriptor')('entered', async () => {
  it.each(['scan', 'tally'] as const)('goes back to the root behind a %s', (what) => {
    using tree = openTempTree({ 'a/file.txt': 'needle\n' });
    const walk = wholeWalk;
    const around = { literal: true, caseInsensitive: false, before: 0, after: 0 };
    if (what === 'scan') tree.fs.scan('work:', { walk, pattern: 'needle', ...around, limit: 1 });
    else tree.fs.tally('work:', { walk, words: ['needle'], window: 2, overlap: 1, limit: 1 });
    expect(process.cwd()).toBe(realpathSync(tree.path));
  });

  await import('./fs-interface.test.ts');
  await import('./scan-tree.test.ts');
  await import('./share-scan.test.ts');
  await import('./tally-tree.test.ts');
});
