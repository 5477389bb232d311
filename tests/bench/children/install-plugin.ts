// Builds the plugin in a folder, or takes a component, and installs it into a store. Arguments: the
// folder or file, and that of the store. The builder
// takes 100 MB, which whoever measures must not hold: a process takes the longer to start another one
// the larger it is itself, and cuervo never builds and runs in one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPlugin } from '../../../sdk/build/build-plugin.ts';
import { installPlugin } from '../../../src/host/install/install-plugin.ts';
import { openPluginStore } from '../../../src/host/install/plugin-store.ts';
import { defaultLimits } from '../../../src/host/limits.ts';
import { createProcessSandbox } from '../../../src/sandbox/process-sandbox.ts';
import { dist, processBundle, root } from '../bench-host.ts';

const [source = '', folder = ''] = process.argv.slice(2);
const built = source.endsWith('.wasm')
  ? { file: source }
  : await buildPlugin({
      folder: source,
      out: join(folder, 'plugin.wasm'),
      engine: 'quickjs',
      sdkFolder: join(root, 'sdk'),
      witFolder: join(root, 'wit'),
    });
await installPlugin(readFileSync(built.file), 'bench', openPluginStore(folder), {
  bundles: {
    process: processBundle,
    transpile: join(dist, 'transpile.js'),
    wrap: join(dist, 'wrap.js'),
  },
  limits: defaultLimits,
  sandbox: createProcessSandbox('auto'),
  signal: new AbortController().signal,
  nowMs: 0,
});
