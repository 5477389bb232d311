import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../../lib/files/folders.ts';
import { homeFolder } from '../../lib/files/paths.ts';
import { newestMatch } from './newest-match.ts';
import { asdfVersions, rustToolchain, type ShimPlace, wantedVersions } from './wanted-versions.ts';

/** Managers that keep `shims` beside `versions`, and the file that says which version counts. */
const versionFiles: Readonly<Record<string, string>> = {
  pyenv: '.python-version',
  rbenv: '.ruby-version',
  nodenv: '.node-version',
};

/** The folder of programs below an installed version. */
const binFolders = ['bin', 'go/bin'] as const;

/**
 * The real programs of a folder of shims. A shim asks its manager, which reads files of the home;
 * so no shim is run, and the same files tell its program.
 *
 * @param folder real; of `PATH`
 * @returns folders of real programs, first come first; empty for a folder without shims
 */
export function shimFolders(folder: string, place: ShimPlace): string[] {
  const above = dirname(folder);
  const found = isShimFolder(folder)
    ? existsSync(join(above, 'versions'))
      ? ofVersions(above, place)
      : ofInstalls(join(above, 'installs'), place)
    : existsSync(join(folder, 'rustup'))
      ? ofRustup(above, place)
      : [];
  return found.flatMap(realFolder);
}

export function isShimFolder(folder: string): boolean {
  return basename(folder) === 'shims';
}

function ofVersions(manager: string, place: ShimPlace): string[] {
  const versions = join(manager, 'versions');
  const kind = basename(manager).replace(/^\./, '');
  const file = versionFiles[kind] ?? '.python-version';
  const wanted = wantedVersions(file, place) ?? wantedVersions('version', place, manager) ?? [];
  return wanted.flatMap((name) => {
    const version = newestMatch(name, namesIn(versions));
    return version === undefined ? [] : [join(versions, version, 'bin')];
  });
}

/** asdf and mise: `installs/TOOL/VERSION`. */
function ofInstalls(installs: string, place: ShimPlace): string[] {
  const wanted = asdfVersions(place, homeFolder());
  return namesIn(installs)
    .sort()
    .flatMap((tool) => {
      const there = namesIn(join(installs, tool));
      const asked = wanted.get(tool) ?? wanted.get(aliases[tool] ?? '');
      // Without a setting the newest version is meant.
      const version = newestMatch(asked ?? 'latest', there);
      if (version === undefined) return [];
      return binFolders
        .map((bin) => join(installs, tool, version, bin))
        .filter((each) => existsSync(each));
    });
}

const aliases: Readonly<Record<string, string>> = {
  node: 'nodejs',
  nodejs: 'node',
  go: 'golang',
  golang: 'go',
};

function ofRustup(cargo: string, place: ShimPlace): string[] {
  const rustup = join(dirname(cargo), '.rustup');
  const toolchains = join(rustup, 'toolchains');
  const there = namesIn(toolchains).sort();
  const wanted = rustToolchain(place, join(rustup, 'settings.toml'));
  const chosen = there.find((name) => name === wanted || name.startsWith(`${wanted}-`));
  return chosen === undefined ? [] : [join(toolchains, chosen, 'bin')];
}

function realFolder(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
