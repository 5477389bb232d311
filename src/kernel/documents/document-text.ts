/** The text of a document, in lines. */
export type DocumentText = {
  lines: readonly string[];
  /** the first line of each page, 1-based; undefined where the document does not know its pages */
  pages: readonly number[] | undefined;
  /** the rest of a very long document was left out */
  isCut: boolean;
};

export type FoundDocument = DocumentText & {
  /** relative to the workspace */
  path: string;
};

/** The page that a line stands on. */
export function pageOf({ pages }: Pick<DocumentText, 'pages'>, line: number): number | undefined {
  if (pages === undefined) return undefined;
  return Math.max(1, pages.findLastIndex((first) => first <= line) + 1);
}
