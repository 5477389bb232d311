/** Packages take it along while they are set up; what calls it is told what helps. */
const fetch = async (): Promise<never> => {
  throw new TypeError('a plugin has no fetch: use the capability http');
};

Object.assign(globalThis, { fetch });
