import { join } from 'node:path';
import { sha256 } from '../../lib/sha256.ts';

const pathDigits = 32;

/** Where the index of the files of a workspace lies. */
export function indexFolder(home: string, workspace: string): string {
  return join(home, 'index', sha256(workspace).slice(0, pathDigits));
}
