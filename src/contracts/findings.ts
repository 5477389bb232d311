import type { Evidence } from './events.ts';

/** The results of the steps of a run, in forms an answer can show. */
export type Findings = {
  /** best first */
  evidence: Row[];
  /** places that are shown as a line each, as the shape of the answer wants it; some results are */
  rows: { title: string; tool: string; pieces: readonly Row[] }[];
  /** results that are not lines of a file: listings, trees, other tools' words */
  listings: {
    title: string;
    text: string;
    kind?: string | undefined;
    /** what has a line each */
    listed?: readonly Listed[];
    /** the words of an installed plugin, which was chosen for the question */
    isChosen?: boolean;
  }[];
  /** pieces in front that the first step looked up, whatever scores the others have */
  leading: number;
};

/** A place with the name of the function, test or section around it, and the comment above it. */
export type Row = Evidence & { within?: string; doc?: { line: number; text: string } };

/** One line of a list. */
export type Listed = { path: string; commit?: string };
