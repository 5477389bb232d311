import { watWorld } from '../../../support/wat-world.ts';
import { keepBytes } from '../../support/build-guest.ts';

const keep = async (core: string, world: string): Promise<string> => {
  const bytes = await watWorld(core, `package test:liar@0.1.0; world w { ${world} } ${wasi}`);
  return keepBytes('abi-liar', bytes, { isFolder: true });
};
const wasi = `package wasi:cli@0.2.6 {
  interface exit { exit: func(status: result); }
  interface environment { get-arguments: func() -> list<string>; }
}`;

/** Gives back its text; its `realloc` does what it is told and gives what is left. */
export const reallocating = (body: string): Promise<string> =>
  keep(
    `(module (memory (export "memory") 2)
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) ${body})
      (func (export "go") (param i32 i32) (result i32)
        (i32.store (i32.const 8) (local.get 0))
        (i32.store (i32.const 12) (local.get 1))
        (i32.const 8)))`,
    'export go: func(text: string) -> string;',
  );

/** Gives a number as a value of a type; where the value is larger it lies at address 8. */
export const giving = (type: string, value: number, declared = ''): Promise<string> =>
  keep(
    `(module (memory (export "memory") 1)
      (func (export "go") (result i32)
        (i32.store (i32.const 8) (i32.const ${value}))
        (i32.const ${/^(?:option|result|string)/.test(type) ? 8 : value})))`,
    `${declared} export go: func() -> ${type};`,
  );

/** Exits while the host hands it a text. */
export const exitingInRealloc = (): Promise<string> =>
  keep(
    `(module
      (import "wasi:cli/exit@0.2.6" "exit" (func $exit (param i32)))
      (memory (export "memory") 1)
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
        (call $exit (i32.const 1)) (i32.const 64))
      (func (export "go") (param i32 i32) (result i32) (i32.const 77)))`,
    'import wasi:cli/exit@0.2.6; export go: func(text: string) -> u32;',
  );

/** Exits and catches it, as code with exceptions can, and goes on; `exits` false leaves it out. */
export const catchingExit = (exits: boolean): Promise<string> =>
  keep(
    `(module
      (import "wasi:cli/exit@0.2.6" "exit" (func $exit (param i32)))
      (memory (export "memory") 1)
      (func (export "go") (result i32)
        ${exits ? '(block $caught (try_table (catch_all $caught) (call $exit (i32.const 1))))' : ''}
        (i32.const 77)))`,
    'import wasi:cli/exit@0.2.6; export go: func() -> u32;',
  );

/** Exits before anybody has called it. */
export const exitingAtStart = (): Promise<string> =>
  keep(
    `(module
      (import "wasi:cli/exit@0.2.6" "exit" (func $exit (param i32)))
      (memory (export "memory") 1)
      (func $begin (call $exit (i32.const 1)))
      (start $begin)
      (func (export "go") (result i32) (i32.const 77)))`,
    'import wasi:cli/exit@0.2.6; export go: func() -> u32;',
  );
