import { importLanguage } from '../code/read-imports.ts';
import { fileOf, folderOf } from '../code/resolve-import.ts';

/**
 * The file or folder of the workspace that a line of an import names, without its ending.
 *
 * @param known.packages name of a package of the workspace -> its folder
 * @param known.folders folders with code, and its files without their endings
 * @returns undefined for what comes from elsewhere, or cannot be told by the line
 */
export function namedFolder(
  from: string,
  line: string,
  known: { packages: ReadonlyMap<string, string>; folders: ReadonlySet<string> },
): string | undefined {
  const quoted = /(['"])([^'"]+)\1\s*\)?[^'"]*$/.exec(line)?.[2];
  switch (importLanguage(from)) {
    case 'script':
      return quoted === undefined ? undefined : fromScript(from, quoted, known);
    case 'python':
      return fromPython(from, line, known.folders);
    case 'rust':
      return fromRust(from, line);
    case 'java': {
      const path = /\bimport\s+(?:static\s+)?([\w.]+)/.exec(line)?.[1]?.replaceAll('.', '/') ?? '';
      return endingWith([path, folderOf(path)], known.folders);
    }
    case 'go':
      return quoted === undefined
        ? undefined
        : [...known.packages]
            .filter(([name]) => quoted === name || quoted.startsWith(`${name}/`))
            .map(([name, folder]) => below(folder, quoted.slice(name.length + 1)))[0];
    case 'c':
    case 'ruby': {
      if (quoted === undefined) return undefined;
      const near = below(folderOf(from), bare(quoted));
      return known.folders.has(near) ? near : endingWith([bare(quoted)], known.folders);
    }
    default:
      return undefined;
  }
}

const bare = (path: string): string => below(folderOf(path), fileOf(path).replace(/\..*$/, ''));

function fromScript(
  from: string,
  specifier: string,
  { packages }: { packages: ReadonlyMap<string, string> },
): string | undefined {
  if (specifier.startsWith('.')) return below(folderOf(from), specifier);
  for (const [name, folder] of packages) {
    if (specifier === name || specifier.startsWith(`${name}/`))
      return below(folder, specifier.slice(name.length + 1));
  }
  return /^[@~]\//.test(specifier) ? below('src', specifier.slice(2)) : undefined;
}

function fromPython(from: string, line: string, folders: ReadonlySet<string>): string | undefined {
  const [, dots = '', name = ''] = /(?:from|import)\s+(\.*)([\w.]*)/.exec(line) ?? [];
  const path = name.replaceAll('.', '/');
  if (dots !== '') return below(folderOf(from), `${'../'.repeat(dots.length - 1)}${path}`);
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    for (const found of [below(folder, path), below(folder, `src/${path}`)])
      if (folders.has(found)) return found;
    if (folder === '') return undefined;
  }
}

function fromRust(from: string, line: string): string | undefined {
  const [, start, path = ''] = /\buse\s+(crate|super)::([\w:]+)/.exec(line) ?? [];
  if (start === undefined) return undefined;
  const parts = from.split('/');
  const at = parts.lastIndexOf('src');
  const folder =
    start === 'super' || at < 0 ? folderOf(folderOf(from)) : parts.slice(0, at + 1).join('/');
  return below(folder, path.replaceAll('::', '/'));
}

function endingWith(paths: readonly string[], folders: ReadonlySet<string>): string | undefined {
  for (const path of paths) {
    if (path === '') continue;
    for (const folder of folders) if (folder === path || folder.endsWith(`/${path}`)) return folder;
  }
  return undefined;
}

/** @returns a path of the workspace; what leads out of it stays at its edge */
function below(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
