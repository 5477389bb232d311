import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the engine's tool made of sources in any test before; cuervo checks each file of it. */
export const componentsFolder = resolve(
  import.meta.dirname,
  '../../node_modules/.cache/cuervo-components',
);

/** Commands that build a folder. */
const builders: readonly (string | undefined)[] = ['build', 'check', 'dev', 'publish', 'test'];

/**
 * Lets a command that builds find what was built before, unless its home has a folder for it or
 * cannot be made.
 */
export function shareComponents([group, command]: readonly string[], home: string): void {
  const own = join(home, 'components');
  if (group !== 'plugin' || !builders.includes(command) || existsSync(own)) return;
  try {
    for (const folder of [componentsFolder, home])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    symlinkSync(componentsFolder, own);
  } catch {
    // The command says what is wrong with its home.
  }
}
