import { watGuest } from '../../support/wat-plugin.ts';

/** Gives a result, and does this when it is told that the result was taken. */
export const afterwards = (body: string): Promise<string> =>
  watGuest({
    name: 'late-trapper',
    fields: `(func (export "cabi_post_cuervo:plugin/tools@0.1.0#call") (param i32) ${body})`,
    call: '(call $ok-number (i32.const 7))',
  });
