import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { componentize } from 'componentize-qjs';
import { keepBytes } from '../../support/build-guest.ts';
import { root } from '../../support/paths.ts';

/** Agent Component Tools by componentize-qjs, over the WIT of those by `act-sdk`. */
export async function actStreamer(): Promise<string> {
  const jsSource = readFileSync(join(import.meta.dirname, 'guest.js'), 'utf8');
  const witPath = join(root, 'tests/contract/support/act-tools/wit');
  const { component } = await componentize({ witPath, jsSource, world: 'component-world' });
  return keepBytes('act-streamer', component, { isFolder: true });
}
