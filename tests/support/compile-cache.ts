import { resolve } from 'node:path';

/** For a child that runs the sources: what Node made of them in the children before it. */
export const compileCache = {
  NODE_COMPILE_CACHE: resolve(
    import.meta.dirname,
    '../../node_modules/.cache/cuervo-compiled-sources',
  ),
};
