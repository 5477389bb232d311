import type { AuthorityRequest, GitQuestion } from './authority.ts';
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
