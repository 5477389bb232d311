import { describe } from 'vitest';
import { reachTreesBy } from '../../tests/support/temp-tree.ts';

// The same tests once more, as it is where a system reaches no name below an open directory.
reachTreesBy('path');

describe('by path', async () => {
  await import('./open-below.test.ts');
  await import('./fs-interface.test.ts');
  await import('./read-content.test.ts');
  await import('./visit-tree.test.ts');
  await import('./scan-tree.test.ts');
  await import('./share-scan.test.ts');
  await import('./tally-tree.test.ts');
  await import('../wasi/filesystem/create-filesystem.test.ts');
});
