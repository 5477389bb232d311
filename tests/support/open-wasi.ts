import { effectAllows } from '../../src/contracts/capability.ts';
import { isProtectedPath } from '../../src/contracts/protected-names.ts';
import type { Effect, HostCall } from '../../src/contracts/tool.ts';
import { HostFailure } from '../../src/paths/system-failure.ts';
import { createWasiImports, type WasiImports } from '../../src/wasi/create-wasi-imports.ts';

type Functions = Record<string, (...args: unknown[]) => unknown>;
/** A resource as a guest sees it: methods, and nothing else. */
export type Guest = Functions & Disposable;

export type WasiFixture = WasiImports & {
  /** an interface of the import object, to be called like the glue does */
  of(name: string): Functions;
  calls: HostCall[];
  asked: { call: string; args: readonly unknown[] }[];
};

/** The imports behind a gate like the plugin process has. For tests. */
export function openWasi(
  options: {
    roots?: ReadonlyMap<string, number>;
    denied?: Readonly<Record<string, string>>;
    effect?: Effect;
    maxResultBytes?: number;
    maxHostCalls?: number;
    answer?: (call: string, args: readonly unknown[]) => unknown;
    /** what is started is answered only when the guest waits: the last one first */
    isLate?: boolean;
  } = {},
): WasiFixture {
  const {
    denied = {},
    effect = 'external',
    maxHostCalls = 1000,
    answer = () => undefined,
  } = options;
  const calls: HostCall[] = [];
  const asked: WasiFixture['asked'] = [];
  const underWay: { isAnswered: boolean }[] = [];
  const wasi = createWasiImports({
    roots: options.roots ?? new Map(),
    isProtected: isProtectedPath,
    limits: { maxResultBytes: options.maxResultBytes ?? 1024, maxHostCalls, maxLogBytes: 64 },
    admit: (capability, call) => {
      if (calls.length >= maxHostCalls) throw new HostFailure('limit', 'too many host calls');
      const reason = denied[capability];
      if (reason === undefined && effectAllows(effect, call)) return;
      calls.push({ call, target: '', outcome: 'denied', durationMs: 0 });
      throw new HostFailure('denied', reason ?? `above ${effect}`);
    },
    allows: (capability, call) => denied[capability] === undefined && effectAllows(effect, call),
    report: (call) => void calls.push(call),
    askKernel: (call, args) => {
      // Whether anything may be written is asked before; what is written is what tests look at.
      if (call !== 'fs-write.may-write') asked.push({ call, args });
      return answer(call, args);
    },
    askLater: async (call, args) => {
      asked.push({ call, args });
      return await answer(call, args);
    },
    start: (call, args) => {
      const started = { isAnswered: options.isLate !== true };
      asked.push({ call, args });
      if (!started.isAnswered) underWay.push(started);
      return {
        answer: () => (started.isAnswered ? { value: answer(call, args) } : undefined),
        wait: () => {
          const last = underWay.pop();
          if (last === undefined) throw new Error('nothing is under way');
          last.isAnswered = true;
        },
      };
    },
  });
  return { ...wasi, of: (name) => wasi.imports[name] as Functions, calls, asked };
}

/** The value that a guest gets as the `err` of a result. */
export function payloadOf(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof Error && Object.hasOwn(thrown, 'payload')) {
      return (thrown as Error & { payload: unknown }).payload;
    }
    throw thrown;
  }
  throw new Error('the call succeeded');
}
