import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { note } from './output.ts';

/** A program of the system that opens an address, with what stands before it. */
const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address, as `URL` writes it, in the person's browser. It goes by a file that only its person can read, for
 * the arguments of a program can be read by all who use the machine.
 *
 * @param folder where the file lies until it is disposed
 */
export function openInBrowser(address: string, folder: string): Disposable {
  const file = join(folder, `open-${process.pid}.html`);
  const refresh = `<meta http-equiv="refresh" content="0;url=${address.replaceAll('&', '&amp;')}">`;
  writeFileSync(file, `<!doctype html><meta charset="utf-8">${refresh}\n`, { mode: 0o600 });
  const [program, ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, pathToFileURL(file).href], { stdio: 'ignore' });
  const failed = (): void => note(`note: ${program} cannot open it; open the address yourself`);
  child.once('error', failed);
  child.once('exit', (code) => {
    if (code !== 0) failed();
  });
  child.unref();
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}
