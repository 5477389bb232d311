import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

export type Tarballs = { cuervo: string; sdk: string };

/** Packs what people install. @param folder where the tarballs go */
export function packTarballs(folder: string): Tarballs {
  const program = join(root, 'src/build/package/main.ts');
  const printed = execFileSync(process.execPath, [program, folder], { encoding: 'utf8' });
  const [cuervo = '', sdk = ''] = printed.trim().split('\n');
  return { cuervo, sdk };
}
