import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { ProtectedEntries } from '../contracts/content-gate.ts';
import type { Way } from '../paths/open-name.ts';

/** The confinement of a plugin process beside WebAssembly. */
export type PluginSandbox =
  | { name: 'os' }
  | {
      name: 'process';
      /** why it is not the sandbox of the operating system, as the end of a sentence */
      reason: string;
      /** a command that brings it, or a line of the configuration */
      fix?: string;
    };

/** The part of the machine that a plugin process may see. */
export type ProcessPlace = {
  /** built bundle that it runs */
  bundle: string;
  /** granted roots: name -> absolute directory */
  roots: Readonly<Record<string, string>>;
  /** what no plugin reads below them, e.g. `CUERVO_HOME` */
  withheld: ProtectedEntries;
};

/** How a process is started, ready for `spawn`. */
export type Launch = {
  tier: PluginSandbox['name'];
  program: string;
  args: readonly string[];
  /**
   * What the process inherits from descriptor 5 on: open descriptors, which the starter closes
   * after the start, or bytes to read.
   */
  inherited: readonly (number | Uint8Array)[];
  /** granted roots, as the process finds them: an inherited descriptor, or a path to open */
  roots: Readonly<Record<string, number | string>>;
  /** how it reaches names below them */
  way: Way;
};

/** Descriptors 0 to 2 are the standard streams, 3 and 4 carry frames. */
export const firstInherited = 5;

/** The confinement in one line, for a person. */
export function pluginSandboxText(tier: PluginSandbox): string {
  const inner = 'WebAssembly, a process of its own and the permission model of Node';
  if (tier.name === 'os') return `${inner}, in a sandbox of the operating system (bubblewrap)`;
  return `${inner}, without a sandbox of the operating system: ${tier.reason}`;
}

/**
 * The files of a built bundle: itself, and where it is only a loader, the program and what the
 * engine made of that, which lie beside it under its name.
 *
 * @returns endings behind `stem`, that of the bundle first
 */
export function programFiles(bundle: string): { stem: string; endings: readonly string[] } {
  const own = extname(bundle);
  const stem = bundle.slice(0, bundle.length - own.length);
  const others = ['.main.js', '.main.code'].filter((ending) => existsSync(stem + ending));
  return { stem, endings: [own, ...others] };
}

/**
 * Whether `lock-down.cjs` is to be loaded ahead of a bundle. A loader has it in its own file already:
 * to load another one takes a twentieth of Node's start.
 */
export function wantsLockDown(bundle: string): boolean {
  return programFiles(bundle).endings.length === 1;
}
