import type { Effect, HostCall, HostErrorCase, ToolErrorCase } from '../contracts/tool.ts';
import type { Way } from '../paths/open-name.ts';

/**
 * Ends the parts of one file of a prepared component. Files come before the message that opens
 * the component, and are known by their digest.
 */
export type FileMessage = {
  /** SHA-256 of the file, hex */
  digest: string;
  /** a core module, UTF-8, or anything else */
  kind: 'module' | 'text' | 'bytes';
};

/** Files that lie in a transfer, frame behind frame, and not in the pipe. */
export type TransferMessage = {
  /** inherited, for reading */
  descriptor: number;
};

/** The program of a plugin process, and its reach. */
export type OpenMessage = {
  /** digest of each file of the component that was sent, by name */
  files: Readonly<Record<string, string>>;
  /** name of the glue among them */
  entry: string;
  /** name of what the engine made of the glue, where that was kept */
  code?: string;
  /** file in that folder that says how exports are called which are not `cuervo:plugin/tools` */
  adapter?: string;
  /** pages that each core module's memories may take, by file name */
  pages: Readonly<Record<string, number>>;
  /** sum over all memories of one instance */
  maxPages: number;
  /** granted roots: name -> inherited directory descriptor, or directory to open */
  roots: Readonly<Record<string, number | string>>;
  /** how names below them are reached */
  way: Way;
  /** inherited: where replies come from that nobody stands still for */
  later: number;
  /** the kernel answers every host call, of its record of an earlier run */
  replays?: true;
  /** what it answers itself is kept whole, as far as a frame holds it */
  records?: true;
  /** a call waits for it, and follows at once */
  isAwaited: boolean;
  /** root name -> relative paths below it that are never read */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  limits: ProcessLimits;
};

export type ProcessLimits = {
  /** bytes of a tool's content */
  maxResultBytes: number;
  maxHostCalls: number;
  /** bytes of log text a call may send */
  maxLogBytes: number;
};

/**
 * One tool call; as texts its terms in JSON, or nothing where they are those of the call before, the
 * tool and the input.
 */
export type CallMessage = CallTerms & {
  id: number;
  /** the tool's own name, without the plugin's; empty asks for `describe()` */
  tool: string;
  /** JSON text */
  input: string;
};

export type CallTerms = {
  effect: Effect;
  /** interface -> undefined when allowed, else the reason for the guest */
  denied: Readonly<Record<string, string>>;
  /** after which the process is killed; absent where only the kernel's signal ends it */
  timeoutMs?: number | undefined;
};

export type ReadyMessage = { ms: number };

/** The process could not open the component; it ends after this. */
export type FailedMessage = { message: string };

/** An `ok` result as texts: content, summary, and the calls in JSON or an empty text. */
export type ResultMessage = {
  id: number;
  calls: readonly HostCall[];
} & (
  | { outcome: 'ok'; content: string; summary: string }
  | { outcome: 'described'; tools: unknown }
  | { outcome: 'error'; case: ToolErrorCase; message: string }
  /** the guest is dead: trap, broken contract, exhausted stack or memory */
  | { outcome: 'trap'; message: string }
);

export type LogMessage = { level: 'debug' | 'info' | 'warn' | 'error'; message: string };
export type ProgressMessage = { label: string; done: number; total?: number };

/** A host call that the kernel serves; the process waits for its reply. */
export type RequestMessage = {
  /** id of the tool call under way */
  id: number;
  /** e.g. `kv.get` */
  call: string;
  /** as the guest gave them, bytes encoded (see `encode-bytes.ts`) */
  args: readonly unknown[];
  /** The process goes on meanwhile: the reply has the same number and a pipe of its own. */
  seq?: number | undefined;
};

/** A share of a scan that a sibling makes; see `help-calls.ts`. */
export type AssistMessage = {
  id: number;
  /** as the sibling sent them */
  args: readonly unknown[];
};

/** The findings in the share, for the sibling alone; null when there are none. */
export type AssistedMessage = { id: number; part: unknown };

export type ReplyMessage = { value: unknown } | { error: { tag: HostErrorCase; val: string } };
/** Requests of one call under way at once, beside the one that the process stands still for. */
export const maxOverlapping = 64;

/** A reply that nobody stands still for. */
export type LaterReply = ReplyMessage & { seq: number };
