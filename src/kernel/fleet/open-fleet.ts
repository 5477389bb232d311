import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { type FleetDatabase, openDatabase } from '../../fleet/open-database.ts';
import { parseAddress } from '../../fleet/parse-address.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { createKeychain } from '../../secrets/keychain.ts';
import { openHome } from '../open-home.ts';

/** Under which a keychain keeps the password. */
const keychainId = 'fleet-database';

function passwordPath(home: string): string {
  return join(home, 'fleet-password');
}

/**
 * The database that the person's own configuration names. The caller owns it.
 *
 * @param options.connections at once
 * @throws {KernelError} `invalid-argument` where none is named
 */
export async function openFleet(
  config: Config,
  options: { connections: number; patienceMs: number; signal: AbortSignal },
): Promise<FleetDatabase> {
  const { address, ca } = config.fleet;
  if (address === undefined)
    throw new KernelError('invalid-argument', 'your config.toml names no database of a fleet', {
      hint: 'Name it: cuervo config set fleet.database postgres://USER@HOST:5432/NAME',
    });
  const password = (): Promise<string> => readPassword(config.home, options.signal);
  return await openDatabase({ address: parseAddress(address), password, ca, ...options });
}

/** @throws {KernelError} `permission-denied` for a file that others can read, or without a password */
async function readPassword(home: string, signal: AbortSignal): Promise<string> {
  const path = passwordPath(home);
  if (existsSync(path)) {
    const { mode, uid } = lstatSync(path);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (isOwn && (mode & 0o077) === 0) return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    throw new KernelError('permission-denied', `others can read ${path}, or own it`, {
      hint: `Close it: chmod 600 ${path}`,
    });
  }
  try {
    return await createKeychain().read(keychainId, signal);
  } catch (thrown) {
    throw new KernelError(
      'permission-denied',
      'the database asks for a password, and none is kept',
      {
        cause: thrown,
        hint: 'Keep it with: cuervo fleet login',
      },
    );
  }
}

/** @returns where it lies: the keychain, else a file that only this user reads */
export async function keepPassword(
  home: string,
  password: string,
  signal: AbortSignal,
): Promise<string> {
  const path = passwordPath(home);
  if (await createKeychain().keep(keychainId, password, signal)) {
    // A file is read first, so an older password in it would stay in use.
    rmSync(path, { force: true });
    return 'the keychain';
  }
  openHome(home);
  writeFileWhole(path, password);
  return path;
}
