import { effectAllows } from '../../contracts/effect-allows.ts';
import type { Effect, HostCall } from '../../contracts/tool.ts';
import { HostFailure } from '../below/host-failure.ts';
import { protectAlso } from '../below/protected-check.ts';
import type { ServedInterfaces } from '../protocol/bindings.ts';
import { collectCall, helpCall } from '../protocol/help-calls.ts';
import type { LogMessage, ProcessLimits, ProgressMessage } from '../protocol/messages.ts';
import { createFsInterface } from './fs/fs-interface.ts';
import type { ScanOptions } from './fs/fs-types.ts';
import { createShareScanner, type ScanPart } from './fs/share-scan.ts';
import type { ScanShare } from './fs/split-scan.ts';
import type { AskKnown } from './fs/tally-tree.ts';
import { unsavedError } from './unsaved-error.ts';
import {
  createWasiImports,
  type WasiImports,
  type WasiOutcome,
} from './wasi/create-wasi-imports.ts';
import type { WasiPorts } from './wasi/wasi-ports.ts';
import { withoutWasi } from './wasi/without-wasi.ts';

/** What the current call may do; no call, no authority. */
export type CallScope = {
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  /** roots of whose files the kernel knows the words */
  known: readonly string[];
  calls: HostCall[];
  logBytes: number;
};

type HostFunction = (...args: never[]) => unknown;
type HostInterface = Record<string, HostFunction>;

export type GuestImports = {
  /** the import object of the transpiled component */
  imports: Record<string, object>;
  /** the state behind `wasi:*`: what a command is given, and what it left */
  wasi: WasiImports;
  /** a line of log for what a tool wrote to its standard output or error */
  log(level: LogMessage['level'], text: string): void;
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

/** Characters of a progress label; the kernel takes no longer one. */
const maxLabelCharacters = 1000;

/**
 * Without a prototype: the glue looks functions up by names that come from the binary, and
 * one called `constructor` must find nothing.
 */
function bare(served: HostInterface): HostInterface {
  return Object.assign(Object.create(null) as HostInterface, served);
}

/** Interfaces that the kernel decides and serves; here each call is sent to it and waited for. */
const servedByKernel: Readonly<Record<string, readonly string[]>> = {
  'fs-write': ['writeText', 'writeBytes', 'createDir', 'rename', 'remove'],
  exec: ['run'],
  http: ['send', 'secretExists'],
  memory: ['search', 'remember'],
  kv: ['get', 'set', 'delete', 'keys'],
  random: ['bytes'],
};

/**
 * Everything a guest can reach. Each function passes one gate: a call must be running,
 * the interface granted, the tool's declared effect high enough, the journal not full.
 */
export function createGuestImports(options: {
  roots: ReadonlyMap<string, number>;
  /** see `SearchPlace` */
  enters: boolean;
  /** the component imports interfaces of WASI */
  takesWasi: boolean;
  /** root name -> paths below it that are withheld beside the default list */
  protectedPaths: Readonly<Record<string, readonly string[]>>;
  limits: ProcessLimits;
  /** one host call of the kernel's, answered or thrown as a `HostFailure` */
  askKernel(call: string, args: readonly unknown[]): unknown;
  /** what the kernel knows of words, for a root that it named */
  askKnown: AskKnown;
  sendLog(message: LogMessage): void;
  sendProgress(message: ProgressMessage): void;
}): GuestImports {
  let scope: CallScope | undefined;
  const { limits } = options;

  function admit(capability: string, call: string): CallScope {
    if (scope === undefined) throw new HostFailure('denied', `${call} outside of a tool call`);
    if (scope.calls.length >= limits.maxHostCalls) {
      throw new HostFailure(
        'limit',
        `more than ${limits.maxHostCalls} host calls in one tool call`,
      );
    }
    const reason =
      capability === 'network' ? 'sockets are granted to no plugin' : scope.denied[capability];
    const denial =
      reason ??
      (effectAllows(scope.effect, call)
        ? undefined
        : `${call} is above the effect "${scope.effect}" that this tool declares`);
    if (denial !== undefined) {
      scope.calls.push({ call, target: '', outcome: 'denied', durationMs: 0 });
      throw new HostFailure('denied', denial);
    }
    return scope;
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

  const report = (call: HostCall): void => void scope?.calls.push(call);
  const isProtected = protectAlso(options.protectedPaths);
  const fs: ServedInterfaces['fs'] = createFsInterface({
    roots: options.roots,
    enters: options.enters,
    report,
    warn: (message) => log.write('warn', message),
    isProtected,
    askHelp: (path, scan, share) => {
      if (options.askKernel(helpCall, [path, scan, share]) !== true) return undefined;
      return () => (options.askKernel(collectCall, []) as ScanPart | null) ?? undefined;
    },
    askKnown: (question) =>
      scope?.known.includes(question.root) === true ? options.askKnown(question) : undefined,
  });
  const scanShare = createShareScanner({
    roots: options.roots,
    enters: options.enters,
    isProtected,
  });

  const clock: ServedInterfaces['clock'] = {
    nowMs: (): number => {
      const now = Date.now();
      scope?.calls.push({
        call: 'clock.now-ms',
        target: String(now),
        outcome: 'ok',
        durationMs: 0,
      });
      return now;
    },
  };

  // Log and progress are for people; they never fail, they are dropped.
  const log: ServedInterfaces['log'] = {
    write: (level, message): void => {
      if (takeLogBytes(message)) options.sendLog({ level, message });
    },
    progress: (label, done, total): void => {
      if (!takeLogBytes(label) || !Number.isFinite(done)) return;
      const shown = label.slice(0, maxLabelCharacters);
      const ofTotal = total !== undefined && Number.isFinite(total) ? { total } : {};
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
    admit: (capability, call) => void admit(capability, call),
    allows: (capability, call) =>
      scope !== undefined &&
      scope.denied[capability] === undefined &&
      effectAllows(scope.effect, call),
    report,
    askKernel: options.askKernel,
  };
  const wasi = options.takesWasi ? createWasiImports(wasiPorts) : withoutWasi;

  /** What a guest printed and nobody took is for people. */
  function logOutput({ stdout, stderr }: WasiOutcome): void {
    for (const bytes of [stdout, stderr]) {
      const room = limits.maxLogBytes - (scope?.logBytes ?? 0);
      const message = Buffer.from(bytes).toString('utf8').trimEnd().slice(0, Math.max(0, room));
      if (message !== '' && takeLogBytes(message)) options.sendLog({ level: 'info', message });
    }
  }

  const imports: Record<string, object> = {
    ...wasi.imports,
    'cuervo:host/fs': gated('fs', fs as unknown as HostInterface),
    'cuervo:host/clock': gated('clock', clock),
    'cuervo:host/log': bare(log as unknown as HostInterface),
    'cuervo:host/types': bare({}),
  };
  for (const [capability, names] of Object.entries(servedByKernel)) {
    const served = names.map((name): [string, HostFunction] => [
      name,
      (...args) => options.askKernel(callName(capability, name), args),
    ]);
    imports[`cuervo:host/${capability}`] = gated(capability, Object.fromEntries(served));
  }
  return {
    imports,
    wasi,
    log: log.write,
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

/** `kv`, `keys` and `fs-write`, `writeText` as WIT names them. */
function callName(capability: string, name: string): string {
  return `${capability}.${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
