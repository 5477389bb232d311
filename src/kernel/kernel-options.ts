import type { ConfigOverrides } from '../config/load-config.ts';
import type { AskConsent } from '../contracts/consent.ts';
import type { AttachedText } from '../contracts/events.ts';
import type { HostAnswer } from '../contracts/host-service.ts';
import type { AttachedImage } from '../contracts/image.ts';
import type { NestedCalls } from '../contracts/plan.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import type { ToolEvent } from '../contracts/tool.ts';
import type { ResolveHost } from '../http/resolve-addresses.ts';
import type { Clock } from '../lib/ids-clock.ts';

export type KernelOptions = ConfigOverrides & {
  /** works on a copy of the workspace, which `apply` can make the workspace's own */
  dryRun?: boolean;
  /** keeps all that tools are answered, also above 64 KiB, so that the run can be replayed */
  record?: boolean;
  /** grants of this run alone, for every plugin it uses, e.g. `fs:work` */
  allow?: readonly string[];
  /** files of plugins that this kernel has beside the installed ones, before those of their names */
  plugins?: readonly string[];
  /** the set of rules in `rules.toml` that counts in this run beside those of no set */
  yes?: string;
  /** asks a person about single effects; without it all of them are denied */
  askConsent?: AskConsent;
  /** asks a person for the passphrase of the secrets, where no keychain opens them */
  askPassphrase?: AskPassphrase;
  /** asks a person a question with yes and no; absent when no person can be asked */
  askYesNo?: (text: string, options: { signal: AbortSignal }) => Promise<boolean | undefined>;
  /** log lines and progress of tools */
  onToolEvent?: (tool: string, event: ToolEvent) => void;
  /** one sentence that a person should read */
  onWarning?: (message: string) => void;
  clock?: Clock;
  /** addresses of a name, for requests of plugins, in place of the system's resolver */
  resolveHost?: ResolveHost;
  /** answers host calls in the place of the kernel's own services */
  standIn?: StandIn;
};

/** @returns undefined: the kernel serves the call as usual */
export type StandIn = (call: string, args: readonly unknown[]) => Promise<HostAnswer | undefined>;

/** Another program that runs are made for, such as an agent; its model is not on this machine. */
export type RunClient = {
  /** the client's own name */
  name: string;
  /** of the trace that the call belongs to, as W3C writes it */
  traceparent?: string;
  /** how it speaks; default `mcp` */
  protocol?: 'mcp' | 'acp';
};

export type RunOptions = { signal?: AbortSignal; client?: RunClient };
export type ToolRunOptions = RunOptions & {
  /** the result whole, however long it is */
  isWhole?: boolean;
  /** log lines and progress of this run, in place of the kernel's listener */
  onToolEvent?: (tool: string, event: ToolEvent) => void;
  /** the untrusted text that the caller has read */
  afterReading?: string;
  /** see `NestedCalls` */
  admit?: NestedCalls['admit'];
};
export type AskOptions = RunOptions & {
  /** goes on with the newest session of the workspace */
  continueSession?: boolean;
  /** goes on with the session of this id */
  session?: string;
  /** begins the session of that id, where there is none yet */
  startsSession?: boolean;
  /** width of a line of passages for a terminal; lines stay whole when absent */
  columns?: number;
  /** the kind of question that it is, in place of the likeliest; see docs/ask.md */
  as?: string;
  /** an answer without a model says of each passage why it is there */
  isExplained?: boolean;
  /** only a question is answered: acts and calls of tools are refused */
  isQuestion?: boolean;
  /** somebody else asks: tools only read, and memory is neither read nor written */
  isForeign?: boolean;
  /** a person typed the words at a prompt, so that an order in them is carried out */
  isTyped?: boolean;
  /** an answer that leaves out a part of the question ends as `not-found` */
  isStrict?: boolean;
  /** a person types the next message where they read the answer */
  isChat?: boolean;
  /** name of the skill that a model follows; its tools are the only ones left */
  skill?: string;
  /** a text that the question is about; the pieces that bear on the question count as evidence */
  given?: string;
  /** texts that a person attached, which count as evidence, too */
  attached?: readonly AttachedText[];
  /** images that a person attached, for a model that sees */
  images?: readonly AttachedImage[];
  /** a model has only tools that read, and is to say what it would do */
  isPlanOnly?: boolean;
};
