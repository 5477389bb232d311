import { once } from '../lib/memo.ts';

/**
 * Plugin processes start without the compilers for JavaScript: a few calls gain nothing by them,
 * nor does a search, which waits for the system. Counting words in a large tree gains, so it turns
 * the compilers back on. Takes 2 ms and 3 MB, the first time.
 */
export const expectWork = once((): void => {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of engineDefaults) setFlagsFromString(flag);
});

/** Flags of V8 14, in place of those in `engineFlags`. */
const engineDefaults = [
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-maglev-osr=100',
  '--invocation-count-for-turbofan=3000',
];
