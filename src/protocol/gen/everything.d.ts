// world cuervo:all/everything
import type * as CuervoHostClock from './interfaces/cuervo-host-clock.js'; // cuervo:host/clock@0.1.0
import type * as CuervoHostExec from './interfaces/cuervo-host-exec.js'; // cuervo:host/exec@0.1.0
import type * as CuervoHostFsWrite from './interfaces/cuervo-host-fs-write.js'; // cuervo:host/fs-write@0.1.0
import type * as CuervoHostFs from './interfaces/cuervo-host-fs.js'; // cuervo:host/fs@0.1.0
import type * as CuervoHostHttp from './interfaces/cuervo-host-http.js'; // cuervo:host/http@0.1.0
import type * as CuervoHostKv from './interfaces/cuervo-host-kv.js'; // cuervo:host/kv@0.1.0
import type * as CuervoHostLog from './interfaces/cuervo-host-log.js'; // cuervo:host/log@0.1.0
import type * as CuervoHostMemory from './interfaces/cuervo-host-memory.js'; // cuervo:host/memory@0.1.0
import type * as CuervoHostRandom from './interfaces/cuervo-host-random.js'; // cuervo:host/random@0.1.0
import type * as CuervoHostTools from './interfaces/cuervo-host-tools.js'; // cuervo:host/tools@0.1.0
import type * as CuervoHostTypes from './interfaces/cuervo-host-types.js'; // cuervo:host/types@0.1.0
import type * as CuervoPluginTools from './interfaces/cuervo-plugin-tools.js'; // cuervo:plugin/tools@0.1.0
export interface ImportObject {
  'cuervo:host/clock@0.1.0': typeof CuervoHostClock,
  'cuervo:host/exec@0.1.0': typeof CuervoHostExec,
  'cuervo:host/fs-write@0.1.0': typeof CuervoHostFsWrite,
  'cuervo:host/fs@0.1.0': typeof CuervoHostFs,
  'cuervo:host/http@0.1.0': typeof CuervoHostHttp,
  'cuervo:host/kv@0.1.0': typeof CuervoHostKv,
  'cuervo:host/log@0.1.0': typeof CuervoHostLog,
  'cuervo:host/memory@0.1.0': typeof CuervoHostMemory,
  'cuervo:host/random@0.1.0': typeof CuervoHostRandom,
  'cuervo:host/tools@0.1.0': typeof CuervoHostTools,
  'cuervo:host/types@0.1.0': typeof CuervoHostTypes,
}
export interface Everything {
  'cuervo:plugin/tools@0.1.0': typeof CuervoPluginTools,
  tools: typeof CuervoPluginTools,
}

/**
* Instantiates this component with the provided imports and
* returns a map of all the exports of the component.
*
* This function is intended to be similar to the
* `WebAssembly.Instantiate` constructor. The second `imports`
* argument is the "import object" for wasm, except here it
* uses component-model-layer types instead of core wasm
* integers/numbers/etc.
*
* The first argument to this function, `getCoreModule`, is
* used to compile core wasm modules within the component.
* Components are composed of core wasm modules and this callback
* will be invoked per core wasm module. The caller of this
* function is responsible for reading the core wasm module
* identified by `path` and returning its compiled
* `WebAssembly.Module` object. This would use the
* `WebAssembly.Module` constructor on the web, for example.
*/
export function instantiate(
getCoreModule: (path: string) => WebAssembly.Module,
imports: ImportObject,
instantiateCore?: (module: WebAssembly.Module, imports: Record<string, any>) => WebAssembly.Instance
): Everything;

