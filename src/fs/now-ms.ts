/**
 * Milliseconds on a clock that never goes back. `performance` would say the same, but it is made
 * on its first use, from ten modules of Node: 3 ms of the start of each plugin process.
 */
export function nowMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
