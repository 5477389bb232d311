import { watCommand } from '../../support/wat-command.ts';

const http = `
  interface types {
    use wasi:io/poll@0.2.6.{pollable};
    variant scheme { HTTP, HTTPS, other(string) }
    variant error-code { HTTP-request-denied, connection-refused, internal-error(option<string>) }
    resource fields { constructor(); }
    resource outgoing-request {
      constructor(headers: fields);
      set-scheme: func(scheme: option<scheme>) -> result;
      set-authority: func(authority: option<string>) -> result;
    }
    resource request-options;
    resource incoming-response { status: func() -> u16; }
    resource future-incoming-response {
      subscribe: func() -> pollable;
      get: func() -> option<result<result<incoming-response, error-code>>>;
    }
  }
  interface outgoing-handler {
    use types.{outgoing-request, request-options, future-incoming-response, error-code};
    handle: func(request: outgoing-request, options: option<request-options>)
      -> result<future-incoming-response, error-code>;
  }`;

/**
 * Asks an authority for `/`, and exits with the status, or with 10 and the number of the error
 * that it is told by `handle`, 20 and that of the answer.
 */
export const calling = (authority: string): Promise<string> =>
  watCommand({
    name: 'wasi-caller',
    packages: { http, io: 'interface poll { resource pollable { block: func(); } }' },
    imports: ['wasi:io/poll@0.2.6', 'wasi:http/types@0.2.6', 'wasi:http/outgoing-handler@0.2.6'],
    core: `
      (import "wasi:io/poll@0.2.6" "[method]pollable.block" (func $block (param i32)))
      (import "wasi:http/types@0.2.6" "[constructor]fields" (func $fields (result i32)))
      (import "wasi:http/types@0.2.6" "[constructor]outgoing-request" (func $request (param i32) (result i32)))
      (import "wasi:http/types@0.2.6" "[method]outgoing-request.set-scheme"
        (func $scheme (param i32 i32 i32 i32 i32) (result i32)))
      (import "wasi:http/types@0.2.6" "[method]outgoing-request.set-authority"
        (func $authority (param i32 i32 i32 i32) (result i32)))
      (import "wasi:http/types@0.2.6" "[method]future-incoming-response.subscribe"
        (func $subscribe (param i32) (result i32)))
      (import "wasi:http/types@0.2.6" "[method]future-incoming-response.get" (func $get (param i32 i32)))
      (import "wasi:http/types@0.2.6" "[method]incoming-response.status"
        (func $status (param i32) (result i32)))
      (import "wasi:http/outgoing-handler@0.2.6" "handle" (func $handle (param i32 i32 i32 i32)))
      (data (i32.const 64) "${authority}")`,
    run: `
      (local.set $n (call $request (call $fields)))
      (drop (call $scheme (local.get $n) (i32.const 1) (i32.const 0) (i32.const 0) (i32.const 0)))
      (if (call $authority (local.get $n) (i32.const 1) (i32.const 64) (i32.const ${authority.length}))
        (then (call $exit (i32.const 9))))
      (call $handle (local.get $n) (i32.const 0) (i32.const 0) (i32.const 256))
      (if (i32.load8_u (i32.const 256))
        (then (call $exit (i32.add (i32.const 10) (i32.load8_u (i32.const 260))))))
      (local.set $n (i32.load (i32.const 260)))
      (call $block (call $subscribe (local.get $n)))
      (call $get (local.get $n) (i32.const 512))
      (if (i32.load8_u (i32.const 520))
        (then (call $exit (i32.add (i32.const 20) (i32.load8_u (i32.const 524))))))
      (call $exit (call $status (i32.load (i32.const 524))))`,
  });
