/** A file's content: text, or bytes. */
export type FileContent = string | { base64: string };

/** What a recorded call of the host gives: bytes as a text or as `{ base64 }`. */
export type RecordedAnswer =
  | { answer: unknown }
  | {
      error: 'denied' | 'not-found' | 'invalid' | 'limit' | 'timeout' | 'conflict' | 'io';
      message?: string;
    };

/** One call of a tool in the real host, and what it comes to. `cuervo plugin test` runs it. */
export type Case = {
  name: string;
  /** with or without the plugin's name before it */
  tool: string;
  input?: object;
  /** as `fs:work`; nothing is granted that is not here */
  grants?: readonly string[];
  /** path in the workspace of the case -> content */
  files?: Readonly<Record<string, FileContent>>;
  /** makes the workspace a git repository, whose commits are the same in every run */
  commits?: readonly {
    message: string;
    files: Readonly<Record<string, FileContent>>;
    tag?: string;
  }[];
  /** call, as `http.send` -> its answers in their order; what is not here is served for real */
  host?: Readonly<Record<string, readonly RecordedAnswer[]>>;
  /** absent: `cuervo plugin test --update` writes it beside this file */
  expect?: {
    /** the whole content */
    content?: unknown;
    /** a part of the content: fields of objects, items of lists, a piece of a text */
    has?: unknown;
    summary?: string;
    /** `permission-denied`, or `permission-denied: words of the message` */
    error?: string | { code: string; message?: string };
    /** left in the workspace; null for a file that must not be there */
    files?: Readonly<Record<string, FileContent | null>>;
  };
};

/** The default export of `NAME.cases.ts`. */
export function defineCases(cases: readonly Case[]): readonly Case[] {
  return cases;
}
