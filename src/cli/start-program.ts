import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { note } from './output.ts';

/**
 * Lets a person change a text in their own editor: `VISUAL`, `EDITOR`, else `vi`. The editor gets
 * this terminal alone.
 *
 * @param path of the text; its ending tells an editor the language
 * @returns the text as it was left, or why there is none
 */
export async function editText(
  text: Uint8Array,
  path: string,
): Promise<{ text: Uint8Array } | { failure: string }> {
  const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-edit-'));
  try {
    const ending = /^\.\w{1,10}$/.exec(extname(path))?.[0] ?? '.txt';
    const file = join(folder, `change${ending}`);
    writeFileSync(file, text, { mode: 0o600 });
    // As git does: the person's own command line, which may hold options, then the file.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
      stdio: ['inherit', process.stderr, 'inherit'],
    });
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(null));
      child.once('close', resolve);
    });
    if (code !== 0) return { failure: `the editor "${editor}" failed; set EDITOR to another one` };
    return { text: readFileSync(file) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

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
