import type { WasiImports, WasiOutcome } from './create-wasi-imports.ts';

const nothing = new Uint8Array();
const outcome: WasiOutcome = {
  ...{ stdout: nothing, stderr: nothing, exitCode: undefined, overflow: undefined },
  lost: [],
};

/** For a component without WASI: making all of it takes longer than a call. */
export const withoutWasi: WasiImports = {
  isAbsent: true,
  imports: {},
  begin: () => {},
  finish: () => outcome,
  discard: () => outcome,
};

/** Whether glue takes anything of WASI: it names each interface in these words, and no other way. */
export function takesWasi(glue: string): boolean {
  return glue.includes("imports['wasi:");
}
