import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LoadedPlugin, PluginProcess } from './plugin-process.ts';
import { createSpareProcess } from './process-pool.ts';

/** As much of a process as the spare looks at. */
function fakeStarts() {
  const started: { roots: unknown; prepared: number; rehearsed: unknown[]; ended: boolean }[] = [];
  const start = (roots: unknown): PluginProcess => {
    const one = {
      roots,
      prepared: 0,
      rehearsed: [] as unknown[],
      ended: false,
      prepare: () => {
        one.prepared += 1;
      },
      rehearse: (plugin: unknown) => {
        one.rehearsed.push(plugin);
      },
      [Symbol.asyncDispose]: async () => {
        one.ended = true;
      },
    };
    started.push(one);
    return one as unknown as PluginProcess;
  };
  return { started, start };
}

const calm = async (until: () => boolean): Promise<void> => {
  while (!until()) await pause(10);
};

describe('createSpareProcess()', () => {
  it('starts one when it is calm, and gives it for the same roots and no others', async () => {
    const { started, start } = fakeStarts();
    await using spare = createSpareProcess({ start, shared: () => [], example: () => undefined });
    spare.keep({ work: '/a' });
    spare.keep({ work: '/a' });
    expect(started).toEqual([]);
    await calm(() => started.length > 0);
    expect(started).toMatchObject([{ roots: { work: '/a' }, prepared: 1 }]);
    expect(spare.take({})).toBeUndefined();
    expect(spare.take({ work: '/b' })).toBeUndefined();
    expect(spare.take({ work: '/a' })).toBe(started[0]);
    expect(spare.take({ work: '/a' })).toBeUndefined();
  });

  it('has it try out the example, where there is one', async () => {
    const example = { open: {}, files: () => [] } as unknown as LoadedPlugin;
    for (const [given, expected] of [
      [example, [example]],
      [undefined, []],
    ] as const) {
      const { started, start } = fakeStarts();
      await using spare = createSpareProcess({ start, shared: () => [], example: () => given });
      spare.keep({});
      await calm(() => started.length > 0);
      expect(started[0]?.rehearsed).toEqual(expected);
    }
  });

  it('ends one that nobody took, and gives none that has ended', async () => {
    const { started, start } = fakeStarts();
    const spare = createSpareProcess({ start, shared: () => [], example: () => undefined });
    spare.keep({});
    await calm(() => started.length === 1);
    spare.keep({ work: '/a' });
    await calm(() => started.length === 2);
    expect(started[0]?.ended).toBe(true);
    await spare[Symbol.asyncDispose]();
    expect(started[1]?.ended).toBe(true);
    expect(spare.take({ work: '/a' })).toBeUndefined();
  });
});
