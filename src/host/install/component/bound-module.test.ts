import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../tests/support/runs.ts';
import { engine, fromWat } from '../../../../tests/support/test-binaries.ts';
import { KernelError } from '../../../contracts/error.ts';
import { boundModule, planMemoryBounds, planTableBounds, readMemories } from './bound-module.ts';

const page = 65_536;
const loose = { maxPages: 65_536, maxTableElements: 10_000_000 };

type Exports = {
  grow: (by: number) => number;
  memory: { buffer: ArrayBuffer };
  table: { length: number };
};

function run(bytes: Uint8Array, imports: object = {}): Exports {
  const module = new engine.Module(Uint8Array.from(bytes));
  return new engine.Instance(module, imports).exports as Exports;
}

function refusal(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('plugin-fault');
    return thrown.message;
  }
}

const growing = (declaration: string) => `(module ${declaration}
  (func (export "grow") (param i32) (result i32) local.get 0 memory.grow)
  (data (i32.const 0) "kept"))`;

describe('boundModule() and memories', () => {
  it('stops growth at the bound, and not before', async () => {
    const bytes = await fromWat(growing('(memory (export "memory") 1)'));
    const bounded = run(boundModule(bytes, { ...loose, maxPages: 4 }));
    expect(bounded.grow(3)).toBe(1);
    expect(bounded.grow(1)).toBe(-1);
    expect(bounded.memory.buffer.byteLength).toBe(4 * page);
    expect(Buffer.from(bounded.memory.buffer, 0, 4).toString()).toBe('kept');
    expect(run(boundModule(bytes, { ...loose, maxPages: 4 })).grow(4)).toBe(-1);
  });

  it('is what stops it: the module as it was grows past the bound', async () => {
    const free = run(await fromWat(growing('(memory (export "memory") 1)')));
    expect(free.grow(4)).toBe(1);
    expect(free.memory.buffer.byteLength).toBe(5 * page);
  });

  it('keeps a smaller maximum and lowers a larger one', async () => {
    const small = run(
      boundModule(await fromWat(growing('(memory 1 2)')), { ...loose, maxPages: 4 }),
    );
    expect(small.grow(1)).toBe(1);
    expect(small.grow(1)).toBe(-1);
    const large = run(
      boundModule(await fromWat(growing('(memory 1 9)')), { ...loose, maxPages: 4 }),
    );
    expect(large.grow(4)).toBe(-1);
    expect(large.grow(3)).toBe(1);
  });

  it('bounds each of several memories by its own bound', async () => {
    const bytes = await fromWat(`(module (memory 1) (memory 1)
      (func (export "a") (param i32) (result i32) local.get 0 memory.grow 0)
      (func (export "b") (param i32) (result i32) local.get 0 memory.grow 1))`);
    const bounded = boundModule(bytes, { ...loose, maxPages: [2, 3] });
    const { a, b } = new engine.Instance(new engine.Module(Uint8Array.from(bounded)))
      .exports as Record<'a' | 'b', (by: number) => number>;
    expect([a(2), a(1), a(1)]).toEqual([-1, 1, -1]);
    expect([b(3), b(2), b(1)]).toEqual([-1, 1, -1]);
  });

  it('refuses an initial size above the bound, naming both', async () => {
    const bytes = await fromWat('(module (memory 5))');
    expect(refusal(() => boundModule(bytes, { ...loose, maxPages: 4 }))).toBe(
      'memory 0 of a core module starts with 5 pages of 64 KiB, limit 4',
    );
  });

  it.each([
    ['64-bit', '(module (memory i64 1))'],
    ['shared', '(module (memory 1 2 shared))'],
    ['page size', '(module (memory 1 (pagesize 1)))'],
    ['64-bit', '(module (table i64 1 funcref))'],
    ['64-bit', '(module (import "a" "b" (memory i64 1)))'],
  ])('refuses %s in %s', async (what, wat) => {
    const bytes = await fromWat(wat);
    const message = refusal(() => {
      readMemories(bytes);
      boundModule(bytes, loose);
    });
    expect(message).toContain(what);
  });
});

