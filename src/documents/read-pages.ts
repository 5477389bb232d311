export const maxPages = 5000;
/** Characters of the text of one document. */
export const maxTextCharacters = 8 * 1024 * 1024;

/** What the process that reads a document says of it. */
export type ReadPages =
  | {
      pages: readonly string[];
      /** the rest is left out: `maxPages`, `maxTextCharacters` */
      isCut?: boolean;
    }
  /** why it has no text, in words that fit behind "its path: " */
  | { fault: string };
