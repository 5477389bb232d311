/** Every weight of the ranking; chosen on questions that the published figure leaves out. */
export const tuning = {
  /** lines of a window that is scored, and how many the next one repeats */
  windowLines: 40,
  windowOverlap: 10,
  /** windows that the tally gives back */
  windows: 1500,
  /** BM25: how soon a repeated word stops to count, and how much a long window is held back */
  k1: 1.2,
  b: 0.75,
  /** what an alias counts beside the word itself */
  alias: 0.4,
  /** occurrences that one in a defined name stands for, besides itself */
  definition: 2,
  /** what the next best three windows of a file add */
  nextWindows: 0.3,
  /** what a word in the folders of a path, and in the file's name, adds in units of its idf */
  folderWord: 0.3,
  nameWord: 1,
  /** what an exact name or quoted text adds, in units of the greatest idf */
  exact: 1.5,
  /** files whose text is read, and bytes of each */
  filesRead: 40,
  fileBytes: 400_000,
};
