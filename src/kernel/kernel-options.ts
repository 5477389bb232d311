import type { ConfigOverrides } from '../config/load-config.ts';
import type { AskConsent } from '../contracts/consent.ts';
import { KernelError } from '../contracts/error.ts';
import type { AttachedText } from '../contracts/events.ts';
import type { HostAnswer } from '../contracts/host-service.ts';
import type { AttachedImage } from '../contracts/model.ts';
import type { NestedCalls } from '../contracts/plan.ts';
import type { AskPassphrase } from '../contracts/secrets.ts';
import { isObject, type ToolEvent } from '../contracts/tool.ts';
import type { ResolveHost } from '../http/resolve-addresses.ts';
import type { Clock } from '../lib/ids-clock.ts';
import { quoteText } from '../lib/text/escape.ts';

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

/** How a run stands in the journal: one that is made for another program names it. */
export function wordsOf(
  command: string,
  question: string,
  client: RunClient | undefined,
): { command: string; question: string } {
  if (client === undefined) return { command, question };
  const trace = client.traceparent === undefined ? '' : ` (trace ${client.traceparent})`;
  return { command: client.protocol ?? 'mcp', question: `${question} for ${client.name}${trace}` };
}

type Kind = { what: string; fits(value: unknown): boolean };

const text: Kind = { what: 'a string', fits: (value) => typeof value === 'string' };
const texts: Kind = {
  what: 'a list of strings',
  fits: (value) => Array.isArray(value) && value.every(text.fits),
};
const flag: Kind = { what: 'true or false', fits: (value) => typeof value === 'boolean' };
const port: Kind = { what: 'a function', fits: (value) => typeof value === 'function' };
const amount: Kind = {
  what: 'a number of at least 0',
  fits: (value) => typeof value === 'number' && value >= 0,
};
const roles: readonly unknown[] = ['auto', 'choose', 'word'];

const kinds: Readonly<Record<keyof KernelOptions, Kind>> = {
  workspace: text,
  home: text,
  model: text,
  modelRole: { what: '"auto", "choose" or "word"', fits: (value) => roles.includes(value) },
  callTimeoutMs: {
    what: 'a number of milliseconds above 0',
    fits: (value) => typeof value === 'number' && value > 0,
  },
  maxUsd: amount,
  maxDurationMs: amount,
  maxTokens: amount,
  dryRun: flag,
  record: flag,
  allow: texts,
  plugins: texts,
  yes: text,
  askConsent: port,
  askPassphrase: port,
  askYesNo: port,
  onToolEvent: port,
  onWarning: port,
  clock: {
    what: 'an object with nowMs()',
    fits: (value) => isObject(value) && typeof value.nowMs === 'function',
  },
  resolveHost: port,
  standIn: port,
};

/**
 * A program that is not checked against our types may misspell an option, and would be answered
 * about another folder than it meant.
 *
 * @throws {KernelError} `invalid-argument` that names the option
 */
export function checkOptions(options: unknown): asserts options is KernelOptions {
  if (!isObject(options)) throw invalid('openKernel() takes an object of options');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      throw invalid(`openKernel() has no option ${quoteText(name)}`);
    }
    const { what, fits } = kinds[name as keyof KernelOptions];
    if (value === undefined || fits(value)) continue;
    throw invalid(`the option ${name} of openKernel() is ${shown(value)}, and takes ${what}`);
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoteText(value);
  if (Array.isArray(value)) return 'another list';
  return typeof value === 'function' ? 'a function' : isObject(value) ? 'an object' : String(value);
}

function invalid(message: string): KernelError {
  const hint = `Its options are ${Object.keys(kinds).join(', ')}.`;
  return new KernelError('invalid-argument', message, { hint });
}
