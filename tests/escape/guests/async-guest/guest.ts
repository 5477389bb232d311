import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { componentize } from 'componentize-qjs';
import { keepBytes } from '../../support/build-guest.ts';

/** Asynchronous functions and streams, as componentize-qjs makes them by default. */
export async function asyncGuest(): Promise<string> {
  const witPath = join(import.meta.dirname, 'world.wit');
  const jsSource = readFileSync(join(import.meta.dirname, 'guest.js'), 'utf8');
  const { component } = await componentize({ witPath, jsSource });
  return keepBytes('async-guest', component, { isFolder: true });
}
