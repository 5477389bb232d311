import type { LoadTool } from '../../../sdk/build/load-tool.ts';
import { findHome } from '../../config/load-config.ts';
import { packagesFolder, programPaths } from '../../config/paths.ts';
import { KernelError } from '../../contracts/error.ts';
import { findPackage, loadPackage, type PartPlaces } from '../../lib/parts/optional-part.ts';

/** The bundler and the engine: of a clone, or of the part "build". */
export const loadBuildTool: LoadTool = (name) => loadPackage(name, places());

/** What is to be added before JavaScript can be built; undefined where it is there. */
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

function places(): PartPlaces {
  return { root: programPaths().root, packages: packagesFolder(findHome(undefined, process.env)) };
}
