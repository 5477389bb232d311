import { shallowJson } from './shallow-json.ts';
import { cloneStructured } from './structured-clone.ts';
import { Utf8Decoder, Utf8Encoder } from './text-coding.ts';

/** Host calls that the globals are built on; absent when the plugin does not want them. */
export type PreludeHost = {
  nowMs?: () => number;
  write?: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
};

/**
 * Gives the engine the globals that plugin authors expect. What exists is kept, but for what
 * would trap: `Date`, which asks a WASI clock that is not there, and `JSON.parse` of what is deep.
 */
export function installPrelude(host: PreludeHost): void {
  const target = globalThis as Record<string, unknown>;
  target.TextEncoder ??= Utf8Encoder;
  target.TextDecoder ??= Utf8Decoder;
  target.structuredClone ??= cloneStructured;
  target.console = createConsole(host);
  target.Date = createDate(host);
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

function createDate(host: PreludeHost): DateConstructor {
  const Native = Date;
  const now = (): number => {
    if (host.nowMs === undefined) {
      throw new TypeError('the time needs the capability clock: add it to "wants"');
    }
    return host.nowMs();
  };
  class GuestDate extends Native {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [now()] : values) as [number]));
    }
    static override now(): number {
      return now();
    }
  }
  return GuestDate as unknown as DateConstructor;
}
