import { existsSync } from 'node:fs';
import { extname } from 'node:path';

/**
 * The files of a built bundle: itself, and where it is only a loader, the program and what the
 * engine made of that, which lie beside it under its name.
 *
 * @returns endings behind `stem`, that of the bundle first
 */
export function programFiles(bundle: string): { stem: string; endings: readonly string[] } {
  const own = extname(bundle);
  const stem = bundle.slice(0, bundle.length - own.length);
  const others = ['.main.js', '.main.code'].filter((ending) => existsSync(stem + ending));
  return { stem, endings: [own, ...others] };
}

/**
 * Whether `lock-down.cjs` is to be loaded ahead of a bundle. A loader has it in its own file already:
 * to load another one takes a twentieth of Node's start.
 */
export function wantsLockDown(bundle: string): boolean {
  return programFiles(bundle).endings.length === 1;
}
