/** The time, taken at the root and passed down. */
export type Clock = { nowMs(): number };

export const systemClock: Clock = { nowMs: () => Date.now() };

/** For how long something takes: it never jumps, and stands still while the machine sleeps. */
export const steadyClock: Clock = { nowMs: () => Math.round(performance.now()) };
