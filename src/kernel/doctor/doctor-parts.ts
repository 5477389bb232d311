import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { programPaths } from '../../config/paths.ts';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import { addedFolders, checkPartFolder } from '../../lib/parts/optional-part.ts';
import { thisSystem } from '../../lib/parts/parts.ts';
import { listParts } from '../../packages/add-part.ts';

/** The parts that were added, each file against its SHA-256; what can be added is one line. */
export function checkParts(home: string): Finding[] {
  const packages = join(home, 'packages');
  const all = listParts({ root: programPaths().root, packages }, thisSystem());
  const findings = all.flatMap(({ name, state }): Finding[] => {
    if (state === 'other') {
      const finding = 'it belongs to another version of cuervo and is not used';
      return [{ name: `part ${name}`, status: 'warn', finding, fix: `cuervo add ${name}` }];
    }
    return addedFolders(packages, name).map((folder) => checkPart(name, join(packages, folder)));
  });
  const absent = all.filter(({ state }) => state === 'absent').map(({ name }) => name);
  const left = leftovers(packages);
  const finding =
    absent.length === 0
      ? 'none is left to add'
      : `not added: ${absent.join(', ')}; see: cuervo add --list`;
  findings.push({ name: 'parts', status: 'ok', finding });
  if (left.length > 0) {
    const half = `half a part is in ${packages}: ${left.join(', ')}`;
    findings.push({ name: 'parts', status: 'warn', finding: half, fix: `cuervo add ${left[0]}` });
  }
  return findings;
}

function checkPart(part: string, folder: string): Finding {
  const name = `part ${part}`;
  try {
    checkPartFolder(folder, part);
    return { name, status: 'ok', finding: 'its files are unchanged' };
  } catch (thrown) {
    const fix = `cuervo remove ${part} && cuervo add ${part}`;
    return { name, status: 'fail', finding: reasonOf(thrown), fix };
  }
}

/** Parts that a failed try to add them left something of. */
function leftovers(packages: string): string[] {
  try {
    const found = readdirSync(packages).flatMap(
      (name) => /^\.partial-(\w+)@/.exec(name)?.[1] ?? [],
    );
    return [...new Set(found)];
  } catch {
    return [];
  }
}
