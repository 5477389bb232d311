import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { exposedHome } from '../../config/check-home.ts';
import { findWorkspace } from '../../config/find-workspace.ts';
import { findHome, loadConfig } from '../../config/load-config.ts';
import { programPaths, useTempFolder } from '../../config/paths.ts';
import { openGrants } from '../../consent/grants.ts';
import type { Config } from '../../contracts/config.ts';
import { reasonOf } from '../../contracts/error.ts';
import type { Finding } from '../../contracts/output/parse-setup.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { emptyBook, type ModelBook, readBook } from '../../models/model-book.ts';
import { parseDenials } from '../../policy/decide.ts';
import { formatGrant } from '../../policy/parse-grant.ts';
import { readSetting } from '../../store/setting-queries.ts';
import {
  checkGrants,
  checkPermissions,
  checkRules,
  checkSecrets,
  checkStore,
  edit,
  editProjectFile,
  repairIfDamaged,
} from './doctor-files.ts';
import { checkParts, checkPlugins, checkPrograms } from './doctor-plugins.ts';
import { checkIndex, checkMemory, checkModel, checkTables } from './doctor-recall.ts';
import {
  checkNode,
  checkPaths,
  checkPluginProcess,
  checkPluginSandbox,
  checkTempFolder,
} from './doctor-system.ts';

/**
 * Looks at everything that has to be right for cuervo to work and to hold, one after the other.
 * Changes nothing but where it repairs, asks nobody, and goes on behind what it cannot read.
 *
 * @param options.env of the process: `CUERVO_HOME`, `PATH`, and what `loadConfig` reads
 * @param options.checkJobs throws for jobs in the configuration that there are not, which the
 *   scheduler knows
 */
export async function* examineSetup(options: {
  env: Readonly<Record<string, string | undefined>>;
  nowMs: number;
  checkJobs(config: Config): unknown;
  repairs?: boolean | undefined;
}): AsyncGenerator<Finding, void, undefined> {
  const { env, nowMs, checkJobs, repairs = false } = options;
  const home = findHome(undefined, env);
  useTempFolder(home);
  yield checkNode(process.version);
  yield await checkPluginProcess();
  yield* checkTempFolder(home);
  const config = configOf(home, env);
  yield* checkPluginSandbox(config?.pluginSandbox ?? 'auto');
  yield checkPaths(process.platform);
  yield await checkPrograms(config?.execSandbox ?? 'os');
  yield* checkPlugins(programPaths().builtins, true, () => []);
  yield* checkPlugins(home, false, (record) => heldBy(record, home, nowMs));
  yield* checkParts(home);
  yield* checkPermissions(home);
  if (repairs) yield* repairIfDamaged(home, nowMs);
  yield* checkStore(home);
  yield checkGrants(home, nowMs);
  yield* checkSecrets(home);
  yield* checkRules(home);
  yield* checkConfig(home, env, checkJobs);
  if (config === undefined) return;
  yield* await checkTables(config);
  yield await checkIndex(config);
}

/** Undefined for one that cannot be read, which has a finding of its own. */
function configOf(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Config | undefined {
  try {
    return loadConfig({ home }, env);
  } catch {
    return undefined;
  }
}

/** A file that cannot be read has a finding of its own; here it counts as empty. */
function heldBy({ name, sha256 }: PluginRecord, home: string, nowMs: number): string[] {
  try {
    return openGrants(home, { nowMs: () => nowMs })
      .of(name, sha256)
      .map(formatGrant);
  } catch {
    return [];
  }
}

/** The settings that a run checks before it does anything, and the jobs after it. */
function checkConfig(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  checkJobs: (config: Config) => unknown,
): Finding[] {
  const name = 'config';
  const exposed = exposedHome(home);
  if (exposed !== undefined) {
    const finding = `config.toml is not read while ${exposed.path} ${exposed.why}`;
    return [{ name, status: 'fail', finding, fix: exposed.fix }];
  }
  const path = join(home, 'config.toml');
  try {
    const config = loadConfig({ home }, env);
    parseDenials(config.denied);
    checkJobs(config);
    const finding = existsSync(path)
      ? `${path} is valid`
      : 'there is no config.toml; the defaults apply';
    return [{ name, status: 'ok', finding }, checkModel(config, bookOf(home)), checkMemory(config)];
  } catch (thrown) {
    const finding = reasonOf(thrown);
    const projectFile = projectFileIn(finding);
    const fix = projectFile === undefined ? edit(path) : editProjectFile(projectFile);
    return [{ name, status: 'fail', finding, fix }];
  }
}

/** The models that a person added and chose, as far as the store can be read. */
function bookOf(home: string): ModelBook {
  try {
    return readBook({ getSetting: (key) => readSetting(join(home, 'cuervo.db'), key) });
  } catch {
    return emptyBook;
  }
}

/** The path of `cuervo.toml`, where a sentence is about it: it begins with the file it is about. */
function projectFileIn(finding: string): string | undefined {
  const name = 'cuervo.toml';
  if (!finding.includes(name)) return undefined;
  const path = join(findWorkspace(undefined, process.cwd()).folder, name);
  return finding.startsWith(path) || finding.startsWith(`${name}:`) ? path : undefined;
}
