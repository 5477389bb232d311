import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The place of a binary that only this command tries. The caller owns it. */
export function openScratch(): Disposable & { consoleOut: string } {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-tried-'));
  return {
    consoleOut: join(folder, 'plugin.wasm'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
