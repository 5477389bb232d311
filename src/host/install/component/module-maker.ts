/** A host other than WASI, and the imports that tell a toolchain's module for it. */
type Maker = {
  /** of `MODULE.FIELD` */
  imports: RegExp;
  /** true: all that is not of WASI has to look so, because a single one says too little */
  all?: boolean;
  what: string;
  how: string;
};

const forWasi = 'build it for WASI instead';

/** The first that fits counts. */
const makers: readonly Maker[] = [
  {
    imports: /^(?:__wbindgen_placeholder__|wbg|\.\/[^/]+_bg\.js)\./,
    what: 'it is made for JavaScript, by wasm-bindgen',
    how: `${forWasi} (cargo build --target wasm32-wasip2)`,
  },
  {
    imports: /^go(?:js)?\.(?:runtime|syscall\/js)\./,
    what: 'it is made for JavaScript, by Go',
    how: `${forWasi} (GOOS=wasip1 GOARCH=wasm go build)`,
  },
  {
    imports: /^env\._?napi_/,
    what: 'it is an addon for Node.js (Node-API)',
    how: `${forWasi}, as a program or as a component`,
  },
  {
    imports: /^(?:env|GOT\.(?:mem|func))\.(?:__memory_base|__table_base)$/,
    what: 'it is a library that another module loads into its own memory',
    how: 'link it into a program for WASI',
  },
  {
    imports: /^env\.(?:_?emscripten_|__syscall_|_embind_|_abort_js$|invoke_[a-z]+$)/,
    what: 'it is made for JavaScript, by Emscripten',
    how: `${forWasi} (with wasi-sdk)`,
  },
  {
    imports: /^a\.[\w$]{1,2}$/,
    all: true,
    what: 'it is made for JavaScript, and its names are shortened like those of Emscripten',
    how: `${forWasi} (with wasi-sdk)`,
  },
  {
    imports: /^wasi_unstable\./,
    what: 'it is made for WASI before preview 1',
    how: 'build it with a newer toolchain, for WASI 0.2 or preview 1',
  },
  {
    imports: /^wasi\.thread-spawn$/,
    what: 'it starts threads, and plugins have none',
    how: 'build it without threads (for Rust: --target wasm32-wasip1)',
  },
  {
    imports: /^wasi:[a-z-]+\/[a-z-]+@0\.2\./,
    what: 'it is made to be a part of a component',
    how: 'make a component of it (wasm-tools component new), or name the component that holds it',
  },
];

/**
 * The host that a core module is made for, if not for WASI preview 1, and the next step.
 *
 * @param strange imports that are not of WASI preview 1, as `MODULE.FIELD`
 * @returns undefined when the imports do not tell
 */
export function moduleMaker(strange: readonly string[]): { what: string; how: string } | undefined {
  return makers.find(({ imports, all = false }) =>
    all
      ? strange.length > 0 && strange.every((name) => imports.test(name))
      : strange.some((name) => imports.test(name)),
  );
}
