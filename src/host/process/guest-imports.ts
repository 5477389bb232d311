import { capabilities, capabilitiesWhere } from '../../contracts/capabilities.ts';
import { effectAllows } from '../../contracts/capability.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { Effect, HostCall } from '../../contracts/tool.ts';
import { createFsInterface } from '../../fs/fs-interface.ts';
import type {
  AskedPlace,
  AskIndex,
  IndexedScan,
  IndexedTally,
  ScanOptions,
} from '../../fs/fs-types.ts';
import type { ScanShare } from '../../fs/scan-tree.ts';
import { createShareScanner, type ScanPart } from '../../fs/share-scan.ts';
import { nowMs } from '../../fs/work-within.ts';
import { camelCase } from '../../lib/text/words.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import type { ServedInterfaces } from '../../protocol/bindings.ts';
import {
  collectCall,
  helpCall,
  indexCall,
  madeAgain,
  makeAgain,
  refusedCall,
} from '../../protocol/call-names.ts';
import type { LogMessage, ProcessLimits, ProgressMessage } from '../../protocol/messages.ts';
import { unsavedError } from '../../wasi/adapters/run-command.ts';
import {
  createWasiImports,
  type WasiImports,
  type WasiOutcome,
  withoutWasi,
} from '../../wasi/create-wasi-imports.ts';
import type { WasiPorts } from '../../wasi/gate-ports.ts';
import { digestOf, keepCall } from './keep-call.ts';

/** The rights of the current call; without a call there are none. */
export type CallScope = {
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  /** that the process made itself, for the journal */
  calls: HostCall[];
  /** host calls that the guest made, refused ones too */
  made: number;
  logBytes: number;
  /** characters of what was asked and answered that `calls` hold */
  kept: number;
  /** what is answered is kept whole */
  records?: boolean;
  /** by `nowMs()`: at this time walks stop and return what they have */
  walksEndMs: number;
};

type HostFunction = (...args: never[]) => unknown;
type HostInterface = Record<string, HostFunction>;

export type GuestImports = {
  /** the import object of the transpiled component */
  imports: Record<string, object>;
  /** the state behind `wasi:*`: a command's input and its output */
  wasi: WasiImports;
  /** a line of log for what a tool wrote to its standard output or error */
  log(level: LogMessage['level'], text: string): void;
  progress: ServedInterfaces['log']['progress'];
  /** Makes a share of a sibling's scan; null when it cannot. */
  assist(args: readonly unknown[]): unknown;
  /** undefined between calls and while an instance is prepared */
  setScope(scope: CallScope | undefined): void;
  /**
   * To be called when a guest returned: saves what it wrote through `wasi:filesystem`.
   *
   * @throws a `tool-error` about what could not be saved
   */
  finish(): void;
};

/** Whether the kernel accepts a number of steps. */
const isProgress = (number: number): boolean => Math.abs(number) <= Number.MAX_SAFE_INTEGER;

/** Characters of a progress label; the kernel takes no longer one. */
const maxLabelCharacters = 1000;

/**
 * Without a prototype: the glue looks functions up by names that come from the binary, and
 * one called `constructor` must find nothing.
 */
function bare(served: HostInterface): HostInterface {
  return Object.assign(Object.create(null) as HostInterface, served);
}

const servedByKernel = capabilitiesWhere(({ servedBy }) => servedBy === 'kernel');

type GuestPorts = Pick<WasiPorts, 'askKernel' | 'askLater' | 'start'> & {
  roots: ReadonlyMap<string, number>;
  /** see `SearchPlace` */
  enters: boolean;
  /** the component imports interfaces of WASI */
  takesWasi: boolean;
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  limits: ProcessLimits;
  /** the kernel answers every call, of its record of an earlier run */
  replays?: boolean;
  sendLog(message: LogMessage): void;
  sendProgress(message: ProgressMessage): void;
};

/**
 * Everything a guest can reach. Each function passes one gate: a call must be running,
 * the interface granted, the tool's declared effect high enough, its limit of calls not reached.
 */
