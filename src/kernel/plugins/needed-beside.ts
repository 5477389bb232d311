/**
 * Capabilities that give little without another one. A user who grants the one alone is denied at
 * the call, so the author and the user are told before.
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

/** @returns a sentence for each capability that is wanted without what it needs */
export function neededBeside(wants: readonly { capability: string }[]): string[] {
  const wanted = new Set(wants.map(({ capability }) => capability));
  return Object.entries(needs)
    .filter(([capability, { beside }]) => wanted.has(capability) && !wanted.has(beside))
    .map(([, { why }]) => why);
}
