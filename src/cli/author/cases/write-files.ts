import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileContent } from './parse-cases.ts';

export function writeFiles(folder: string, files: Readonly<Record<string, FileContent>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contentBytes(content));
  }
}

export function contentBytes(content: FileContent): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content.base64, 'base64');
}
