import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { BuildError } from '../build/build-error.ts';
import type { FileContent } from './parse-cases.ts';

/** @throws {BuildError} for a file that would lie outside of the folder */
export function writeFiles(folder: string, files: Readonly<Record<string, FileContent>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    if (!path.startsWith(folder + sep)) {
      const text = `${JSON.stringify(name)} in a case is not the path of a file below its workspace`;
      throw new BuildError(text, { hint: 'Name it as in src/a.ts.' });
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentBytes(content));
  }
}

export function contentBytes(content: FileContent): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
}
