/**
 * Every weight of the ranking. Those of `order` are fitted, see tests/bench/questions/README.md;
 * the others were chosen by hand on questions that the published figure leaves out, and
 * on some 240 others about libraries in Python, Go, JavaScript and C++. All are flat around
 * these values: half or double moves a figure by a question or two. What was tried and left
 * out, because it lowered the figures: a bonus for short stretches, for the share of the
 * question that is covered, words fed back from the best passages, flatter or capped idf.
 */
export const tuning = {
  /** lines of a window that is scored, and how many the next one repeats */
  windowLines: 40,
  windowOverlap: 10,
  /** windows that the tally gives back */
  windows: 2000,
  /** those of them with the rarest words, by which files are ordered once more */
  rareWindows: 400,
  /** BM25: how soon a repeated word stops to count, and how much a long window is held back */
  k1: 1.2,
  b: 0.9,
  /** what an alias, or a word that only begins alike, counts beside the word itself */
  alias: 0.4,
  /** how much more where the word itself stands in fewer windows than so many */
  absentBelow: 2,
  aliasOfAbsent: 1.6,
  /** what a word counts that asks about code and rarely stands in it */
  asking: 0.3,
  /** occurrences that one in a defined name stands for, besides itself */
  definition: 2,
  /** what a word in a comment counts more */
  comment: 0.3,
  /** what a word in an import counts */
  imported: 0.3,
  /** what a word counts in the tests of a file that has its own */
  inTests: 0.4,
  /** what two words next to each other in the question add on a common line, of the lesser idf */
  pair: 0.45,
  /** what the next best three windows of a file add; windows it is too short for count half its best */
  nextWindows: 0.3,
  absentWindow: 0.5,
  /** what the file as one text adds; one of so many windows is of mean length */
  wholeFile: 0.5,
  wholeFileWindows: 4,
  /** what a window without branches, returns and calls of operators loses, and their usual share of lines */
  plainWindow: 0.4,
  logicShare: 0.2,
  /** what lines that decide as much add to a stretch of a file; see tests/bench/shown-lines.ts */
  decides: 0.3,
  /** what a word in a file's name adds, and in the names of its folders, in units of its idf */
  nameWord: 1.5,
  folderWord: 0.6,
  pathAlias: 0.8,
  /** how much of that idf is the rarity among file names, rather than in the text */
  pathRarity: 0.75,
  /** how much it matters which share of a name the question holds */
  nameShare: 1,
  /** what an exact name or quoted text adds, in units of the greatest idf */
  exact: 1.5,
  /** what a heading of a document adds that holds the whole question, in the unit of `order` */
  heading: 4,
  /** what a document loses, in that unit, that is not for all who use the project */
  beside: 2,
  /** what a file is worth whose head says that a program wrote it */
  generated: 0.6,
  /** files whose text is read, bytes of each, and how many of them are then kept */
  filesRead: 26,
  fileBytes: 400_000,
  filesKept: 17,
  /**
   * what the signs of a file that was read weigh; fitted by tests/bench/fit-order.ts, but for
   * messages, which too few of its questions hold
   */
  order: { words: 5, kind: 3, lines: -1.2, near: 2.6, twin: 0.7, message: 3, place: 0, names: 0 },
  toldOrder: {
    words: 5,
    kind: 2.2,
    lines: 0.1,
    near: 0,
    twin: 0.3,
    message: 2,
    place: 3,
    names: 2,
  },
};
