import { randomBytes } from 'node:crypto';

/**
 * Name of a file that is written beside the one whose place it will take: `.cuervo-`, the process
 * and a random number as eight hex digits each, `.part`.
 */
export function newPartName(): string {
  const owner = process.pid.toString(16).padStart(8, '0');
  return `.cuervo-${owner}${randomBytes(4).toString('hex')}.part`;
}

/** The number of the process that a name of such a file tells; undefined for any other name. */
export function partOwner(name: string): number | undefined {
  const owner = /^\.cuervo-([0-9a-f]{8})[0-9a-f]{8}\.part$/.exec(name)?.[1];
  return owner === undefined ? undefined : Number.parseInt(owner, 16);
}
