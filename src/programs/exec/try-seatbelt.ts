import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seatbeltProfile } from './seatbelt-profile.ts';

/** @returns what it printed; throws where it failed */
type Run = (program: string, args: readonly string[]) => Promise<string>;

/**
 * Tries the sandbox of macOS with a profile as programs get it: what is withheld must not be read,
 * nothing be written where all is read-only, and the rest must work.
 *
 * @param program absolute path of `sandbox-exec`
 * @returns what is wrong with it; undefined where it holds
 */
export async function trySeatbelt(program: string, run: Run): Promise<string | undefined> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-seatbelt-')));
  try {
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('open'), 'open');
    writeFileSync(file('withheld'), 'withheld');
    const survey = {
      ...{ files: ['withheld'], folders: [], repositories: [], fixed: [] },
      ...{ stores: [], storeFiles: [], held: [] },
      obeyed: new Map<string, string>(),
    };
    const profileOf = (readOnly: boolean): string =>
      seatbeltProfile({
        ...{ roots: [{ name: 'work', folder, survey }], readOnly, writesRepositories: false },
        ...{ reads: [], scratch: file('scratch'), hidden: [] },
      });
    const inside = async (readOnly: boolean, ...words: string[]): Promise<boolean> => {
      try {
        await run(program, ['-p', profileOf(readOnly), ...words]);
        return true;
      } catch {
        return false;
      }
    };
    if (!(await inside(true, '/bin/cat', file('open'))))
      return 'sandbox-exec starts no program here';
    if (await inside(true, '/bin/cat', file('withheld')))
      return 'sandbox-exec let a program read what its profile withholds';
    if (await inside(true, '/bin/cp', file('open'), file('copy')))
      return 'sandbox-exec let a program write where all is read-only';
    if (!(await inside(false, '/bin/cp', file('open'), file('copy'))))
      return 'sandbox-exec lets no program write where it may';
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
