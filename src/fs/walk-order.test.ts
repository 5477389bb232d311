import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../tests/support/runs.ts';
import { openTempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { compareInWalk } from './walk-order.ts';

const name = fc.string({
  unit: fc.constantFrom('a', 'b', 'B', '.', '-', ' ', '~', 'é', '\uffee', '😀'),
  minLength: 1,
  maxLength: 3,
});

describe('compareInWalk()', () => {
  it('orders paths as a walk comes by them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { maxLength: 12 }),
        (all) => {
          using tree = openTempTree();
          for (const path of all) make(tree.path, path);
          const walked = tree.fs
            .walk('work:', { ...wholeWalk, hidden: true, ignoreFiles: false })
            .map((entry) => entry.path.slice('work:'.length));
          expect(walked.toSorted(compareInWalk)).toEqual(walked);
          expect(walked.toReversed().toSorted(compareInWalk)).toEqual(walked);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

/** A path is missing where a file stands in the way of a folder, or a name leads elsewhere. */
function make(root: string, path: readonly string[]): void {
  if (path.some((part) => part === '.' || part === '..')) return;
  const file = join(root, ...path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  } catch {
    rmSync(file, { force: true, recursive: true });
  }
}
