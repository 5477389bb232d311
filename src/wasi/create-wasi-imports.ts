import type { HostErrorCase } from '../contracts/tool.ts';
import { type CliInput, type CliOutput, createCli } from './create-cli.ts';
import { createClocks, createRandom, createSockets } from './create-clocks.ts';
import { createFilesystem } from './filesystem/create-filesystem.ts';
import { type DenialReasons, gatePorts, type WasiPorts, wasiLimits } from './gate-ports.ts';
import { createHttp } from './http/create-http.ts';
import { createIo } from './io/create-io.ts';
import { createResourceCount } from './resource.ts';
import { createGuestStreams } from './three/guest-streams.ts';

export type WasiOutcome = CliOutput &
  DenialReasons & {
    /** why files that were written did not reach the disk; empty when all did */
    lost: readonly { tag: HostErrorCase; val: string }[];
  };

export type WasiImports = {
  /** nothing of it is imported: no session has to be begun or ended */
  isAbsent: boolean;
  /** interface without its version -> functions and resources, for the transpiled glue */
  imports: Record<string, object>;
  /** Arguments and standard input of the call that comes; without it both are empty. */
  begin(input: CliInput): void;
  /** Waits for what the guest wrote to streams before it returned. */
  settled(): undefined | Promise<undefined>;
  /**
   * Ends the call: hands unsaved writes to the kernel, closes what is open, and returns the
   * messages. Call it once the guest has returned or exited.
   */
  finish(): WasiOutcome;
  /** As `finish`, for a guest that trapped: half-written files are dropped. */
  discard(): WasiOutcome;
};

/**
 * WASI over the capabilities of this process: one implementation for every 0.2.x, whose interfaces
 * only ever grow, and for every 0.3.x, whose interfaces glue knows as those of `wasi3`. One instance of a guest at a time: what an instance opened
 * before its call lives until the call ends, and then nothing of it is left.
 */
export function createWasiImports(given: WasiPorts): WasiImports {
  const count = createResourceCount(wasiLimits.resources);
  const { ports, noteRead, takeReasons } = gatePorts(given, () => cli.hasExited());
  const streams = createGuestStreams(count);
  const io = createIo({ count, sleepUntilNs: (instant) => clocks.sleepUntilNs(instant) });
  const clocks = createClocks(ports, io.pollable);
  const random = createRandom(ports);
  const cli = createCli({
    count,
    io,
    streams,
    onInput: noteRead,
    maxStdoutBytes: ports.limits.maxResultBytes,
    maxStderrBytes: ports.limits.maxLogBytes,
  });

  const filesystem = createFilesystem({ ports, count, io, streams });

  function end(keep: boolean): WasiOutcome {
    const lost = filesystem.end(keep);
    const outcome = { ...cli.end(), lost, ...takeReasons() };
    streams.reset();
    clocks.reset();
    random.reset();
    count.reset();
    return outcome;
  }

  return {
    isAbsent: false,
    imports: withoutPrototypes({
      ...io.imports,
      ...clocks.imports,
      ...random.imports,
      ...cli.imports,
      ...filesystem.imports,
      ...createHttp({ ports, count, io, streams }),
      ...createSockets({ admit: ports.admit, count }),
    }),
    begin: cli.begin,
    settled: streams.settled,
    finish: () => end(true),
    discard: () => end(false),
  };
}

/** The glue looks functions up by names that come from the binary. */
function withoutPrototypes(interfaces: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(interfaces).map(([name, served]) => [
      name,
      Object.assign(Object.create(null) as object, served),
    ]),
  );
}

const nothing = new Uint8Array();
const outcome: WasiOutcome = {
  ...{ stdout: nothing, stderr: nothing, exitCode: undefined, overflow: undefined },
  lost: [],
};

/** For a component without WASI: making all of it takes longer than a call. */
export const withoutWasi: WasiImports = {
  isAbsent: true,
  imports: {},
  begin: () => {},
  settled: () => undefined,
  finish: () => outcome,
  discard: () => outcome,
};

/** Whether glue takes anything of WASI: it names each interface in these words, and no other way. */
export function takesWasi(glue: string): boolean {
  return glue.includes("imports['wasi");
}
