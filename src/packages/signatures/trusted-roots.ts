import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';

/** Roots that the person added or renewed, before those that ship with cuervo. */
export function trustedRoots({ home, paths }: Pick<Config, 'home' | 'paths'>): string[] {
  const own = [ownRoot(home), renewedRoot(home)].filter((path) => existsSync(path));
  return [...own, join(paths.dist, 'trusted-root.json')];
}

/** The root of a Sigstore of one's own, named by a person. */
export function ownRoot(home: string): string {
  return join(home, 'trusted-root.own.json');
}

/** The public one, as it was when it was last asked for. */
export function renewedRoot(home: string): string {
  return join(home, 'trusted-root.json');
}
