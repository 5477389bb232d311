import { describe } from 'vitest';
import { wayOn } from '../../below/open-name.ts';
import { enterTrees } from './fs-fixture.ts';

// The same tests once more, as it is where a process may read its roots by their paths.
enterTrees();

describe.runIf(wayOn(process.platform) === 'descriptor')('entered', async () => {
  await import('./fs-interface.test.ts');
  await import('./scan-tree.test.ts');
  await import('./share-scan.test.ts');
  await import('./tally-tree.test.ts');
});
