import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/load-config.ts';

/** What the person brought or renewed, before what came along with cuervo. */
export function trustedRoots({ home, paths }: Pick<Config, 'home' | 'paths'>): string[] {
  const own = [ownRoot(home), renewedRoot(home)].filter((path) => existsSync(path));
  return [...own, join(paths.dist, 'trusted-root.json')];
}

/** Of a Sigstore of one's own, which a person named. */
export function ownRoot(home: string): string {
  return join(home, 'trusted-root.own.json');
}

/** The public one, as it was when it was last asked for. */
export function renewedRoot(home: string): string {
  return join(home, 'trusted-root.json');
}
