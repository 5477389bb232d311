/**
 * Node's modules for HTTP, loaded when they are used: an `import` of them reads each of their exports,
 * and with `WebSocket` all that `fetch` is made of, which every start of cuervo would pay for.
 */
export function nodeHttp(): typeof import('node:http') {
  return process.getBuiltinModule('node:http');
}

/** See {@link nodeHttp}. */
export function nodeHttps(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
