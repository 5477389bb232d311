import { readdirSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { sizeText } from '../../lib/text/amounts.ts';

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

/** Share of the memory that the system and other programs keep. */
const keptShare = 0.1;

/**
 * Refuses a model that this machine cannot hold, before anything is read of it.
 *
 * @param memoryBytes of the machine
 * @throws {KernelError} `resource-exhausted`
 */
export function checkMemory(path: string, memoryBytes: number = machineMemory()): void {
  const { folder, files } = ggufFiles(path);
  const bytes = files.reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (bytes <= memoryBytes * (1 - keptShare)) return;
  throw new KernelError(
    'resource-exhausted',
    `the model ${path} has ${sizeText(bytes)}, and this machine ${sizeText(memoryBytes)} of memory`,
    {
      hint: 'Use a smaller model, or a smaller file of it: cuervo model pull hf:OWNER/NAME:Q4_K_M',
    },
  );
}

/** The limit of a container counts. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
