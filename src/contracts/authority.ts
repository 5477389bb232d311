import type { HostCaller } from './host-service.ts';

/**
 * The subject of a host call when the grant of a whole capability says too little: a program with
 * its arguments, or an origin.
 */
export type AuthorityRequest =
  | {
      capability: 'exec';
      program: string;
      args: readonly string[];
      /** `root:relative/path` */
      cwd: string;
      /** what the program would read */
      stdin?: string;
      /**
       * The user, or somebody else, could replace the program's file without the rights of an
       * administrator. Only a grant that names the program covers such a one; a rule does not.
       */
      replaceable?: true;
      /** of a program of the workspace or the user: only a grant that names its digest lasts */
      own?: OwnProgramFacts;
    }
  | {
      capability: 'http';
      /** scheme, host and port, as `URL.origin` writes it */
      origin: string;
      method: string;
      url: string;
      sends?: SentContent;
    };

/** What a git that may run needs besides: a filter on a file, or a repository outside of the roots. */
export type GitQuestion =
  | { filter: string; path: string; commands: readonly string[] }
  | { repository: string };

/** Facts for a person about a program that is not part of the system. */
export type OwnProgramFacts = {
  from: 'workspace' | 'user';
  /** where the file lies: below the workspace, else absolute */
  file: string;
  /** of the file, hex */
  sha256: string;
  /** the workspace holds it under the name of a program of the system */
  standsIn: boolean;
  /** folders and files outside of the workspace that it is shown */
  reads: readonly string[];
};

/** The rest of a request beside its address: headers with placeholders for secrets, and a body. */
export type SentContent = { headerBytes: number; bodyBytes: number; sha256: string };

/** The allowed part of a request, which may be smaller than the request. */
export type Authority = {
  /** the vector's arguments as a person left them; those of the request, else */
  args: readonly string[];
  /** the program may read the workspace and not write it */
  readOnly: boolean;
  /** origins that the plugin holds, which a program may talk to by itself */
  origins: readonly string[];
  /** hosts that the built-in plugin `git` may log in to, as `sshHost` writes them */
  sshHosts?: readonly string[];
  /** filters that git may run, as `FilterDriver.grant` names them */
  filters?: readonly string[];
  /** repositories outside of the roots that git may use, absolute */
  repositories?: readonly string[];
};

/**
 * Decides one request, by grants, rules and, at a terminal, by asking.
 *
 * @param foresee what no undo would take back, for a person who is asked; one sentence each
 * @throws {ServiceError} `denied` with the reason for the guest
 */
export type Authorize = (
  request: AuthorityRequest,
  caller: HostCaller,
  foresee?: () => Promise<string[]>,
) => Promise<Authority>;

/** The verdict of the program rules on one argument vector. */
export type CommandVerdict = {
  /** `allow` for built-in plugins, without a grant; `deny` of what no grant opens; `ask`, else */
  decision: 'allow' | 'ask' | 'deny';
  /** whether it is known to write nothing, so that the workspace can be read-only while it runs */
  reader: boolean;
  /** the sentence of the rule, for the guest and the person */
  reason: string;
};

/** Judges one vector by rules alone; pure. */
export type JudgeCommand = (command: {
  program: string;
  args: readonly string[];
  /** `root:relative/path` */
  cwd: string;
}) => CommandVerdict;