describe('boundModule() and tables', () => {
  const wat = (table: string) => `(module ${table}
    (func (export "grow") (param i32) (result i32) ref.null func local.get 0 table.grow 0))`;

  it('stops growth at the bound, and not before; without it the table goes on', async () => {
    const bytes = await fromWat(wat('(table (export "table") 1 funcref)'));
    const bounded = run(boundModule(bytes, { ...loose, maxTableElements: 10 }));
    expect(bounded.grow(9)).toBe(1);
    expect(bounded.grow(1)).toBe(-1);
    expect(bounded.table.length).toBe(10);
    expect(run(bytes).grow(10)).toBe(1);
  });

  it.each([
    ['typed references', '(table 1 (ref null func))'],
    ['an initial value', '(func $f) (table 1 (ref func) (ref.func $f)) (elem declare func $f)'],
    ['external references', '(table 1 2000 externref)'],
    ['several tables', '(table 1 funcref) (table 2 3 externref)'],
  ])('keeps %s valid', async (_name, declaration) => {
    const bytes = await fromWat(`(module ${declaration})`);
    const bounded = boundModule(bytes, { ...loose, maxTableElements: 10 });
    expect(() => run(bounded)).not.toThrow();
    expect(Buffer.compare(bytes, bounded)).not.toBe(0);
  });

  it('refuses an initial size above the bound and a computed initial value', async () => {
    const large = await fromWat('(module (table 11 funcref))');
    expect(refusal(() => boundModule(large, { ...loose, maxTableElements: 10 }))).toBe(
      'table 0 of a core module starts with 11 elements, limit 10',
    );
    const computed = await fromWat('(module (table 1 (ref i31) (ref.i31 (i32.const 1))))');
    expect(refusal(() => boundModule(computed, loose))).toContain('computed');
  });
});

describe('boundModule() and the rest of a module', () => {
  it('leaves a module without memory and table as it is', async () => {
    const bytes = await fromWat('(module (func (export "f") (result i32) i32.const 7))');
    expect(Buffer.compare(boundModule(bytes, loose), bytes)).toBe(0);
  });

  it('does not bound what is imported: the memory of another module stays that one’s', async () => {
    const bytes = await fromWat(
      `(module (import "m" "m" (memory 1)) (func (export "grow") (param i32) (result i32) local.get 0 memory.grow))`,
    );
    const bounded = boundModule(bytes, { ...loose, maxPages: 2 });
    const memory = new engine.Memory({ initial: 1, maximum: 3 });
    expect(run(bounded, { m: { m: memory } }).grow(2)).toBe(1);
    expect(readMemories(bytes)).toEqual([{ minPages: 1, imported: true }]);
  });

  it('throws plugin-fault and nothing else for changed bytes, and always leaves a bound', async () => {
    const bytes = await fromWat(
      growing('(import "m" "f" (func)) (table 3 funcref) (memory (export "memory") 1)'),
    );
    let bounded = 0;
    fc.assert(
      fc.property(fc.nat(), fc.nat(255), (place, value) => {
        const changed = Uint8Array.from(bytes);
        changed[8 + (place % (bytes.length - 8))] = value;
        let result: Uint8Array | undefined;
        const message = refusal(() => {
          readMemories(changed);
          result = boundModule(changed, { maxPages: 4, maxTableElements: 10 });
        });
        if (message !== undefined || !result || !engine.validate(Uint8Array.from(result))) return;
        bounded += 1;
        for (const memory of readMemories(result)) {
          if (!memory.imported) expect(memory.maxPages).toBeLessThanOrEqual(4);
        }
      }),
      { seed: 20_261_121, numRuns: runs(5_000) },
    );
    expect(bounded).toBeGreaterThan(runs(100));
  });
});

