import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ModelFile } from './protocol.ts';

/** A tokenizer has a few configurations; a folder of a thousand files is not a model's. */
const maxFiles = 64;

/**
 * The files of a model's folder that the library reads: configurations and words at its top, and
 * the chosen weights with data files of their name. Not the folder itself: the weights may name any
 * path below it for more data.
 *
 * @returns and their size
 */
export function modelFiles(
  path: string,
  { subfolder, dtype }: ModelFile,
): { folder: string; files: readonly string[]; bytes: number } {
  const folder = resolve(path);
  const weights = dtype === 'q8' ? 'model_quantized.onnx' : 'model.onnx';
  const files = [
    ...readdirSync(folder).filter((name) => /\.(?:json|txt|model)$/.test(name)),
    ...readdirSync(join(folder, subfolder))
      .filter((name) => name.startsWith(weights))
      .map((name) => join(subfolder, name)),
  ].filter((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true);
  const read = files.slice(0, maxFiles);
  const bytes = read.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  return { folder, files: read, bytes };
}
