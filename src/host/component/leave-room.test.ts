import { describe, expect, it } from 'vitest';
import { readMemories } from './bound-module.ts';
import { leaveRoom } from './leave-room.ts';
import { engine, fromWat } from './test-binaries.ts';

const producers = (by: string): string => `(@producers (processed-by "${by}" "1.0"))`;
const module = (
  by: string,
  memory = '(memory (export "memory") 4)',
): Promise<Uint8Array<ArrayBuffer>> =>
  fromWat(`(module ${producers(by)} ${memory} (func (export "_start")) (data (i32.const 8) "x"))`);
const memoriesOf = (bytes: Uint8Array) => readMemories(bytes);

describe('leaveRoom()', () => {
  it.each(['Go cmd/compile', 'TinyGo'])(
    'begins at the middle between what a module of %s wants and its bound',
    async (by) => {
      const roomy = leaveRoom(await module(by), 1001);
      expect(memoriesOf(roomy)).toEqual([{ minPages: 503, maxPages: 1001, imported: false }]);
      expect(engine.validate(Uint8Array.from(roomy))).toBe(true);
    },
  );

  it('keeps what an allocator could believe to own away from what is grown first', async () => {
    for (const [min, maxPages] of [
      [1, 4096],
      [77, 100],
      [4094, 4096],
    ] as const) {
      const bytes = await module('Go cmd/compile', `(memory (export "memory") ${min} ${maxPages})`);
      const [{ minPages } = { minPages: 0 }] = memoriesOf(leaveRoom(bytes, maxPages));
      const adapterPages = 2;
      const grownAtMost = maxPages - minPages - adapterPages;
      expect(min + grownAtMost).toBeLessThanOrEqual(minPages);
    }
  });

  it.each(['rustc', 'clang', 'Gopher'])('leaves a module of %s as it is', async (by) => {
    const bytes = await module(by);
    expect(leaveRoom(bytes, 1000)).toBe(bytes);
  });

  it.each(['(memory i64 1)', '(memory 1 2 shared)', '(memory 1) (memory 1)', '(memory 1000)', ''])(
    'leaves a module with "%s" to be judged as it is',
    async (memory) => {
      const bytes = await module('Go', memory).catch(() => undefined);
      // No data goes into a memory that is not there.
      if (bytes === undefined) return expect(memory).toBe('');
      expect(leaveRoom(bytes, 1000)).toBe(bytes);
    },
  );
});
