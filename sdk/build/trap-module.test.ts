import { describe, expect, it } from 'vitest';
import { readCoreModule } from './core-module.ts';
import { trapModule } from './trap-module.ts';

/** `(func (param i32) (result i32))` and `(func)` */
const number = Uint8Array.of(0x60, 0x01, 0x7f, 0x01, 0x7f);
const nothing = Uint8Array.of(0x60, 0x00, 0x00);

describe('trapModule()', () => {
  it('traps in each function but an idle one, which comes back', () => {
    const bytes = trapModule([
      { name: 'wasi:io/poll@0.2.0#poll', type: number },
      { name: 'reset', type: nothing, isIdle: true },
    ]);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(bytes)));
    const { reset, ...others } = exports as Record<string, () => unknown>;
    expect(reset?.()).toBeUndefined();
    expect(() => others['wasi:io/poll@0.2.0#poll']?.()).toThrow('unreachable');
    expect(readCoreModule(bytes)).toEqual({
      imports: [],
      exports: ['wasi:io/poll@0.2.0#poll', 'reset'],
    });
  });
});
