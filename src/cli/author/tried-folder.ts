import { join } from 'node:path';
import { findHome } from '../../config/load-config.ts';

/** Where binaries that are used without being installed are kept, prepared. */
export function triedFolder(): string {
  return join(findHome(undefined, process.env), 'tried');
}
