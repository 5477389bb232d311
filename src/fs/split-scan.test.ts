import { mkdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTempTree, type TempTree, wholeWalk } from '../../tests/support/temp-tree.ts';
import { isProtectedPath } from '../contracts/protected-names.ts';
import { createReach } from './reach-path.ts';
import { createSide, type ScanShare, type SideOfShare } from './scan-tree.ts';
import { compareInWalk, type ListedFolder, visitTree } from './visit-tree.ts';

/** The files of one side, and the folders that it did not list. */
function look(tree: TempTree, share: ScanShare, side: SideOfShare) {
  const place = createReach(tree.roots, isProtectedPath).place('work:');
  const { looksInto, takes } = createSide(place, share, side);
  const files: string[] = [];
  const left: string[] = [];
  visitTree({
    ...place,
    options: wholeWalk,
    looksInto: (folder) => {
      if (looksInto(folder)) return true;
      left.push(folder.path);
      return false;
    },
    visit: (folder: ListedFolder, _, path, kind) => {
      if (kind === 'file' && takes(folder, path)) files.push(path);
      return true;
    },
  });
  return { files, left };
}

const sample = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [
    `part-${index % 5}/group-${index % 40}/file-${index}.txt`,
    '',
  ]),
);
const paths = Object.keys(sample).sort(compareInWalk);

/** File systems that are not read here count no folders: then both sides list all. */
const countsFolders = [0xef53, 0x58465342, 0x01021994].includes(
  statfsSync(import.meta.dirname).type,
);

describe('createSide()', () => {
  it.each([0, 57, 200, 399])(
    'gives each file behind file %i to one side, and none before it to the helper',
    (at) => {
      using tree = openTempTree({ ...sample, 'part-1/beside.txt': '', 'part-1/group-0.txt': '' });
      const whole = [...paths, 'part-1/beside.txt', 'part-1/group-0.txt'].sort(compareInWalk);
      const share = { after: paths[at] as string, start: '' };
      const past = whole.indexOf(share.after) + 1;
      const helping = look(tree, share, 'helping').files;
      // The asker has looked into all other files before it has a side.
      const asking = look(tree, share, 'asking').files.filter(
        (path) => whole.indexOf(path) >= past,
      );
      expect([...asking, ...helping].sort(compareInWalk)).toEqual(whole.slice(past));
    },
  );

  it('gives each side about half of many folders', () => {
    using tree = openTempTree(sample);
    const { length } = look(tree, { after: paths[0] as string, start: '' }, 'helping').files;
    expect(length).toBeGreaterThan(0.3 * paths.length);
    expect(length).toBeLessThan(0.7 * paths.length);
  });

  it('splits one folder of many files as well', () => {
    const many = Array.from({ length: 4000 }, (_, index) => `${'long-'.repeat(8)}${index}.txt`);
    using tree = openTempTree(Object.fromEntries(many.map((name) => [name, ''])));
    const { length } = look(tree, { after: '', start: '' }, 'helping').files;
    expect(length).toBeGreaterThan(1800);
    expect(length).toBeLessThan(2200);
  });

  it.runIf(countsFolders)('lists no folder in which there is nothing for it', () => {
    using tree = openTempTree(sample);
    const share = { after: 'part-1/group-1/zzz', start: '' };
    mkdirSync(join(tree.path, 'part-3/group-3/inner'));
    const [asking, helping] = (['asking', 'helping'] as const).map(
      (side) => look(tree, share, side).left,
    );
    const groups = [...new Set(paths.map((path) => dirname(path)))];
    for (const group of groups.filter((path) => compareInWalk(path, share.after) > 0)) {
      const leftBy = [asking, helping].filter((left) => left?.includes(group));
      expect(leftBy, group).toHaveLength(group === 'part-3/group-3' ? 0 : 1);
    }
    // Nor does the helper what is before its share, but for the way there.
    expect(helping).toContain('part-0');
    expect(helping).not.toContain('part-1');
  });
});
