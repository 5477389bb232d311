import { afterAll, describe, vi } from 'vitest';

// The same tests once more, as it is where a system reaches no name below an open directory. A file
// of tests is a module: it runs again only where modules are made anew.
vi.resetModules();
afterAll(() => void vi.resetModules());
(await import('./fs-fixture.ts')).reachTreesBy('path');

describe('by path', async () => {
  await import('./open-below.test.ts');
  await import('./fs-interface.test.ts');
  await import('./read-text.test.ts');
  await import('./visit-tree.test.ts');
  await import('./scan-tree.test.ts');
  await import('./share-scan.test.ts');
  await import('./tally-tree.test.ts');
  await import('../wasi/filesystem/create-filesystem.test.ts');
});
