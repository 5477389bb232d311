/** Where a walk, scan or tally goes and how what it finds is named. */
export type SearchPlace = {
  /** name of the root */
  root: string;
  rootFd: number;
  /** the start, all links resolved, relative to the root */
  start: readonly string[];
  isWithheld(path: string): boolean;
  /** @param path relative to the root, at or below the start */
  shownPath(path: string): string;
};
