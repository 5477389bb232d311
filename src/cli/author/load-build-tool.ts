import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CaseReader } from '../../../sdk/author/find-cases.ts';
import type { KeepComponent } from '../../../sdk/build/componentize.ts';
import type { LoadTool } from '../../../sdk/build/load-tool.ts';
import { findHome } from '../../config/load-config.ts';
import { packagesFolder, programPaths } from '../../config/paths.ts';
import { exitCodes, KernelError } from '../../contracts/error.ts';
import { runStranger } from '../../kernel/plugins/author-builds.ts';
import { findPackage, loadPackage, type PartPlaces } from '../../lib/parts/optional-part.ts';
import { sha256 } from '../../lib/sha256.ts';
import { keptComponents } from './kept-components.ts';

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
