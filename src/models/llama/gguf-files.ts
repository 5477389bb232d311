import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** How the parts of a model that was split are called, by llama.cpp. */
const part = /-\d{5}(-of-\d{5}\.gguf)$/i;

/** The file of a model, and where it is one of several parts, the others beside it. */
export function ggufFiles(path: string): { folder: string; files: readonly string[] } {
  const [folder, name] = [dirname(path), basename(path)];
  const found = part.exec(name);
  if (found === null) return { folder, files: [name] };
  const isSibling = (other: string): boolean =>
    other.startsWith(name.slice(0, found.index)) &&
    part.exec(other)?.index === found.index &&
    other.endsWith(found[1] ?? '');
  return { folder, files: readdirSync(folder).filter(isSibling) };
}
