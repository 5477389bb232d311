/**
 * What an author types instead, by the sentence that says why a component is refused, or one of its
 * functions is no tool: the toolchain that usually makes such a thing, and the next step. The first
 * that fits counts; a sentence that says it itself has no row.
 */
const rows: readonly (readonly [sentence: RegExp, advice: string])[] = [
  [/^it imports wasi:config\//, 'take settings as arguments or as fields of the input'],
  [
    /^it imports wasi:keyvalue\//,
    'keep values in a file (wasi:filesystem), or import cuervo:host/kv@0.1.0',
  ],
  [/^it imports wasi:logging\//, 'write to standard error, which is the log'],
  [
    /^it imports wasi:http\/.*not served/,
    'send requests with wasi:http/outgoing-handler@0.2.x or wasi:http/client@0.3.0',
  ],
  [
    /^it imports wasi:.*not served by this version$/,
    'docs/wasi.md has what is served of WASI 0.2 and 0.3, which cargo builds with --target wasm32-wasip2 and jco componentize by default; wasm-tools component wit FILE shows what a component imports',
  ],
  [
    /^it imports (?:fermyon|spin|wasmcloud|golem|fastly)[:-]/,
    'the SDK of a server platform makes it (Spin, wasmCloud, Golem, Fastly): build the library without that SDK, with wit-bindgen or jco',
  ],
  [
    /^it imports .*(?:which cuervo does not offer|not an interface of cuervo:host)$/,
    'its WIT world asks another component for it: put that one in with: wac plug FILE --plug OTHER.wasm',
  ],
  [
    /^it imports .*(?:but this version offers|that cuervo:host does not have)/,
    'build it with the SDK of this version: cuervo plugin build DIR',
  ],
  [
    /^it is a WIT package/,
    'wasm-tools component wit and wkg wit build make such files: name the component that implements it',
  ],
  [
    /^it exports neither .* nor a function/,
    'export a function in its WIT world, or begin with: cuervo plugin new NAME',
  ],
  [/takes or gives a resource$/, 'give a record instead, or the name of the thing as a string'],
  [
    /takes or gives a (?:stream|future) inside of another value$/,
    'make it the parameter or the result itself, or use list<T> inside',
  ],
  [/takes or gives a (?:stream|future) of nothing$/, 'say of what it is: stream<u8>, future<bool>'],
  [/async without callback$/, 'build it with wit-bindgen or componentize-qjs, which give it one'],
  [/takes or gives an error context$/, 'return result<T, string> instead'],
  [
    /it serves HTTP requests, and cuervo sends none to a plugin$/,
    'the proxy world of jco, componentize-js and Spin makes it: export a function of a world of your own',
  ],
  [/^its manifest wants .*does not import$/, 'leave it out of "wants", or use it'],
  [/^it imports .*its manifest does not declare$/, 'add it to "wants", with a reason'],
  [/which is not a plain name$/, 'name it in small letters and hyphens in the WIT, as read-file'],
  [
    /so its memory cannot be limited$/,
    'wasm-tools compose and wac may put one module in twice: give each part a component of its own',
  ],
];

/** The sentence, and what to do about it where there is something. */
export function withAdvice(sentence: string): string {
  const advice = rows.find(([pattern]) => pattern.test(sentence))?.[1];
  return advice === undefined ? sentence : `${sentence}; ${advice}`;
}
