import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

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
