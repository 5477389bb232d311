import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { makeFolder } from '../lib/files/folders.ts';

/**
 * Where the folder for temporary files cannot be written, that of this process becomes one in the
 * home. Node and native code then have the same: they read different variables otherwise.
 *
 * @param home `CUERVO_HOME`
 */
export function useTempFolder(home: string): void {
  if (process.platform === 'win32') return; // both ask the system
  const { TMPDIR: named } = process.env;
  const given = tmpdir();
  const own = join(home, 'tmp');
  if (isUsable(given)) {
    if (given !== (named ?? systemFolder)) process.env.TMPDIR = given;
    return;
  }
  try {
    makeFolder(own);
    process.env.TMPDIR = own;
  } catch {
    // Ignored: the code that needs a temporary folder reports it.
  }
}

const systemFolder = '/tmp';

/**
 * LanceDB ends the whole process where it cannot make a temporary folder. Call this before it is
 * loaded.
 *
 * @throws {KernelError} `unavailable`
 */
export function requireTempFolder(): void {
  const folder = process.platform === 'win32' ? tmpdir() : (process.env.TMPDIR ?? systemFolder);
  if (isUsable(folder)) return;
  const message = `no temporary folder can be made in "${folder}" (TMPDIR), which memory needs`;
  throw new KernelError('unavailable', message, {
    hint: 'Name a folder that you can write to: TMPDIR=DIR cuervo …',
  });
}

/** Makes a folder as a test: access rights do not show a full or unwritable disk. */
function isUsable(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, 'cuervo-')));
    return true;
  } catch {
    return false;
  }
}
