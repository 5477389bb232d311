import type { CallOf, KernelCapability } from './capabilities.ts';
import type { Effect, HostCall, HostErrorCase, Nest, Rehearsal } from './tool.ts';

/** The maker of a host call that the kernel serves. */
export type HostCaller = {
  plugin: string;
  /** SHA-256 of the binary, hex */
  digest: string;
  /** what its values and memory are kept under; the plugin's name unless it had another publisher */
  data?: string;
  signal: AbortSignal;
  /** `PLUGIN.TOOL` that runs */
  tool?: string;
  /** Does work that is not the tool's, like asking a person; its deadline stands still. */
  whileWaiting?<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Journals what became of the call beside its own row, as each connection of a program. */
  note?(call: HostCall): void;
  /** Tells a person who waits what goes on; one line, not escaped. */
  tell?(line: string): void;
  /** Says in the summary of the result what the tool itself does not know. */
  remark?(text: string): void;
  /** that its tool promised */
  effect?: Effect;
  /** the tools that wait, outermost first: its own is the last */
  chain?: readonly string[];
  /** absent where no steps are made */
  nest?: Nest;
  /** ids of the run and its step, where the call belongs to one */
  run?: string;
  step?: string;
  /** nothing is done for this call: it ends where a person would be asked */
  rehearsal?: Rehearsal;
};

/** The name under which a caller's values and memory are stored. */
export function dataName({ plugin, data }: Pick<HostCaller, 'plugin' | 'data'>): string {
  return data ?? plugin;
}

export type HostAnswer = {
  value: unknown;
  /** what the call was about, for the journal: a key, a path, an origin */
  target: string;
  /** bytes that go into the guest, where it is known */
  bytes?: number;
};

/**
 * Serves one host call. `args` come from the guest and are checked here.
 *
 * @throws {ServiceError} the guest's error
 */
export type HostService = (args: readonly unknown[], caller: HostCaller) => Promise<HostAnswer>;

/** What the kernel serves of one capability: each call of its row, and no other. */
export type HostServices<Name extends KernelCapability> = Readonly<
  Record<CallOf<Name>, HostService>
>;

/** A host call that did not succeed: the case and the words for the guest. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly tag: HostErrorCase;
  readonly target: string;
  /** for the person, not for the guest: what would let the call succeed */
  readonly hint: string | undefined;

  constructor(tag: HostErrorCase, message: string, target = '', hint?: string) {
    super(message);
    this.tag = tag;
    this.target = target;
    this.hint = hint;
  }
}

/** Why a call of a rehearsal ends. */
export const notDone = 'no call is made while cuervo finds out what the plan needs';

/** The owner of values: a plugin has separate ones in each workspace. */
export type ValueOwner = {
  plugin: string;
  /** absolute path of the workspace */
  project: string;
};

/** Values that a plugin keeps from run to run; a name space for each plugin and workspace. */
export type PluginValues = {
  get(owner: ValueOwner, key: string): Uint8Array | undefined;
  set(owner: ValueOwner, key: string, value: Uint8Array): void;
  delete(owner: ValueOwner, key: string): void;
  /** deletes all values of a plugin, in every workspace */
  clear(plugin: string): void;
  /** sorted */
  keys(owner: ValueOwner, prefix: string): string[];
  /** of all values of an owner, keys included */
  bytes(owner: ValueOwner): number;
};
