import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';

const tokenBytes = 32;

/** Where the token of `mcp serve --http` is. */
export const httpTokenFile = (home: string): string => join(home, 'mcp-token');

/**
 * The token of this home, made by its first use; only its user can read the file.
 *
 * @throws {KernelError} `invalid-argument` for a file that holds none
 */
export function httpToken(home: string): string {
  const file = httpTokenFile(home);
  const known = readTextIfPresent(file)?.trim();
  if (known === undefined) {
    const token = randomBytes(tokenBytes).toString('base64url');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  }
  if (/^[\w-]{32,}$/.test(known)) return known;
  throw new KernelError('invalid-argument', `${file} holds no token`, {
    hint: 'Remove it; the next start makes a new one.',
  });
}
