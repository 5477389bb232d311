import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exactAdder } from '../../../support/wat-world.ts';
import { keepBytes } from '../../support/build-guest.ts';
import { watComponent, withManifest } from '../../support/wat-plugin.ts';

/** Calls itself what its manifest says. */
export async function called(name: string): Promise<string> {
  const plugin = { name: 'name-thief', call: '(call $ok-number (i32.const 1))' };
  return keepBytes('name-thief', withManifest(await watComponent(plugin), { name }));
}

/** Has no manifest, and so is called what its file is. */
export async function inFile(name: string): Promise<string> {
  const kept = keepBytes('name-thief', await exactAdder());
  const file = join(mkdtempSync(join(tmpdir(), 'cuervo-name-')), name);
  copyFileSync(kept, file);
  return file;
}
