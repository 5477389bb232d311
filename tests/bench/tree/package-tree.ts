import { copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const packages = join(import.meta.dirname, '..', '..', '..', 'node_modules');
/** Sources and documents as people keep them: nothing minified, no maps, no data. */
const kept = /(?<!\.min)\.(?:[cm]?[jt]s|tsx|jsx|json|md|css|html|ya?ml|txt|h|cc|cpp|c|py|rs|go)$/;
const maxBytes = 200_000;

/** Relative paths of what is installed, in one order on every machine with the same lock file. */
function installedTexts(): string[] {
  return readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && kept.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(packages.length + 1))
    .filter((path) => !path.startsWith('.') && statSync(join(packages, path)).size <= maxBytes)
    .sort();
}

/**
 * A repository of so many files, made of the installed packages: real code, in real folders. Above
 * their number each further round lies in a folder of its own, with another word in every text.
 *
 * @returns its folder, which is made once on each machine
 */
export function packageTree(files: number): string {
  const folder = join(tmpdir(), `cuervo-bench-packages-${files}`);
  const mark = join(folder, '.made');
  if (statSync(mark, { throwIfNoEntry: false }) !== undefined) return folder;
  const texts = installedTexts();
  for (let at = 0; at < files; at += 1) {
    const path = texts[at % texts.length] as string;
    const round = Math.floor(at / texts.length);
    const own = path.replaceAll('node_modules/', 'deps/');
    const to = join(folder, round === 0 ? 'packages' : `copies/${round}`, own);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(packages, path), to);
    if (round > 0) writeFileSync(to, `\n// round${round}\n`, { flag: 'a' });
  }
  writeFileSync(mark, '');
  return folder;
}
