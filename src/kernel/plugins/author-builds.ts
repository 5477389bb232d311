import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChild } from '../../host/install/transpile/run-child.ts';
import { wrapModule } from '../../host/install/transpile/transpile-component.ts';
import { defaultLimits } from '../../host/limits.ts';
import { closedFlags, lockDownFile } from '../../sandbox/engine-flags.ts';
import { createProcessSandbox } from '../../sandbox/process-sandbox.ts';

/**
 * A component of a core module that an author's own toolchain made, with the types of its imports
 * and exports in it.
 *
 * @param adapter what its calls of WASI preview 1 go through; undefined where it makes none
 * @param dist folder of the built bundles
 */
export async function makeComponent(
  module: Uint8Array,
  adapter: 'reactor' | undefined,
  dist: string,
): Promise<Uint8Array> {
  return await wrapModule(module, adapter ?? 'none', {
    bundle: join(dist, 'wrap.js'),
    confine: createProcessSandbox('none').confine,
    timeoutMs: defaultLimits.transpileTimeoutMs,
    signal: new AbortController().signal,
  });
}

/** Arguments of Node for a stranger's program, which may only print a result. */
export function lockedNode(): string[] {
  const lock = lockDownFile();
  return ['--permission', ...closedFlags, `--allow-fs-read=${lock}`, '--require', lock];
}

/**
 * Runs a stranger's program, confined like a plugin process. It can read its own text and print.
 *
 * @param program a module of JavaScript that imports nothing
 * @throws {KernelError} as `runChild`
 */
export async function runStranger(
  program: string,
  options: { timeoutMs: number; signal: AbortSignal; doing: string; failed: string },
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'cuervo-program-'));
  try {
    // A folder of its own: a program may read the files beside it.
    const bundle = join(dir, 'code', 'program.mjs');
    mkdirSync(join(dir, 'code'));
    writeFileSync(bundle, program);
    const { confine } = createProcessSandbox('auto');
    return (await runChild(new Uint8Array(), { ...options, bundle, confine })).toString('utf8');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * Capabilities that need another one. With the first alone a call would be denied, so author and
 * user are told before.
 */
const needs: Readonly<Record<string, { beside: string; why: string }>> = {
  exec: {
    beside: 'fs',
    why: 'a program runs in a folder that was granted: exec:PROGRAM needs fs:ROOT beside it; say so in its "why", or want fs, too',
  },
  'fs-write': {
    beside: 'fs',
    why: 'fs-write:ROOT gives no reading: grant fs:ROOT beside it where the plugin reads, too',
  },
};

/** @returns a sentence for each wanted capability without the one that it needs */
export function neededBeside(wants: readonly { capability: string }[]): string[] {
  const wanted = new Set(wants.map(({ capability }) => capability));
  return Object.entries(needs)
    .filter(([capability, { beside }]) => wanted.has(capability) && !wanted.has(beside))
    .map(([, { why }]) => why);
}
