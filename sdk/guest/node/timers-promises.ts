import * as timers from '../timers.ts';

export const setTimeout = <Value>(ms?: number, value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => timers.setTimeout(() => resolve(value), ms));
export const setImmediate = <Value>(value?: Value): Promise<Value | undefined> =>
  new Promise((resolve) => timers.setImmediate(() => resolve(value)));
export const scheduler = { wait: setTimeout, yield: () => setImmediate() };
export default { setTimeout, setImmediate, scheduler };
