/** What the library for `node:url` does not have. */
const Params = URLSearchParams;

export { Params as URLSearchParams };
