import type { ProtectedCheck } from '../contracts/content-gate.ts';
import type { HostCall } from '../contracts/tool.ts';
import type { HostFailure } from '../paths/host-failure.ts';
import type { ProcessLimits } from '../protocol/messages.ts';

/** The base of the WASI interfaces: the gate, the journal, the roots and the kernel. */
export type WasiPorts = {
  /** root name -> descriptor of its directory; the caller owns them */
  roots: ReadonlyMap<string, number>;
  isProtected: ProtectedCheck;
  limits: ProcessLimits;
  /**
   * The gate of every host call.
   *
   * @throws {HostFailure} without a running tool call, grant or effect; a denial is noted
   */
  admit(capability: string, call: string): void;
  /** whether `admit()` would let the call through; notes nothing */
  allows(capability: string, call: string): boolean;
  /** A line of the journal. Entries may be changed until the call ends. */
  report(call: HostCall): void;
  /** one host call of the kernel's, answered or thrown as a `HostFailure` */
  askKernel(call: string, args: readonly unknown[]): unknown;
};

/** The ports with what one call has been denied so far. */
export type GatedPorts = WasiPorts & {
  /** true when the gate or the kernel threw it, which then wrote it into the journal */
  isNoted(failure: HostFailure): boolean;
  /** Keeps the reason of a denial for whoever asks why the guest failed. */
  remember(failure: HostFailure): void;
  /** Keeps which limit was reached first, likewise. */
  rememberLimit(text: string): void;
};
