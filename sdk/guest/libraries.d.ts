// Libraries of the shims that bring no types of their own.

declare module '@jspm/core/nodelibs/assert' {
  export const deepStrictEqual: typeof import('node:assert').deepStrictEqual;
}

declare module '@jspm/core/nodelibs/buffer' {
  export const Buffer: typeof import('node:buffer').Buffer;
}

declare module '@jspm/core/nodelibs/stream' {
  export const promises: typeof import('node:stream').promises;
}

declare module 'core-js-pure/actual/url/index.js' {
  const url: typeof globalThis.URL;
  export default url;
}

declare module 'core-js-pure/actual/url-search-params/index.js' {
  const params: typeof globalThis.URLSearchParams;
  export default params;
}
