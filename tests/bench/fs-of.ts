import { constants, openSync } from 'node:fs';
import type { PassageFs } from '../../plugins/search/passages/passage-fs.ts';
import { createFsInterface } from '../../src/fs/fs-interface.ts';

/** What the SDK fills in for a plugin. */
const plainWalk = {
  include: [],
  exclude: [],
  hidden: false,
  ignoreFiles: true,
  limit: 100_000,
};
const plainScan = { literal: false, caseInsensitive: false, before: 0, after: 0, limit: 1000 };
const plainTally = { window: 40, overlap: 10, limit: 400 };
const maxFileBytes = 1_000_000;

/** The files of a folder, as the search for passages sees them in a plugin process. */
export function fsOf(repo: string): PassageFs {
  const descriptor = openSync(repo, constants.O_RDONLY | constants.O_DIRECTORY);
  const files = createFsInterface({ roots: new Map([['work', descriptor]]), report: () => {} });
  return {
    readAnyText: (path, maxBytes = maxFileBytes) => files.readText(`work:${path}`, maxBytes),
    walk: (path, options) => files.walk(path, { ...plainWalk, ...options }),
    unsearched: () => files.unsearched(),
    scan: (path, options) =>
      files.scan(path, { ...plainScan, ...options, walk: { ...plainWalk, ...options.walk } }),
    tally: (path, options) =>
      files.tally(path, { ...plainTally, ...options, walk: { ...plainWalk, ...options.walk } }),
  } as PassageFs;
}
