import type { JsonObject } from './tool.ts';

/**
 * The meaning of a person's words, read once. Everything behind the router uses this value and
 * never the words again.
 */
export type Intent = CallIntent | NoteIntent | AskIntent;

/** A call of a tool, as it was typed. */
export type CallIntent = { kind: 'call'; tool: string; input: JsonObject; mentions: Mentions };

/** An act of memory: something to keep, to end, or all that was kept. */
export type NoteIntent = {
  kind: 'note';
  /** `end`: what was mentioned last, or `about`, holds no longer; `list`: all that was told is shown */
  act: 'tell' | 'end' | 'list';
  as: 'fact' | 'decision' | 'preference';
  text: string;
  /** where a person said that it is to hold */
  scope?: 'person' | 'team';
  /** what is to hold no longer, in a person's words */
  about?: string;
  /** all of it */
  isAll?: true;
  /** what it is where no fact is meant */
  otherwise: AskIntent;
};

/** A question: what it names, and what it wants, the most particular reading first. */
export type AskIntent = {
  kind: 'ask';
  /** as it was asked, without blanks at its ends */
  question: string;
  mentions: Mentions;
  /** it begins as a correction does: what it may put right, which is offered and not kept by itself */
  correction?: string;
  /** it asks nothing */
  isStatement?: true;
  /** what the words ask for and no reading applies, as the person wrote it */
  leftOut?: readonly string[];
  /** Never empty. The last one is always possible: it only needs the tools that come along. */
  readings: readonly [Reading, ...Reading[]];
};

/** The names in the words of a question, in the order of the question. */
export type Mentions = {
  /** the question, with paths below the workspace instead of absolute ones */
  text: string;
  /** words with a meaning of their own, in lower case */
  words: readonly string[];
  /** these without numbers and names of files, of which only the endings stay: what is to be done */
  goal: readonly string[];
  paths: readonly string[];
  /** the folder that the question is about; every search stays below it */
  folder?: string;
  /** the question as it was asked, in another language than English: documents may be in that */
  own?: string;
  /** words of another language than English that were not read */
  unread?: readonly string[];
  /** names of code */
  names: readonly string[];
  url: string | undefined;
  quoted: string | undefined;
  number: number | undefined;
  /** it asks for a change of files, or for a commit */
  wantsChange: boolean;
  wantsCommit: boolean;
  /** it asks to see something, which is then shown whole */
  wantsWhole: boolean;
};

/** One way to understand a question. */
export type Reading =
  | { kind: 'web'; url: string }
  | HistoryReading
  | StructureReading
  | SizeReading
  | { kind: 'todo'; path?: string; mark?: string }
  | ListingReading
  | ManifestReading
  /** what a project or a folder is, by its README and its layout; or how its code is parted */
  | { kind: 'about'; of?: 'architecture' }
  /** how something is done: documents before code */
  | { kind: 'guide' }
  /** what a version brought, or the newest one */
  | { kind: 'changes'; version?: string }
  /** two definitions beside each other */
  | { kind: 'comparison'; names: readonly [string, string] }
  /** tests that hold a name */
  | { kind: 'tests'; name: string }
  /** places of one kind in the whole workspace, found by the shape of their lines, or of their paths */
  | {
      kind: 'collection';
      of: string;
      pattern: string;
      files?: string;
      globs?: string[];
      path?: string;
    }
  /** a file, or lines of it; its `purpose` is its beginning and what it defines */
  | { kind: 'file'; path: string; lines: Lines; wants?: 'purpose' }
  /** the default value of a setting */
  | { kind: 'value'; of: string }
  /** things of one kind by the name of that kind, as `themes` and `plugins` are */
  | { kind: 'members'; of: string }
  /**
   * the definition of a name; one that is not a name of code is looked for as it is written, and a
   * plain word may be none
   */
  | { kind: 'definition'; name: string; isName: boolean; isWord?: true }
  | { kind: 'where'; name?: string }
  | { kind: 'how' };

/** What a question about a repository wants to know. */
export type HistoryReading = { kind: 'history' } & (
  | { about: 'status'; patch: boolean }
  | { about: 'branches' }
  | { about: 'tags' }
  | { about: 'compare'; from: string; to: string }
  /** who wrote the lines of a file */
  | { about: 'authors'; path: string }
  | { about: 'commit'; commit: string }
  /** the commits that changed the lines of what is defined by a name */
  | { about: 'lines'; name: string; why?: true }
  /** the first commit that brought a name */
  | { about: 'added'; name: string; why?: true }
  /** commits that speak of words, or changed files whose path holds them */
  | { about: 'topic'; words: readonly string[]; oldest?: true; why?: true }
  /** who made how many commits */
  | { about: 'contributors' }
  | {
      about: 'log';
      path?: string;
      limit: number;
      since?: string;
      from?: string;
      author?: string;
      /** how many there are is wanted, too */
      count?: boolean;
      /** the first ones */
      oldest?: true;
      /** reasons are wanted: the whole message of the last one */
      why?: true;
    }
);

/** The question about the structure of code. */
export type StructureReading =
  /** who uses a name: all of them, what is made from a class of that name, or who imports it */
  | { kind: 'references'; name: string; only?: 'heirs' | 'imports' }
  | { kind: 'imports'; path: string; direction: 'imports' | 'importedBy' }
  | { kind: 'complexity'; path?: string; by?: 'lines' }
  /** what a file or folder defines; `of` a class its methods; `named` with that in their names */
  | { kind: 'outline'; path: string; defines?: OutlineKind; of?: string; named?: string };

export type OutlineKind =
  | 'function'
  | 'class'
  | 'struct'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant';

/** The thing whose size a question asks for. */
export type SizeReading = { kind: 'size' } & (
  | { about: 'file'; pattern: string }
  /** a path as it stands there; `globs` count only some of the files below it */
  | { about: 'place'; path: string; globs?: string[] }
  /** the largest files, and the longest ones that are code */
  | { about: 'largest'; only?: 'code' /** a glob for code */; code: string }
);

/** Which files a question that lists files means. */
export type ListingReading = {
  kind: 'listing';
  /** a glob, or part of a name */
  pattern: string;
  /** the folder to look in, when one is named */
  path?: string;
  /** the question is about the tree itself */
  tree: boolean;
  /** a file of this very name is asked for */
  isNamed?: true;
};

/** What a question wants to know of `package.json`, `Cargo.toml`, `Makefile` and the like. */
export type ManifestReading = {
  kind: 'manifest';
  about: ManifestTopic;
  /** of the dependency that is asked about */
  name?: string;
};

export type ManifestTopic =
  | 'version'
  | 'engine'
  | 'dependency'
  | 'dependencies'
  | 'workspaces'
  | 'scripts'
  | 'build'
  | 'run'
  | 'test'
  | 'lint'
  | 'features'
  | 'ci'
  | 'license'
  | 'author'
  | 'platforms';

export type Lines = { start?: number; end?: number; around?: number };
