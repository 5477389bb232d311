import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { copyProgram, everyType, exactAdder } from '../support/wat-world.ts';
import { adder } from './guests/trapper/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { inspectMutations } from './support/inspect-mutations.ts';
import { expectSuccess, usePlace } from './support/place.ts';

let originals: Record<string, Uint8Array>;
const place = usePlace({
  fill: async () => {
    originals = {
      plugin: readFileSync(await adder(10)),
      functions: await everyType(),
      exact: await exactAdder(),
      program: await copyProgram(),
    };
  },
});

async function expectReports(seed: number): Promise<void> {
  const counts = await inspectMutations(originals, { count: 20, seed });
  expect(counts.crashes).toEqual([]);
  expect(counts.late).toBe(0);
  expect(counts.installable + counts.unread + counts.refused).toBe(20);
  expect(counts.readMs).toBeLessThan(2_000);
  expect(counts.memory.child).toBeLessThan(300 * 1024 * 1024);
  // The changes reached the reader and the transpiler: neither count says so by itself.
  expect(counts.unread).toBeGreaterThan(0);
  expect(counts.installable + counts.refused).toBeGreaterThan(0);
}

/** Ten thousand of them: `npm run test:escape:long -- binaries`. */
escapeCase('mutated binaries', {
  denied: [
    [
      'twenty of a plugin, of functions and of a program: each gets its report',
      () => expectReports(1),
    ],
    ['a second twenty', () => expectReports(2)],
    ['a third twenty', () => expectReports(3)],
    ['a fourth twenty', () => expectReports(4)],
  ],
  control: [
    'the next good file is installed and runs',
    async () => {
      await place.install(await adder(10));
      expect(expectSuccess(await place.run('adder.go', {}))).toEqual(expect.any(Number));
    },
  ],
});
