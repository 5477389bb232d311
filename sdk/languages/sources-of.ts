import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf, type TomlLanguage } from './language.ts';
import { parsePluginToml } from './parse-plugin-toml.ts';

/** What the toolchain of a language reads of a folder. */
const endings: Readonly<Record<TomlLanguage, RegExp>> = {
  rust: /\.(?:rs|toml)$/,
  go: /\.(?:go|mod|s|c|h)$/,
  c: /\.[ch]$/,
  python: /\.py$/,
};
/** Folders that builds write. */
const made = /^(?:dist|target|node_modules|wit|__pycache__|\..*)$/;

/**
 * Files that a build of a folder with `plugin.toml` reads, absolute. Where a command of the author
 * builds it, nobody knows but the command: all files but what it makes.
 */
export function sourcesOf(folder: string): { files: string[]; isGuess: boolean } {
  const toml = join(folder, 'plugin.toml');
  let build: ReturnType<typeof parsePluginToml>['build'] = {};
  try {
    build = parsePluginToml(readFileSync(toml, 'utf8'), toml).build;
  } catch {
    // Ignored: the build itself reports the fault.
  }
  const isGuess = build.command !== undefined;
  const { language = languageOf(folder) } = build;
  const isSource = (path: string): boolean =>
    isGuess
      ? path !== join(folder, build.file ?? '')
      : language !== undefined && endings[language].test(path);
  return {
    files: [toml, ...below(folder).filter((path) => path !== toml && isSource(path))],
    isGuess,
  };
}

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return made.test(entry.name) ? [] : below(path);
    return entry.isFile() ? [path] : [];
  });
}
