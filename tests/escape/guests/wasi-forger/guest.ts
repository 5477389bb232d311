import { watCommand } from '../../support/wat-command.ts';

const filesystem = `
  interface types {
    resource descriptor {
      constructor(root: string);
      sync: func() -> result;
      to-string: func() -> string;
    }
  }
  interface preopens {
    use types.{descriptor};
    get-directories: func() -> list<tuple<descriptor, string>>;
  }`;
const imports = ['wasi:filesystem/types@0.2.6', 'wasi:filesystem/preopens@0.2.6'];
const core = `
  (import "wasi:filesystem/preopens@0.2.6" "get-directories" (func $preopens (param i32)))
  (import "wasi:filesystem/types@0.2.6" "[constructor]descriptor" (func $make (param i32 i32) (result i32)))
  (import "wasi:filesystem/types@0.2.6" "[method]descriptor.sync" (func $sync (param i32) (result i32)))
  (import "wasi:filesystem/types@0.2.6" "[method]descriptor.to-string" (func $to-string (param i32 i32)))
  (data (i32.const 64) "work:")`;
const forger = (run: string): Promise<string> =>
  watCommand({ name: 'wasi-forger', packages: { filesystem }, imports, core, run });

/** Makes a descriptor of a root by a constructor that WASI does not have. */
export const constructed = (): Promise<string> =>
  forger('(drop (call $sync (call $make (i32.const 64) (i32.const 5))))');

/** Uses a handle that nobody gave it. */
export const guessed = (handle: number): Promise<string> =>
  forger(`(drop (call $sync (i32.const ${handle})))`);

/** Calls what every object of JavaScript has. */
export const inherited = (): Promise<string> =>
  forger(`
    (call $preopens (i32.const 128))
    (call $to-string (i32.load (i32.load (i32.const 128))) (i32.const 256))`);

/** Takes its preopens as they are: exits with 10 and their number, once the first one works. */
export const honest = (): Promise<string> =>
  forger(`
    (call $preopens (i32.const 128))
    (if (call $sync (i32.load (i32.load (i32.const 128)))) (then (call $exit (i32.const 1))))
    (call $exit (i32.add (i32.const 10) (i32.load (i32.const 132))))`);
