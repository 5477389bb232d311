import { guestHost } from './guest-host.ts';

type Timer = { id: number; dueMs: number; everyMs: number | undefined; run: () => void };

/*
 * Timers of one call. No time passes in a guest that waits: the timer that is due first fires as
 * soon as no job is left, and it is then as late as it wanted to be.
 */
const waiting: Timer[] = [];
let nextId = 1;
let nowMs = 0;

type Callback = (...values: unknown[]) => void;

/** What Node's timers can do, and a number where one is wanted. */
class Handle {
  readonly #id: number;

  constructor(id: number) {
    this.#id = id;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    const timer = waiting.find(({ id }) => id === this.#id);
    if (timer !== undefined) timer.dueMs = nowMs + (timer.everyMs ?? 0);
    return this;
  }

  close(): this {
    clear(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.#id;
  }
}

function add(run: Callback, delay: unknown, values: unknown[], isRepeated: boolean): Handle {
  if (typeof run !== 'function') throw new TypeError('a timer takes a function');
  const ms = Math.max(1, Number(delay) || 0);
  const id = nextId;
  nextId += 1;
  const everyMs = isRepeated ? ms : undefined;
  waiting.push({ id, dueMs: nowMs + ms, everyMs, run: () => run(...values) });
  return new Handle(id);
}

function clear(handle: unknown): void {
  if (handle === undefined || handle === null) return;
  const wanted = Number(handle);
  const index = waiting.findIndex(({ id }) => id === wanted);
  if (index >= 0) waiting.splice(index, 1);
}

function fire(): boolean {
  let first: Timer | undefined;
  for (const timer of waiting) if (first === undefined || timer.dueMs < first.dueMs) first = timer;
  if (first === undefined) return false;
  nowMs = Math.max(nowMs, first.dueMs);
  if (first.everyMs === undefined) waiting.splice(waiting.indexOf(first), 1);
  else first.dueMs = nowMs + first.everyMs;
  first.run();
  return true;
}

export const setTimeout = (run: Callback, ms?: number, ...values: unknown[]): Handle =>
  add(run, ms, values, false);
export const setInterval = (run: Callback, ms?: number, ...values: unknown[]): Handle =>
  add(run, ms, values, true);
export const setImmediate = (run: Callback, ...values: unknown[]): Handle =>
  add(run, 0, values, false);
export const clearTimeout = clear;
export const clearInterval = clear;
export const clearImmediate = clear;

guestHost.fireTimer = fire;
