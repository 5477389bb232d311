/** Lines of a file that were read in this run. */
export type Evidence = {
  /** relative to the workspace */
  path: string;
  /** 1-based, inclusive */
  line: number;
  endLine: number;
  /** the text of those lines */
  text: string;
  /** higher is better; comparable within one answer only */
  score: number;
};
