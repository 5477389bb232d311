import { nowMs } from './now-ms.ts';
import { shallowJson } from './shallow-json.ts';

/** Host calls that the globals are built on; absent when the plugin does not want them. */
export type PreludeHost = {
  /** the top level of the plugin has run */
  isSetUp?: true;
  nowMs?: () => number;
  write?: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
  randomBytes?: (length: number) => Uint8Array;
  /** fires the timer that is due first; false where none waits, absent without timers */
  fireTimer?: () => boolean;
};

/**
 * Globals of every plugin: `console`, and safe forms of `Date`, which would ask a missing WASI
 * clock, and of `JSON.parse`, which would trap on deep JSON. Other globals are in `globals/`; a
 * plugin gets those that it names.
 */
export function installPrelude(host: PreludeHost): void {
  const target = globalThis as Record<string, unknown>;
  target.console = createConsole(host);
  target.Date = createDate();
  JSON.parse = shallowJson(JSON.parse);
}

function createConsole(host: PreludeHost): Record<string, (...values: unknown[]) => void> {
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...values: unknown[]): void =>
      host.write?.(level, values.map(show).join(' '));
  return {
    debug: line('debug'),
    trace: line('debug'),
    log: line('info'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
  };
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function createDate(): DateConstructor {
  const Native = Date;
  class GuestDate extends Native {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [nowMs()] : values) as [number]));
    }
    static override now(): number {
      return nowMs();
    }
  }
  return GuestDate as unknown as DateConstructor;
}
