/** Packages read `fetch` while they are set up; a call throws and names the alternative. */
const fetch = async (): Promise<never> => {
  throw new TypeError('a plugin has no fetch: use the capability http');
};

Object.assign(globalThis, { fetch });
