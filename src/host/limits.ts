/**
 * Limits per plugin and call. A person can set each in `config.toml`, but for `maxTableElements` and
 * `maxPluginBytes`.
 */
export type HostLimits = {
  /** wall time of one call */
  callTimeoutMs: number;
  /** until a plugin process is ready */
  startTimeoutMs: number;
  /** until a component is transpiled */
  transpileTimeoutMs: number;
  /** linear memory summed over one instance of a component */
  maxMemoryBytes: number;
  /** elements summed over the tables of one instance of a component */
  maxTableElements: number;
  maxResultBytes: number;
  maxHostCalls: number;
  /** what a plugin gets at most that asks for more in its manifest */
  maxAskedHostCalls: number;
  maxLogBytes: number;
  /** requests of one plugin that leave the sandbox: programs and HTTP */
  maxRequestsPerMinute: number;
  /** bytes of a `.wasm` file */
  maxPluginBytes: number;
};

export const defaultLimits: HostLimits = {
  callTimeoutMs: 30_000,
  startTimeoutMs: 10_000,
  transpileTimeoutMs: 60_000,
  maxMemoryBytes: 256 * 1024 * 1024,
  maxTableElements: 1_000_000,
  maxResultBytes: 1024 * 1024,
  maxHostCalls: 1000,
  maxAskedHostCalls: 20_000,
  maxLogBytes: 64 * 1024,
  maxRequestsPerMinute: 300,
  maxPluginBytes: 64 * 1024 * 1024,
};

/**
 * Host calls that one call of a plugin may make: what it asks for, where that is more than others
 * get and the person did not lower theirs.
 *
 * @param asked by the manifest; undefined where it does not
 */
export function hostCallsOf(
  asked: number | undefined,
  { maxHostCalls, maxAskedHostCalls }: Pick<HostLimits, 'maxHostCalls' | 'maxAskedHostCalls'>,
): number {
  if (asked === undefined || maxHostCalls < defaultLimits.maxHostCalls) return maxHostCalls;
  return Math.max(maxHostCalls, Math.min(asked, maxAskedHostCalls));
}
