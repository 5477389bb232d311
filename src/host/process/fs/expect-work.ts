import { once } from '../../../lib/once.ts';

/**
 * A plugin process is started with flags that put the middle compiler for JavaScript off: the pages
 * of it that are read for a few calls are 3 MB, and it gains them nothing. Whoever is about to look
 * through a large tree has it back as the engine brings it. Takes 2 ms, the first time.
 */
export const expectWork = once((): void => {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of engineDefaults) setFlagsFromString(flag);
});

/** Of V8 14; in place of those in `engineFlags`. */
const engineDefaults = [
  '--invocation-count-for-maglev=400',
  '--invocation-count-for-maglev-osr=100',
];
