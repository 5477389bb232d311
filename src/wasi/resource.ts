/**
 * The error case of a WASI function on its way into the guest: the generated glue sends what
 * stands in `payload` as the `err` of the result. A function without a result traps on it.
 */
export class WasiFailure extends Error {
  override readonly name = 'WasiFailure';
  readonly payload: unknown;

  constructor(payload: unknown) {
    super(typeof payload === 'string' ? payload : 'a WASI call failed');
    this.payload = payload;
  }
}

/**
 * A guest said that it is done. It unwinds the guest's stack and ends the call, not the
 * process; whoever called into the guest catches it.
 */
export class ExitError extends Error {
  override readonly name = 'ExitError';
  /** 0 is success; 0..255 */
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the guest exited with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/**
 * A component writes the types of its imports itself, so an argument can be any value that the glue
 * can make: each is checked before use. A wrong one traps the guest.
 */

/** A `u64`, cut to `max`: what is asked for above it is not given. */
export function lengthOf(value: unknown, max: number): number {
  const exact = u64Of(value);
  return exact > BigInt(max) ? max : Number(exact);
}

export function u64Of(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n && value < 1n << 64n) return value;
  throw new TypeError('an argument is not a u64');
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError('an argument is not a string');
}

export function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('an argument is not a list of bytes');
}

export function flagOf(flags: unknown, name: string): boolean {
  if (typeof flags !== 'object' || flags === null)
    throw new TypeError('an argument is not a flags');
  return (flags as Record<string, unknown>)[name] === true;
}

/** Counts what is alive, whatever it is. */
export type ResourceCount = {
  /** @throws {RangeError} above the limit, which traps the guest */
  take(): void;
  give(): void;
  reset(): void;
};

export function createResourceCount(limit: number): ResourceCount {
  let alive = 0;
  return {
    take: () => {
      if (alive >= limit) throw new RangeError(`more than ${limit} WASI resources at once`);
      alive += 1;
    },
    give: () => {
      // A resource from before a reset may be given back after it.
      if (alive > 0) alive -= 1;
    },
    reset: () => {
      alive = 0;
    },
  };
}

type Method<State> = (state: State, ...args: unknown[]) => unknown;

/** A kind of resource: its class for the glue, and the host's access to its states. */
export type ResourceKind<State extends object> = {
  /** stands in the import object under the resource's name */
  face: object;
  /** a new resource, to be returned to the guest that then owns it */
  make(state: State): object;
  /**
   * The state behind a resource that a guest handed in.
   *
   * @throws {TypeError} for what is no such resource, or is dropped; it traps the guest
   */
  stateOf(value: unknown): State;
  /** As `stateOf`, for a resource that the guest gave away. */
  consume(value: unknown): State;
};

/**
 * Makes a kind of resource whose objects hold nothing that a guest could reach: a component
 * writes the types of its imports itself, may declare constructors and functions that there
 * are not, and may pass a resource of another kind or a handle it made up. The objects have
 * no prototype but the named methods, and their state lies in a map that only the host has.
 *
 * @param options.construct for the kinds that WASI lets a guest make
 * @param options.dropped called once for each resource that the guest dropped
 */
export function defineResource<State extends object>(options: {
  name: string;
  count: ResourceCount;
  methods: Readonly<Record<string, Method<State>>>;
  statics?: Readonly<Record<string, (...args: unknown[]) => unknown>>;
  construct?: (...args: unknown[]) => State;
  dropped?: (state: State) => void;
}): ResourceKind<State> {
  const { name, count, methods, construct, dropped } = options;
  const states = new WeakMap<object, State>();
  const prototype = Object.create(null) as Record<string | symbol, unknown>;

  const make = (state: State): object => {
    count.take();
    const made = Object.create(prototype) as object;
    states.set(made, state);
    return made;
  };
  const stateOf = (value: unknown): State => {
    const state = typeof value === 'object' && value !== null ? states.get(value) : undefined;
    if (state === undefined) throw new TypeError(`no ${name} that the host knows`);
    return state;
  };
  const consume = (value: unknown): State => {
    const state = stateOf(value);
    states.delete(value as object);
    count.give();
    return state;
  };

  for (const [method, run] of Object.entries(methods)) {
    prototype[method] = function (this: unknown, ...args: unknown[]): unknown {
      return run(stateOf(this), ...args);
    };
  }
  prototype[Symbol.dispose] = function (this: object): void {
    if (states.has(this)) {
      const state = consume(this);
      dropped?.(state);
    }
  };

  function face(...args: unknown[]): object {
    if (construct === undefined) throw new TypeError(`a ${name} is made by the host alone`);
    return make(construct(...args));
  }
  face.prototype = prototype;
  Object.setPrototypeOf(face, null);
  Object.assign(face, options.statics);
  return { face, make, stateOf, consume };
}
