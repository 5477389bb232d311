import { join } from 'node:path';
import { findHome } from '../../config/load-config.ts';

/** Prepared binaries that are used without being installed. */
export function triedFolder(): string {
  return join(findHome(undefined, process.env), 'tried');
}
