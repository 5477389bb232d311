import { existsSync } from 'node:fs';
import { describe, it } from 'vitest';

/** A title and what has to hold. */
export type Half = [title: string, run: () => Promise<void> | void];

/** A file of the system, or what `isThere` looks for, and the command that brings it. */
export type Need = { file: string; install: string; isThere?(): boolean };

/**
 * One way out that is closed, shown from both sides: the same guest is denied, and succeeds
 * with the grant or by the harmless way. Without its control a denial could be a guest that
 * never works.
 *
 * @param halves.needs where it is missing the case is skipped, and its title says so
 */
export function escapeCase(
  name: string,
  halves: {
    denied: Half | readonly [Half, ...Half[]];
    control: Half;
    needs?: Need;
  },
): void {
  const denials = (isHalf(halves.denied) ? [halves.denied] : halves.denied) as readonly Half[];
  const titles = [...denials, halves.control].map((half) => half?.[0]);
  if (denials.length === 0 || titles.some((title) => typeof title !== 'string' || title === '')) {
    throw new Error(`the escape case "${name}" needs a denial and a control`);
  }
  const { needs } = halves;
  const isMissing = needs !== undefined && !isThere(needs);
  const title = isMissing ? `${name} (needs ${needs.file}: ${needs.install})` : name;
  describe.skipIf(isMissing)(title, () => {
    for (const [title, run] of denials) it(`denied: ${title}`, run);
    it(`control: ${halves.control[0]}`, halves.control[1]);
  });
}

function isThere(needs: Need): boolean {
  return needs.isThere?.() ?? existsSync(needs.file);
}

function isHalf(value: Half | readonly [Half, ...Half[]]): value is Half {
  return typeof value[0] === 'string';
}