export function createGuestImports(options: GuestPorts): GuestImports {
  let scope: CallScope | undefined;
  const { limits } = options;

  function admit(capability: string, call: string): void {
    if (scope === undefined) throw new HostFailure('denied', `${call} outside of a tool call`);
    scope.made += 1;
    const isAllowed = scope.denied[capability] === undefined && effectAllows(scope.effect, call);
    if (isAllowed && scope.made <= limits.maxHostCalls) return;
    // The kernel says why, counts it, and ends a process that goes on.
    options.askKernel(refusedCall, [call]);
    throw new HostFailure('denied', `${call} was refused`);
  }

  /** The same interface, each function behind the gate. */
  function gated(capability: string, served: HostInterface): HostInterface {
    const entries = Object.entries(served).map(([name, run]): [string, HostFunction] => {
      const call = callName(capability, name);
      return [
        name,
        (...args) => {
          admit(capability, call);
          return run(...args);
        },
      ];
    });
    return bare(Object.fromEntries(entries));
  }

  const walksEnd = (): number => scope?.walksEndMs ?? Number.POSITIVE_INFINITY;
  const report = (call: HostCall): void => void scope?.calls.push(call);
  const gate = createContentGate(options.protectedPaths);
  const reader = { roots: [...options.roots.keys()] };
  const isProtected = (path: string, root: string): boolean => !gate.shows({ root, path }, reader);
  const fs: ServedInterfaces['fs'] = createFsInterface({
    roots: options.roots,
    enters: options.enters,
    report,
    warn: (message) => log.write('warn', message),
    isProtected,
    isOver: () => walksEnd() < nowMs(),
    askHelp: (path, scan, asked) => {
      const leftMs = walksEnd() - nowMs();
      const share = Number.isFinite(leftMs) ? { ...asked, leftMs } : asked;
      if (options.askKernel(helpCall, [path, scan, share]) !== true) return undefined;
      return () => (options.askKernel(collectCall, []) as ScanPart | null) ?? undefined;
    },
    index: askIndex(options.askKernel),
  });
  const scanShare = createShareScanner({
    roots: options.roots,
    enters: options.enters,
    isProtected,
  });

  const clock: ServedInterfaces['clock'] = {
    nowMs: (): number => {
      const now = Date.now();
      const target = String(now);
      report({ call: 'clock.now-ms', target, outcome: 'ok', durationMs: 0 });
      return now;
    },
  };

  // Log and progress are for people; they never fail, they are dropped.
  const log: ServedInterfaces['log'] = {
    write: (level, message): void => {
      if (takeLogBytes(message)) options.sendLog({ level, message });
    },
    progress: (label, done, total): void => {
      if (!takeLogBytes(label) || !isProgress(done)) return;
      const shown = label.slice(0, maxLabelCharacters);
      const ofTotal = total !== undefined && isProgress(total) ? { total } : {};
      options.sendProgress({ label: shown, done, ...ofTotal });
    },
  };

  function takeLogBytes(text: string): boolean {
    if (scope === undefined || scope.logBytes + text.length > limits.maxLogBytes) return false;
    scope.logBytes += text.length + 16;
    return true;
  }

  const wasiPorts: WasiPorts = {
    roots: options.roots,
    isProtected,
    limits,
    admit,
    allows: (capability, call) =>
      scope !== undefined &&
      scope.denied[capability] === undefined &&
      effectAllows(scope.effect, call),
    report,
    ...{ askKernel: options.askKernel, askLater: options.askLater, start: options.start },
  };
  const wasi = options.takesWasi ? createWasiImports(wasiPorts) : withoutWasi;

  /** Output that was not returned is shown to people. */
  function logOutput({ stdout, stderr }: WasiOutcome): void {
    for (const bytes of [stdout, stderr]) {
      const room = limits.maxLogBytes - (scope?.logBytes ?? 0);
      const message = Buffer.from(bytes).toString('utf8').trimEnd().slice(0, Math.max(0, room));
      if (message !== '' && takeLogBytes(message)) options.sendLog({ level: 'info', message });
    }
  }

  const imports: Record<string, object> = {
    ...wasi.imports,
    'cuervo:host/types': bare({}),
  };
  const ofProcess: ServedInterfaces = { fs, clock, log };
  for (const name of Object.keys(ofProcess) as (keyof ServedInterfaces)[]) {
    const served = ofProcess[name] as unknown as HostInterface;
    const isFree = capabilities[name].grant === 'none';
    imports[`cuervo:host/${name}`] = isFree
      ? bare(served)
      : gated(
          name,
          recorded(name, served, options, () => scope),
        );
  }
  // Each of these calls goes to the kernel, which checks it again and serves it; this side waits.
  for (const name of servedByKernel) {
    const served = Object.keys(capabilities[name].calls).map((call): [string, HostFunction] => [
      camelCase(call),
      (...args) => options.askKernel(`${name}.${call}`, args),
    ]);
    imports[`cuervo:host/${name}`] = gated(name, Object.fromEntries(served));
  }
  return {
    imports,
    wasi,
    log: log.write,
    progress: log.progress,
    assist: ([path, scan, share]) =>
      scanShare(path as string, scan as ScanOptions, share as ScanShare),
    setScope: (next) => {
      if (next === undefined && !wasi.isAbsent) logOutput(wasi.discard());
      scope = next;
    },
    finish: () => {
      if (wasi.isAbsent) return;
      const outcome = wasi.finish();
      logOutput(outcome);
      const error = unsavedError(outcome.lost);
      if (error !== undefined) throw error;
    },
  };
}

/** The kernel has the index, where there is one. */
function askIndex(askKernel: GuestPorts['askKernel']): AskIndex {
  const ask = (call: keyof AskIndex, { root, start }: AskedPlace, options: unknown): unknown => {
    try {
      return askKernel(indexCall, [{ call, root, start: start.join('/'), options }]) ?? undefined;
    } catch (thrown) {
      if (!(thrown instanceof HostFailure)) throw thrown;
      return undefined; // Nobody serves it: the files are looked at.
    }
  };
  return {
    walk: (place, options) => ask('walk', place, options) as IndexedScan | undefined,
    scan: (place, options) => ask('scan', place, options) as IndexedScan | undefined,
    tally: (place, options) => ask('tally', place, options) as IndexedTally | undefined,
  };
}

/** What the process serves itself, with what was asked and answered in the journal. */
function recorded(
  capability: string,
  served: HostInterface,
  { replays, askKernel }: Pick<GuestPorts, 'replays' | 'askKernel'>,
  scopeOf: () => CallScope | undefined,
): HostInterface {
  const entries = Object.entries(served).map(([name, run]): [string, HostFunction] => {
    const call = callName(capability, name);
    if (replays === true) {
      const again = (...args: never[]): unknown => {
        const recordedAnswer = askKernel(call, args);
        // A file may hold the same word.
        if (recordedAnswer !== makeAgain || !madeAgain.includes(call)) return recordedAnswer;
        const value = run(...args);
        if (askKernel(call, [digestOf({ value })]) === true) return value;
        throw new HostFailure('io', 'not recorded');
      };
      return [name, again];
    }
    return [
      name,
      (...args) => {
        const scope = scopeOf();
        return scope === undefined ? run(...args) : keepCall(scope, call, run, args);
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** `kv`, `keys` and `fs-write`, `writeText` as WIT names them. */
function callName(capability: string, name: string): string {
  return `${capability}.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
