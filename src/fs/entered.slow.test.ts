import { realpathSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { enterTrees, openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { wayOn } from '../paths/open-name.ts';

// The same tests once more, as it is where a process may read its roots by their paths.
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
