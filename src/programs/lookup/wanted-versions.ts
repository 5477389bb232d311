import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { isBelow } from '../../lib/files/paths.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';

/**
 * The installed version that a person means: by its whole name, else the newest one that begins
 * with it, as `3.11` means `3.11.7`; `latest` means the newest of all.
 */
export function newestMatch(wanted: string, installed: readonly string[]): string | undefined {
  if (installed.includes(wanted)) return wanted;
  const plain = wanted.replace(/^v/, '');
  const fits = installed.filter(
    (name) => wanted === 'latest' || name.replace(/^v/, '').startsWith(`${plain}.`),
  );
  return fits.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
}

export type WorkspacePlace = {
  /** granted roots: name -> absolute directory */
  folders: Readonly<Record<string, string>>;
  /** `root:relative/path` */
  cwd: string;
  /** the virtual environment that a person activated; it counts where it lies in the root */
  virtualEnv?: string | undefined;
};

export type ShimPlace = Pick<WorkspacePlace, 'folders' | 'cwd'>;

/** A list of versions: a project's file is read while everything else waits. */
const maxBytes = 64 * 1024;

/** A version is the name of a folder, and never a path. */
const plainName = /^(?!\.+$)[\w.+-]{1,128}$/;

/**
 * The versions that a file in the working directory, or in the nearest folder above it, names.
 *
 * @param folder looked in alone, where it is given
 */
export function wantedVersions(
  file: string,
  place: ShimPlace,
  folder?: string,
): string[] | undefined {
  for (const at of folder === undefined ? foldersUp(place) : [folder]) {
    const names = readWords(join(at, file));
    if (names !== undefined && names.length > 0) return names.filter(isPlain);
  }
  return undefined;
}

/** The versions for asdf and mise: tool -> version, from the nearest file that names it. */
export function asdfVersions(place: ShimPlace, home: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const folder of [...foldersUp(place), home]) {
    const lines = (textOf(join(folder, '.tool-versions')) ?? '').split('\n');
    for (const line of lines) {
      const [tool, version] = line.replace(/#.*/, '').trim().split(/\s+/);
      if (tool && version && isPlain(version) && !found.has(tool)) found.set(tool, version);
    }
    for (const name of ['mise.toml', '.mise.toml', '.config/mise/config.toml']) {
      for (const [tool, version] of Object.entries(tableOf(join(folder, name), 'tools'))) {
        const first = Array.isArray(version) ? version[0] : version;
        const text = typeof first === 'string' ? first : undefined;
        if (text !== undefined && isPlain(text) && !found.has(tool)) found.set(tool, text);
      }
    }
  }
  return found;
}

/** The toolchain of rustup: of the project, else the default. */
export function rustToolchain(place: ShimPlace, settings: string): string {
  for (const folder of foldersUp(place)) {
    const { channel } = tableOf(join(folder, 'rust-toolchain.toml'), 'toolchain');
    const plain = textOf(join(folder, 'rust-toolchain'))?.trim();
    const named = typeof channel === 'string' ? channel : plain;
    if (named !== undefined && isPlain(named)) return named;
  }
  const chosen = tomlOf(settings).default_toolchain;
  return typeof chosen === 'string' && isPlain(chosen) ? chosen : 'stable';
}

/** The working directory and what lies above it, up to its root. */
function foldersUp({ folders, cwd }: ShimPlace): string[] {
  const colon = cwd.indexOf(':');
  const top = folders[cwd.slice(0, colon)];
  if (top === undefined) return [];
  const found: string[] = [];
  for (let at = join(top, cwd.slice(colon + 1)); isBelow(at, top); at = dirname(at)) found.push(at);
  return found;
}

function readWords(path: string): string[] | undefined {
  return textOf(path)
    ?.split('\n')
    .map((line) => line.replace(/#.*/, ''))
    .flatMap((line) => line.split(/[\s:]+/))
    .filter(Boolean);
}

function textOf(path: string): string | undefined {
  try {
    return readTextIfPresent(path, maxBytes);
  } catch {
    // A file that cannot be read, or is no such list, says nothing.
    return undefined;
  }
}

function tableOf(path: string, name: string): Record<string, unknown> {
  const table = tomlOf(path)[name];
  return typeof table === 'object' && table !== null ? (table as Record<string, unknown>) : {};
}

function tomlOf(path: string): Record<string, unknown> {
  try {
    return parse(textOf(path) ?? '');
  } catch {
    return {};
  }
}

function isPlain(name: string): boolean {
  return plainName.test(name);
}
