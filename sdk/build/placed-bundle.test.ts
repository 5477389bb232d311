import { resolve } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { placedBundle } from './placed-bundle.ts';

/** What the bundler tells of a plugin beside a cuervo that npm installed. */
function bundled(folder: string, app: string) {
  const files = {
    plugin: 'plugin.ts',
    sdk: `${app}/node_modules/cuervo/sdk/index.ts`,
    library: `${app}/node_modules/cuervo/dist/libraries/core-js-pure/url.js`,
    theirs: 'node_modules/one/node_modules/two/index.js',
  };
  const inputs: Metafile['inputs'] = {};
  const paths = Object.values(files);
  for (const [at, path] of paths.entries()) {
    const imports = paths
      .slice(at + 1, at + 2)
      .map((next) => ({ path: next, kind: 'require-call' }));
    inputs[path] = { bytes: 1, imports } as Metafile['inputs'][string];
  }
  const text = paths.map((path) => `// ${path}`).join('\n');
  const result = { metafile: { inputs, outputs: {} }, outputFiles: [{ path: 'out.js', text }] };
  return placedBundle(result as unknown as BuildResult & { metafile: Metafile }, {
    folder: resolve(folder),
    sdkFolder: resolve(folder, app, 'node_modules/cuervo/sdk'),
    pluginEntry: resolve(folder, 'plugin.ts'),
  });
}

describe('placedBundle()', () => {
  it.each(['../app', '/usr/lib', '.'])(
    'names the SDK and its libraries alike wherever they are installed: %s',
    (app) => {
      const { code, chainTo } = bundled('/home/ana/kit', app);
      const named = [
        'plugin.ts',
        'sdk/index.ts',
        'node_modules/core-js-pure/url.js',
        'node_modules/one/node_modules/two/index.js',
      ];
      expect(code.split('\n')).toEqual(named.map((name) => `// ${name}`));
      expect(chainTo(named.at(-1) ?? '')).toEqual(named);
    },
  );
});
