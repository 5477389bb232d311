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
      /** why it cannot be run: an argument means something outside and stands as it was written */
      unknown?: string;
    }
  | {
      kind: 'cd';
      /** folder below the workspace, as `cwd` */
      folder: string;
    }
  | { kind: 'set'; variables: Record<string, string> };

export type Redirect =
  | { from: string; fd: 0 }
  /** of a here-document or here-string */
  | { text: string; fd: 0 }
  | { to: string; append: boolean; fd: 1 | 2 | 'both' }
  /** `2>&1` is `{fd: 2, like: 1}` */
  | { fd: 1 | 2; like: 1 | 2 };
