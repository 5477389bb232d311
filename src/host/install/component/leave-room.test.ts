import { describe, expect, it } from 'vitest';
import { engine, fromWat } from '../../../../tests/support/test-binaries.ts';
import { readMemories } from './bound-module.ts';
import { leaveRoom } from './leave-room.ts';

const module = (
  by: string,
  memory = '(memory (export "memory") 4)',
  version = '1.0',
): Promise<Uint8Array<ArrayBuffer>> =>
  fromWat(`(module (@producers (processed-by "${by}" "${version}")) ${memory}
    (func (export "_start")) (data (i32.const 8) "x"))`);
const memoriesOf = (bytes: Uint8Array) => readMemories(bytes);

describe('leaveRoom()', () => {
  it.each(['Go cmd/compile', 'TinyGo'])(
    'leaves a module of %s nothing to grow but the pages of the adapter',
    async (by) => {
      const roomy = leaveRoom(await module(by), 1001);
      expect(memoriesOf(roomy)).toEqual([{ minPages: 999, maxPages: 1001, imported: false }]);
      expect(engine.validate(Uint8Array.from(roomy))).toBe(true);
    },
  );

  it.each(['rustc', 'clang', 'Gopher'])('leaves a module of %s as it is', async (by) => {
    const bytes = await module(by);
    expect(leaveRoom(bytes, 1000)).toBe(bytes);
  });

  it('knows by its version which Go looks where its memory grew', async () => {
    const by = async (version: string): Promise<boolean> => {
      const bytes = await module('Go cmd/compile', undefined, version);
      return leaveRoom(bytes, 1000) === bytes;
    };
    for (const version of ['go1.21.0', 'go1.23', 'go1.9.2']) expect(await by(version)).toBe(true);
    const newer = ['go1.24.0', 'go1.26.8', 'go1.30', 'go1.200', 'go2.1', 'devel'];
    for (const version of newer) expect(await by(version)).toBe(false);
  });

  it.each(['(memory i64 1)', '(memory 1 2 shared)', '(memory 1) (memory 1)', '(memory 998)', ''])(
    'leaves a module with "%s" to be judged as it is',
    async (memory) => {
      const bytes = await module('Go', memory).catch(() => undefined);
      // No data goes into a memory that is missing.
      if (bytes === undefined) return expect(memory).toBe('');
      expect(leaveRoom(bytes, 1000)).toBe(bytes);
    },
  );
});
