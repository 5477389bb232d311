import { join } from 'node:path';
import type { Bundles } from '../../host/install/examine-plugin.ts';

/** @param dist folder of the built bundles */
export function bundlesOf(dist: string): Bundles {
  return {
    process: join(dist, 'process.cjs'),
    transpile: join(dist, 'transpile.js'),
    wrap: join(dist, 'wrap.js'),
  };
}
