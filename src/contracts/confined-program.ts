/**
 * A program of cuervo's own that reads what a stranger wrote: a binary, a script, a model. It has no
 * network, starts nothing, writes nothing but in the folder that is named for it, and sees its own code
 * and these files.
 */
export type ConfinedProgram = {
  /** absolute path of the built bundle; what lies beside it is its code, too */
  entry: string;
  args?: readonly string[];
  /** of the engine */
  flags: readonly string[];
  /** files that it reads, as paths below one absolute folder */
  reads?: { folder: string; files: readonly string[] };
  /** a folder that it reads and writes, by native code alone */
  writes?: string;
  /** folders of further packages; the process gets their paths after `args` */
  packages?: readonly string[];
  /** it loads native code of packages, which the permission model of Node does not bind */
  isNative?: boolean;
};

/** How it is started, ready for `spawn`, in the folder `/`. */
export type ConfinedLaunch = {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** bytes that it reads from the first free descriptor on, one after the other */
  inherited: readonly Uint8Array[];
  /** where it finds what lies at this path outside */
  find(path: string): string;
};

/**
 * The strictest way there is on this system.
 *
 * @param firstInherited number of the first descriptor that is free
 * @throws {KernelError} `unavailable` when the configuration wants a sandbox that does not exist
 */
export type Confine = (program: ConfinedProgram, firstInherited: number) => Promise<ConfinedLaunch>;
