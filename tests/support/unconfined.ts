import type { Confine } from '../../src/contracts/confined-program.ts';

/** Starts a program of the sources as it is, for tests that are not about what confines it. */
export const unconfined: Confine = async ({ entry, args = [] }) => ({
  program: process.execPath,
  args: [entry, ...args],
  env: {},
  inherited: [],
  find: (path) => path,
});
