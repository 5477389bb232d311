import { closeSync, linkSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  entersTrees,
  openTempTree,
  type TempTree,
  wholeWalk,
} from '../../tests/support/temp-tree.ts';
import { isProtectedPath } from '../contracts/protected-names.ts';
import type { ScanOptions } from './fs-types.ts';
import { createReach } from './reach-path.ts';
import {
  type AskHelp,
  createShareScanner,
  mergeResults,
  scanShare,
  scanWithHelp,
} from './share-scan.ts';

const options = (more: Partial<ScanOptions> = {}): ScanOptions => ({
  walk: wholeWalk,
  pattern: 'match',
  literal: true,
  caseInsensitive: false,
  before: 0,
  after: 0,
  limit: 5000,
  ...more,
});

/** 1,203 files, every third with two lines that match. */
const sample = Object.fromEntries(
  Array.from({ length: 1203 }, (_, index) => [
    `d${index % 7}/file-${String(index).padStart(4, '0')}.txt`,
    index % 3 === 0 ? `a match ${index}\nnothing\nmatch again\n` : 'nothing\n',
  ]),
);

function withPlace<Value>(
  tree: TempTree,
  use: (place: ReturnType<ReturnType<typeof createReach>['place']>) => Value,
): Value {
  const fd = openSync(tree.path, 'r');
  try {
    return use(createReach(new Map([['work', fd]]), isProtectedPath, entersTrees).place('work:'));
  } finally {
    closeSync(fd);
  }
}

describe('scanWithHelp()', () => {
  let whole: TempTree;
  beforeAll(() => {
    whole = openTempTree(sample);
  });
  afterAll(() => whole[Symbol.dispose]());

  const cases: [string, Partial<ScanOptions>][] = [
    ['all of it', {}],
    ['the first of many', { limit: 401 }],
    ['as many as there are', { limit: 802 }],
    ['context around', { before: 1, after: 1 }],
    ['nothing', { pattern: 'absent' }],
  ];
  it.each(cases)('finds with a sibling what it finds alone: %s', (_, more) => {
    const asked = options(more);
    withPlace(whole, (place) => {
      let helped = 0;
      const help: AskHelp = (share) => {
        helped += 1;
        const part = scanShare(place, asked, share);
        return () => part;
      };
      const alone = scanWithHelp(place, asked);
      const shared = scanWithHelp(place, asked, help);
      expect(shared.matches).toEqual(alone.matches);
      expect(shared.truncated).toBe(alone.truncated);
      expect(helped).toBe(1);
    });
  });

  it('gives no more with a sibling than a scan may find', () => {
    const lines = 'match\n'.repeat(15);
    using tree = openTempTree(Object.fromEntries(Object.keys(sample).map((path) => [path, lines])));
    withPlace(tree, (place) => {
      const asked = options({ limit: 1_000_000 });
      const alone = scanWithHelp(place, asked);
      const shared = scanWithHelp(place, asked, (share) => () => scanShare(place, asked, share));
      expect(alone.matches).toHaveLength(10_000);
      expect(shared.matches).toEqual(alone.matches);
      expect(shared.truncated).toBe(true);
    });
  });

  it('looks into each file once when others come and go between the two walks', () => {
    using tree = openTempTree(sample);
    withPlace(tree, (place) => {
      const alone = scanWithHelp(place, options());
      const help: AskHelp = (share) => {
        tree.write({ 'a-new/one.txt': 'match\n', 'd1/aaa.txt': 'nothing\n', 'd6/zzz.txt': '' });
        rmSync(join(tree.path, 'd0/file-0007.txt'));
        const part = scanShare(place, options(), share);
        return () => part;
      };
      const shared = scanWithHelp(place, options(), help);
      expect(shared.matches).toEqual(alone.matches);
    });
  });

  it('looks into each file once when a folder becomes one of many between the two walks', () => {
    using tree = openTempTree(sample);
    const numbered = (index: number) => `z/file-${index}.txt`;
    for (let index = 0; index < 300; index += 1) tree.write({ [numbered(index)]: 'match\n' });
    tree.write({ 'nothing.txt': '' });
    withPlace(tree, (place) => {
      const alone = scanWithHelp(place, options());
      const help: AskHelp = (share) => {
        const part = scanShare(place, options(), share);
        for (let index = 300; index < 4300; index += 1) {
          linkSync(join(tree.path, 'nothing.txt'), join(tree.path, numbered(index)));
        }
        return () => part;
      };
      expect(scanWithHelp(place, options(), help).matches).toEqual(alone.matches);
    });
  });

  it('stays behind the link that a search starts from when that leads elsewhere meanwhile', () => {
    const moved = (to: string) =>
      Object.fromEntries(Object.entries(sample).map(([path, text]) => [`${to}/${path}`, text]));
    using tree = openTempTree({ ...moved('one'), ...moved('two') });
    const link = join(tree.path, 'link');
    symlinkSync('one', link);
    const { roots } = tree;
    const shareOf = createShareScanner({ roots, isProtected: isProtectedPath });
    const help: AskHelp = (share) => {
      rmSync(link);
      symlinkSync('two', link);
      const part = shareOf('work:link', options(), share);
      return () => part ?? undefined;
    };
    const place = createReach(roots, isProtectedPath, entersTrees).place('work:link');
    const alone = scanWithHelp(place, options());
    expect(alone.filesScanned).toBe(1203);
    expect(scanWithHelp(place, options(), help)).toEqual(alone);
  });

  it('does the share itself when the sibling was lost', () => {
    withPlace(whole, (place) => {
      const lost = scanWithHelp(place, options(), () => () => undefined);
      expect(lost.matches).toEqual(scanWithHelp(place, options()).matches);
      expect(lost.filesScanned).toBe(1203);
    });
  });

  it('does not ask for a small tree', () => {
    using tree = openTempTree({ 'a.txt': 'match\n' });
    withPlace(tree, (place) => {
      const help: AskHelp = () => expect.unreachable('asked for help');
      expect(scanWithHelp(place, options(), help).matches).toHaveLength(1);
    });
  });
});

describe('mergeResults()', () => {
  it('says that something was cut when a part was', () => {
    const part = { matches: [], filesScanned: 1, bytesScanned: 2, truncated: false };
    expect(mergeResults([part, part], 10)).toEqual({
      matches: [],
      filesScanned: 2,
      bytesScanned: 4,
      truncated: false,
    });
    expect(mergeResults([part, { ...part, truncated: true }], 10).truncated).toBe(true);
  });
});
