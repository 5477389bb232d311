import { once } from '../../../lib/once.ts';

/**
 * A plugin process is started with flags that put the compilers for JavaScript off: a few calls gain
 * nothing by them, nor does a search, which waits for the system. Whoever is about to count words in
 * a large tree has them back as the engine brings them. Takes 2 ms and 3 MB, the first time.
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
