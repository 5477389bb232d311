import type { HostCaller } from './host-service.ts';
import type { JsonObject } from './tool.ts';

/** The exact effect, which a person reads before it happens. */
export type ConsentEffect =
  | (Extract<AuthorityRequest, { capability: 'exec' }> & {
      /** the only origins that the program may reach */
      origins?: readonly string[];
      /** what no undo would take back, one sentence each */
      lasting?: readonly string[];
      /** no grant covers it: the next one is asked about, too */
      eachTime?: true;
      /** the program may run; this alone is asked about */
      asks?: GitQuestion;
    })
  | Extract<AuthorityRequest, { capability: 'http' }>
  | CallEffect
  | {
      capability: 'fs-write';
      change: ProposedChange;
      /** who runs the file without being asked to; then no grant covers the change */
      runBy?: string;
    };

/** A call of a tool of an added server. */
export type CallEffect = {
  capability: 'call';
  /** without the name of the server */
  tool: string;
  input: JsonObject;
  /** the origin where the server runs; absent for one on this machine */
  at?: string;
  /** origins that it may talk to from here */
  origins: readonly string[];
  /** it may write in its roots */
  isWriting: boolean;
};

/** One change of files below a root. Paths are `root:relative/path`. */
export type ProposedChange =
  | {
      kind: 'create' | 'write';
      path: string;
      before?: Uint8Array;
      after: Uint8Array;
      /** mode of a file that is read-only, as `0444`; then no grant covers the change */
      readOnly?: string;
    }
  | { kind: 'remove'; path: string; before?: Uint8Array; readOnly?: string }
  | { kind: 'create-dir'; path: string }
  | { kind: 'rename'; path: string; target: string };

export type CoveredStep = { step: string; tool?: string; effect: ConsentEffect };

export type ConsentRequest = {
  effect: ConsentEffect;
  /**
   * Steps of a plan that need the same grant, `effect` that of the first: one answer is for exactly
   * these, before any of them runs. Absent for a single call.
   */
  covers?: readonly CoveredStep[];
  /**
   * What `task` would allow until the run ends, one phrase each: exactly these, and no file that
   * other programs run. Absent where the effect is none of what the task was foreseen to need.
   */
  task?: readonly string[];
  plugin: string;
  /** SHA-256 of the binary, hex */
  digest: string;
  builtin: boolean;
  /** `PLUGIN.TOOL` that runs */
  tool?: string;
  /** what `session` and `project` would grant to the plugin, e.g. `exec:git` */
  grant: string;
  /** the run that waits for the answer, where the kernel knows it */
  run?: string;
  /** absolute directory for which `project` would grant it */
  project: string;
  /** whether the run belongs to a session; where it does not, `session` is `once` */
  inSession: boolean;
  /** what holds the effect in, in one line */
  tier: string;
  /** granted, but asked about, because the run has read this untrusted text */
  afterReading?: string;
};

export type ConsentAnswer =
  | { answer: 'once' | 'session' | 'project' | 'no' }
  /** all of `task` */
  | { answer: 'task' }
  /** other arguments for the program; they are decided and asked about like the first ones */
  | { answer: 'edit'; args: readonly string[] }
  /** another text for the file; it is decided and asked about like the first one */
  | { answer: 'edit-text'; after: Uint8Array }
  /** of `covers`, each is asked about by itself when its turn comes */
  | { answer: 'each' }
  /** no person could be asked about this one */
  | { answer: 'unasked' };

/**
 * Asks a person. Nothing but a person's own answer allows: no default, no time limit, no end of
 * input. One request at a time.
 *
 * @returns `no` when there is no answer
 */
export type AskConsent = (
  request: ConsentRequest,
  options: { signal: AbortSignal },
) => Promise<ConsentAnswer>;

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
