import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Languages that `plugin new` and `plugin build` know. */
export const languages = ['ts', 'js', 'rust', 'go', 'c', 'python'] as const;
export type Language = (typeof languages)[number];
/** Those whose folders have a `plugin.toml`. */
export type TomlLanguage = Exclude<Language, 'ts' | 'js'>;

/** What the files of a folder with `plugin.toml` are written in; undefined where they do not say. */
export function languageOf(folder: string): TomlLanguage | undefined {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const names = readdirSync(folder);
  if (has('Cargo.toml')) return 'rust';
  if (has('go.mod') || names.some((name) => name.endsWith('.go'))) return 'go';
  if (names.some((name) => name.endsWith('.py'))) return 'python';
  if (cSources(folder).length > 0) return 'c';
  return undefined;
}

/** Sources of C, in the folder, its `src` and its `gen`; relative, sorted. */
export function cSources(folder: string, extension = '.c'): string[] {
  return ['', 'src', 'gen'].flatMap((below) => {
    const path = join(folder, below);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => name.endsWith(extension))
      .sort()
      .map((name) => join(below, name));
  });
}
