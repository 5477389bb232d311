/**
 * The cost of one call on our side. A guest's number is cut to these limits, so that it never
 * decides an allocation.
 */
export const fsLimits = {
  /** UTF-8 bytes of a path; PATH_MAX of Linux */
  pathBytes: 4096,
  /** UTF-8 bytes of one segment; NAME_MAX of Linux */
  segmentBytes: 255,
  /** segments below a root; a walk holds one descriptor for each */
  depth: 128,
  /** links that one path may pass */
  linkHops: 16,
  /** bytes of a file that is read, hashed or searched */
  fileBytes: 50 * 1024 * 1024,
  readTextBytes: 8 * 1024 * 1024,
  /** paths of one call that takes many */
  manyPaths: 1000,
  readBytesLength: 4 * 1024 * 1024,
  listEntries: 10_000,
  /** entries that one walk returns: they take memory, here and in the guest */
  walkEntries: 100_000,
  /** entries of one directory that a walk looks at, which are all in memory at once */
  directoryEntries: 500_000,
  /** share of a call's time for its walks; the rest is for the work after them */
  walkTimeShare: 0.6,
  /** UTF-16 units of all paths that one walk returns */
  walkCharacters: 16 * 1024 * 1024,
  globs: 256,
  globCharacters: 1024,
  ignoreFileBytes: 1024 * 1024,
  patternCharacters: 4096,
  matches: 10_000,
  contextLines: 50,
  /** UTF-16 units of a line that is shown */
  lineCharacters: 2000,
  /** UTF-16 units of all lines that one scan returns */
  scanCharacters: 4 * 1024 * 1024,
  words: 64,
  wordCharacters: 64,
  windows: 5000,
  windowLines: 1000,
  tallyFileBytes: 2 * 1024 * 1024,
  /** bytes a line on average; above it a file is minified or data */
  tallyMeanLineBytes: 500,
  /** hits of all words in one file; the rest is not counted */
  tallyFileHits: 1024 * 1024,
  /** pairs of window and word that are kept until they are ranked */
  tallyPairs: 8 * 1024 * 1024,
} as const;
