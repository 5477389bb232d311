/** A command line as data: what `shell.parse` gives and `shell.run` follows. */
export type Plan = { pipelines: Pipeline[] };

export type Pipeline = {
  /** `success` behind `&&`, `failure` behind `||`: of the last pipeline that ran */
  when: 'always' | 'success' | 'failure';
  /** more than one is a pipe; `cd` and `set` stand alone */
  commands: PlannedCommand[];
};

export type PlannedCommand =
  | {
      kind: 'program';
      program: string;
      args: string[];
      /** folder below the workspace, empty for the workspace itself */
      cwd: string;
      /** arguments that are patterns of files, by index */
      patterns: { arg: number; glob: string }[];
      redirects: Redirect[];
      /** arguments that are known when other programs have run; they stand as they were written */
      late?: { arg: number; parts: LatePart[] }[];
      /** why it cannot be run: an argument means something outside and stands as it was written */
      unknown?: string;
    }
  | {
      kind: 'cd';
      /** folder below the workspace, as `cwd` */
      folder: string;
    }
  | {
      kind: 'set';
      variables: Record<string, string>;
      /** those that are known when other programs have run, in their order */
      late?: { name: string; parts: LatePart[] }[];
    };

/** A stretch of a word that is put together when it is its turn. */
export type LatePart =
  | { text: string; quoted: boolean }
  | { variable: string; quoted: boolean }
  /** what these programs print, without line ends at its end */
  | { pipelines: Pipeline[]; quoted: boolean };

export type Redirect =
  | { from: string; fd: 0 }
  /** of a here-document or here-string */
  | { text: string; fd: 0 }
  | { to: string; append: boolean; fd: 1 | 2 | 'both' }
  /** `2>&1` is `{fd: 2, like: 1}` */
  | { fd: 1 | 2; like: 1 | 2 };
