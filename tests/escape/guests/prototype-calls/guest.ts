import { watGuest } from '../../support/wat-plugin.ts';

/** Imports one more function of `log`, which the host does not have: every object does. */
export const withFunction = (name: string): Promise<string> =>
  watGuest({
    name: 'prototype-calls',
    wants: ['log'],
    host: (wit) => wit.replace('interface log {', `interface log { %${name}: func(text: string);`),
    imports: `(import "cuervo:host/log@0.1.0" "${name}" (func $extra (param i32 i32)))`,
    call: `
      (call $extra (local.get $input) (local.get $input-len))
      (call $ok-number (i32.const 1))`,
  });

/** Imports what there is. */
export const withLog = (): Promise<string> =>
  watGuest({
    name: 'prototype-calls',
    wants: ['log'],
    imports: '(import "cuervo:host/log@0.1.0" "write" (func $write (param i32 i32 i32)))',
    call: `
      (call $write (i32.const 1) (local.get $input) (local.get $input-len))
      (call $ok-number (i32.const 1))`,
  });
