/** The start of a walk, scan or tally, and the names of its results. */
export type SearchPlace = {
  /** name of the root */
  root: string;
  rootFd: number;
  /**
   * whether the process may read the root by the path it has: it then opens files from inside of
   * their folders. False where a root was inherited or names are reached by path
   */
  enters: boolean;
  /** the start, all links resolved, relative to the root */
  start: readonly string[];
  /** whether the time for walks of this call is used up; asked often, so that it answers fast */
  isOver?(): boolean;
  isWithheld(path: string): boolean;
  /** @param path relative to the root, at or below the start */
  shownPath(path: string): string;
};
