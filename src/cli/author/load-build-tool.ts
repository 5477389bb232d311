import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CaseReader } from '../../../sdk/author/find-cases.ts';
import type { KeepComponent } from '../../../sdk/build/componentize.ts';
import type { LoadTool } from '../../../sdk/build/load-tool.ts';
import { findHome } from '../../config/load-config.ts';
import { packagesFolder, programPaths } from '../../config/paths.ts';
import { exitCodes, KernelError } from '../../contracts/error.ts';
import { runStranger } from '../../kernel/plugins/author-builds.ts';
import { exposedPart } from '../../lib/files/exposed-part.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { findPackage, loadPackage, type PartPlaces } from '../../lib/parts/optional-part.ts';
import { sha256 } from '../../lib/sha256.ts';

/** The bundler and the engine: of a clone, or of the part "build". */
export const loadBuildTool: LoadTool = (name) => loadPackage(name, places());

/** Components that a build of the same sources gave before, in `CUERVO_HOME/components`. */
export function keepComponents(): KeepComponent {
  // Its package.json names the one version of the native part that goes with it.
  const manifest = join(dirname(findPackage('componentize-qjs', places()).file), 'package.json');
  const home = findHome(undefined, process.env);
  return keptComponents(join(home, 'components'), sha256(readFileSync(manifest)));
}

/** The part to add before JavaScript can be built; undefined when it is there. */
export function whyNoBuildTool(): string | undefined {
  try {
    findPackage('esbuild', places());
    return undefined;
  } catch (thrown) {
    const { message, hint = '' } = KernelError.from(thrown, 'internal') as KernelError & {
      hint?: string;
    };
    return `${message}. ${hint}`;
  }
}

/** Prepared binaries that are used without being installed. */
export function triedFolder(): string {
  return join(findHome(undefined, process.env), 'tried');
}

/** What reads the cases of an author; those that are a program run without any permission. */
export function caseReader(signal: AbortSignal): CaseReader {
  const program = {
    timeoutMs: 20_000,
    signal,
    doing: 'to run it',
    failed: 'it gives no list of cases',
  };
  return {
    sdkFolder: programPaths().sdk,
    errorCodes: Object.keys(exitCodes),
    load: loadBuildTool,
    run: (text) => runStranger(text, program),
    signal,
  };
}

function places(): PartPlaces {
  return { root: programPaths().root, packages: packagesFolder(findHome(undefined, process.env)) };
}

/** Enough for some fifty components. */
const maxBytes = 100 * 1024 * 1024;
/** Hexadecimal digits that a file begins with. */
const digestLength = 64;

/**
 * Keeps components that the engine's tool made, since it compiles the whole engine each time. A
 * file is named by the digest of its inputs, and begins with the digest of its content.
 *
 * @param folder closed to other users: its files become part of plugins
 * @param tool digest of the tool itself
 */
export function keptComponents(folder: string, tool: string): KeepComponent {
  return async (inputs, make) => {
    const file = join(folder, sha256([tool, ...inputs.map(sha256)].join('\n')));
    const kept = read(file);
    if (kept !== undefined) return kept;
    const made = await make();
    try {
      makeFolder(folder);
      writeFileWhole(file, Buffer.concat([Buffer.from(sha256(made)), made]), { flush: false });
      prune(folder);
    } catch {
      // A full disk or a read-only home prevents only the caching, not the build.
    }
    return made;
  };
}

/** Undefined where it is missing, damaged, or where others could have put it. */
function read(file: string): Uint8Array | undefined {
  try {
    if (!existsSync(file) || exposedPart(file) !== undefined) return undefined;
    const bytes = readFileSync(file);
    const kept = bytes.subarray(digestLength);
    if (sha256(kept) !== bytes.toString('latin1', 0, digestLength)) return undefined;
    const now = new Date();
    utimesSync(file, now, now);
    return kept;
  } catch {
    return undefined;
  }
}

/** Drops what was used longest ago. */
function prune(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    return { path, size, mtimeMs };
  });
  let left = maxBytes;
  for (const { path, size } of files.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
    left -= size;
    if (left < 0) rmSync(path, { force: true });
  }
}