describe('planMemoryBounds()', () => {
  let modules: Uint8Array[];
  beforeAll(async () => {
    modules = await Promise.all(
      [
        '(module (memory 2))',
        '(module (memory 20))',
        '(module (func))',
        '(module (import "a" "m" (memory 1)) (memory 40) (memory 0 3))',
      ].map(fromWat),
    );
  });

  it('gives heaps what the others leave, and never more than the limit in sum', () => {
    const [small = [], heap = [], none, more = []] = planMemoryBounds(modules, 256 * 2 ** 20);
    expect({ small, none, adapter: more[1] }).toEqual({ small: [16], none: [], adapter: 3 });
    // Of two modules that were composed each can grow; neither by what the other has.
    expect(heap[0]).toBe(20 + Math.floor((4096 - 16 - 3 - 60) / 2));
    expect((heap[0] ?? 0) + (more[0] ?? 0)).toBe(4096 - 16 - 3);
  });

  it('gives a heap alone all that the others leave', async () => {
    const alone = await Promise.all(['(module (memory 30))', '(module (memory 2))'].map(fromWat));
    expect(planMemoryBounds(alone, 256 * 2 ** 20)).toEqual([[4080], [16]]);
    const bounded = ['(module (memory 30))', '(module (memory 20 24))'];
    expect(planMemoryBounds(await Promise.all(bounded.map(fromWat)), 2 ** 24)).toEqual([
      [256 - 24],
      [24],
    ]);
  });

  it('fits exactly, and refuses one byte less, naming both', () => {
    const needed = (16 + 20 + 40 + 3) * page;
    expect(planMemoryBounds(modules, needed).flat()).toEqual([16, 20, 40, 3]);
    expect(refusal(() => planMemoryBounds(modules, needed - 1))).toBe(
      `its 4 memories need ${needed} bytes to start with, limit ${needed - 1} for one component (limits.max-memory-bytes)`,
    );
  });

  it('never plans above the limit, for any memories', async () => {
    const sizes = fc.array(fc.tuple(fc.nat(64), fc.option(fc.nat(64), { nil: undefined })), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(200), async (memories, maxPages) => {
        const wats = memories.map(
          ([min, more]) => `(memory ${min} ${more === undefined ? '' : min + more})`,
        );
        const bytes = await fromWat(`(module ${wats.join('')})`);
        refusal(() => {
          const [bounds = []] = planMemoryBounds([bytes], maxPages * page);
          const result = readMemories(boundModule(bytes, { ...loose, maxPages: bounds }));
          const sum = result.reduce((total, memory) => total + (memory.maxPages ?? 65_536), 0);
          expect(sum).toBeLessThanOrEqual(maxPages);
        });
      }),
      { seed: 20_261_121, numRuns: 100 },
    );
  });

  it('plans nothing where there is no memory', async () => {
    expect(planMemoryBounds([await fromWat('(module)')], 0)).toEqual([[]]);
  });
});

describe('planTableBounds()', () => {
  it('bounds the sum of the tables of all modules', async () => {
    const modules = await Promise.all(
      [
        '(module (table 2 funcref) (table 5000 funcref))',
        '(module (memory 1))',
        '(module (table 7 7 externref))',
      ].map(fromWat),
    );
    const plan = planTableBounds(modules, 10_000);
    expect(plan).toEqual([[1024, 10_000 - 1024 - 7], [], [7]]);
    modules.forEach((bytes, index) => {
      const bounds = { ...loose, maxTableElements: plan[index] ?? [] };
      expect(engine.validate(Uint8Array.from(boundModule(bytes, bounds)))).toBe(true);
    });
    expect(refusal(() => planTableBounds(modules, 6030))).toBe(
      'its 3 tables need 6031 elements to start with, limit 6030 for one component',
    );
  });

  it('refuses many large tables that one bound for each would let through', async () => {
    const bytes = await fromWat(`(module ${'(table 900 funcref)'.repeat(100)})`);
    expect(() => boundModule(bytes, { ...loose, maxTableElements: 1_000 })).not.toThrow();
    expect(refusal(() => planTableBounds([bytes], 1_000))).toContain('its 100 tables need');
  });
});
