/** A file with the lines that were looked at. */
export type WideFile = { path: string; score: number; regions: { text: string }[] };
