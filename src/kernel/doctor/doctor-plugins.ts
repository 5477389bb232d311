import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { programPaths } from '../../config/paths.ts';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { openPluginStore } from '../../host/install/plugin-store.ts';
import { moveAway } from '../../lib/files/folders.ts';
import { addedFolders, checkPartFolder } from '../../lib/parts/optional-part.ts';
import { thisSystem } from '../../lib/parts/parts.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { listParts } from '../../packages/add-part.ts';
import { findSandbox, type ProgramSandbox } from '../../programs/exec/find-sandbox.ts';
import { findCgroupBase } from '../../programs/exec/process-cgroup.ts';

/**
 * Checks that every plugin of a folder is what its lock says.
 *
 * @param heldBy grants of a plugin, which installing it again would otherwise take away
 */
export function checkPlugins(
  folder: string,
  builtin: boolean,
  heldBy: (record: PluginRecord) => readonly string[],
): Finding[] {
  const name = builtin ? 'built-in plugins' : 'installed plugins';
  const rebuild = 'npm run build';
  const store = openPluginStore(folder);
  let records: PluginRecord[];
  try {
    records = store.list();
  } catch (thrown) {
    const lock = `${folder}/plugins.lock`;
    const fix = builtin ? rebuild : moveAway(lock);
    return [{ name, status: 'fail', finding: reasonOf(thrown), fix }];
  }
  if (records.length === 0) {
    return builtin
      ? [{ name, status: 'fail', finding: `there are none in ${folder}`, fix: rebuild }]
      : [{ name, status: 'ok', finding: 'none' }];
  }
  return records.map((record) => {
    const about = { name: `plugin ${record.name}` };
    const what = `${record.version}, ${builtin ? 'built in' : 'installed'}, ${record.sha256.slice(0, 12)}`;
    try {
      store.verify(record, { isQuick: true });
      return { ...about, status: 'ok', finding: `${what}: its files are what the lock says` };
    } catch (thrown) {
      const fix = builtin ? rebuild : reinstall(record, heldBy(record));
      return { ...about, status: 'fail', finding: reasonOf(thrown), fix };
    }
  });
}

/** A plugin whose file is gone can only be removed. */
function reinstall({ name, source }: PluginRecord, held: readonly string[]): string {
  const grants = held.map((grant) => ` --grant ${shellWord(grant)}`).join('');
  return existsSync(source)
    ? `cuervo plugin install ${shellWord(source)}${grants}`
    : `cuervo plugin remove ${name}`;
}

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

/**
 * Tries the sandbox that programs run in.
 *
 * @param setting `exec.sandbox` of the configuration
 */
export async function checkPrograms(setting: 'os' | 'none'): Promise<Finding> {
  return describeSandbox(await findSandbox(setting));
}

/**
 * The meaning of the current tier for programs, and how to get a better one.
 *
 * @param base where control groups can be made, as `findCgroupBase` has it
 */
export function describeSandbox(found: ProgramSandbox, base = findCgroupBase()): Finding {
  const name = 'programs';
  switch (found.tier) {
    case 'bubblewrap': {
      const nested = found.features.disableUserns
        ? ''
        : '; 0.8 or later would also forbid further namespaces';
      const memory =
        base?.holdsMemory === true
          ? 'the kernel bounds their memory'
          : 'cuervo measures their memory every 50 ms, because this session has no control group for it';
      const finding = `they run in bubblewrap, which works here; ${memory}${nested}`;
      if (found.forwarder !== undefined) return { name, status: 'ok', finding };
      return {
        name,
        status: 'warn',
        finding: `${finding}; none can reach an origin: socat is not installed`,
        fix: found.forwarderFix,
      };
    }
    case 'seatbelt':
      return {
        name,
        status: 'ok',
        finding:
          'they run in Seatbelt: a program was kept from what it may not read or write, and did what it may; they have no network and keep no caches',
      };
    case 'none':
      return {
        name,
        status: 'warn',
        finding:
          'they run without a sandbox, because exec.sandbox is "none": an allowed program reads and writes whatever you can',
        fix: 'remove sandbox = "none" from config.toml',
      };
    case 'missing':
      return { name, status: 'warn', finding: `none is run: ${found.reason}`, fix: found.fix };
  }
}
