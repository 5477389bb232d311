import { capabilityNames } from '../gen/capabilities.ts';

/** Globals of QuickJS in a component, as `Object.getOwnPropertyNames(globalThis)` lists them, and of the prelude. */
export const engineGlobals: ReadonlySet<string> = new Set(
  `Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError
  InternalError AggregateError SuppressedError Iterator Array parseInt parseFloat isNaN isFinite
  queueMicrotask decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape Infinity
  NaN undefined eval Number Boolean String Math Reflect Symbol DisposableStack globalThis BigInt
  Date RegExp JSON Proxy Map Set WeakMap WeakSet ArrayBuffer SharedArrayBuffer Uint8ClampedArray
  Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array BigInt64Array BigUint64Array
  Float16Array Float32Array Float64Array DataView Promise AsyncDisposableStack WeakRef
  FinalizationRegistry DOMException btoa atob console`
    .split(/\s+/)
    .concat(Object.getOwnPropertyNames(Object.prototype)),
);

export type Shim = {
  /** below `sdk/guest/globals`, without its ending */
  file: string;
  /**
   * `mentioned`: it is small, and there as soon as a name of it occurs; `used`: only where code
   * relies on it, because code that asks for it first has a way without it
   */
  when: 'mentioned' | 'used';
};

const small = (file: string): Shim => ({ file, when: 'mentioned' });
const large = (file: string): Shim => ({ file, when: 'used' });

/** Globals that the SDK has, each by what makes it. */
export const shims: ReadonlyMap<string, Shim> = new Map([
  ['TextEncoder', small('text-encoder')],
  ['TextDecoder', small('text-decoder')],
  ['structuredClone', small('structured-clone')],
  ['setTimeout', small('timers')],
  ['setInterval', small('timers')],
  ['setImmediate', small('timers')],
  ['clearTimeout', small('timers')],
  ['clearInterval', small('timers')],
  ['clearImmediate', small('timers')],
  ['performance', small('performance')],
  ['AbortController', small('abort')],
  ['AbortSignal', small('abort')],
  ['Event', small('events')],
  ['EventTarget', small('events')],
  ['CustomEvent', small('events')],
  // Wrappers look for these to find the global object. If one is missing, some use `window` without
  // a check.
  ['global', small('global')],
  ['self', small('self')],
  ['process', small('process')],
  ['crypto', large('crypto')],
  ['__dirname', large('no-place')],
  ['__filename', large('no-place')],
  ['URL', large('url')],
  ['URLSearchParams', large('url')],
  ['Intl', large('intl')],
  ['Buffer', large('buffer')],
  ['MessageChannel', large('message-channel')],
  // Classes that only throw: code that asks for them first has a way without them.
  ['Blob', large('blobs')],
  ['File', large('blobs')],
  ['fetch', large('fetch')],
  ['Headers', large('fetch-classes')],
  ['Request', large('fetch-classes')],
  ['Response', large('fetch-classes')],
  ['FormData', large('fetch-classes')],
  ['ReadableStream', large('streams')],
  ['WritableStream', large('streams')],
  ['TransformStream', large('streams')],
]);

/** Globals that exist but do not work as code expects, each with the build's note. */
export const hollow: ReadonlyMap<string, string> = new Map([
  ['__dirname', 'is / at run time'],
  ['__filename', 'is /plugin.js at run time'],
  ['fetch', 'is undefined at run time'],
]);

/** What only pages have: a package that relies on them was made for a browser. */
export const pageGlobals: ReadonlySet<string> = new Set(
  `window document navigator location history localStorage sessionStorage XMLHttpRequest DOMParser
  XMLSerializer HTMLElement Element Node NodeFilter Image FileReader requestAnimationFrame
  getComputedStyle MutationObserver CSS customElements ActiveXObject`.split(/\s+/),
);

/** What to do instead, for the globals that authors reach for most. */
const advice: ReadonlyMap<string, string> = new Map([
  ['fetch', 'use the capability http'],
  ['XMLHttpRequest', 'use the capability http'],
  ['WebSocket', 'there are no connections: use the capability http'],
  ['require', 'write import'],
  [
    '__dirname',
    'a plugin has no place on a disk: import the file, or read it with the capability fs',
  ],
  [
    '__filename',
    'a plugin has no place on a disk: import the file, or read it with the capability fs',
  ],
  ['Worker', 'a call runs alone'],
  ['WebAssembly', 'take the JavaScript build of the package'],
  ['localStorage', 'use the capability kv'],
  ['sessionStorage', 'use the capability kv'],
  ['Intl', 'import a library for it'],
]);

/** What the SDK exports, for those who forgot to import it. */
const ofSdk: ReadonlySet<string> = new Set(
  'definePlugin defineTool v paths HostError ToolError'
    .split(' ')
    .concat(
      capabilityNames.map((name) => name.replace(/-./g, ([, letter = '']) => letter.toUpperCase())),
    ),
);

/** @returns what helps where a global is absent */
export function adviceOn(name: string): string {
  const own = advice.get(name);
  if (own !== undefined) return own;
  if (ofSdk.has(name)) return `write import { ${name} } from '@cuervo/sdk'`;
  return pageGlobals.has(name)
    ? 'only pages have it: take another entry of the package, or another package'
    : '--engine starlingmonkey has the APIs of the web, in a component of 12 MB';
}
