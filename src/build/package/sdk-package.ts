import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDeclarations } from './declarations.ts';

/**
 * `@cuervo/sdk` as a package of its own, for the compiler and the editor of an author. `cuervo plugin
 * build` brings the same sources itself.
 *
 * @param out an empty folder
 * @param options.whole with the schema library in it: where nothing is installed beside it
 */
export function writeSdkPackage(
  root: string,
  out: string,
  options: { whole?: boolean } = {},
): void {
  const { version, license, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { version: string; license: string; dependencies: Record<string, string> };
  const manifest = {
    name: '@cuervo/sdk',
    version,
    description: 'What plugins of cuervo are written with.',
    license,
    type: 'module',
    exports: {
      '.': { types: './types/sdk/index.d.ts', default: './index.js' },
      './testing': { types: './types/sdk/testing/index.d.ts', default: './testing.js' },
      './package.json': './package.json',
    },
    files: ['index.js', 'testing.js', 'chunks', 'types', 'LICENSE', 'README.md'],
    engines: { node: '>=20' },
    ...(options.whole === true ? {} : { dependencies: { valibot: dependencies.valibot } }),
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const entries = ['sdk/index.ts', 'sdk/testing/index.ts'];
  writeDeclarations({ root, entries, out: join(out, 'types') });
  const esbuild = join(root, 'node_modules/.bin/esbuild');
  const flags = [
    '--bundle',
    '--format=esm',
    '--splitting',
    '--chunk-names=chunks/[name]-[hash]',
    '--external:cuervo:*',
    '--external:node:*',
    ...(options.whole === true ? [] : ['--external:valibot']),
    '--log-level=warning',
  ];
  const inputs = ['index=sdk/index.ts', 'testing=sdk/testing/index.ts'];
  execFileSync(esbuild, [...inputs, ...flags, `--outdir=${out}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
  writeFileSync(join(out, 'README.md'), readme);
}

const readme = `# @cuervo/sdk

What plugins of cuervo are written with. \`cuervo plugin build DIR\` makes a component of a folder with
\`plugin.ts\` and needs nothing of this package; it is here for your compiler and your editor.

\`\`\`ts
import { definePlugin, fs, v } from '@cuervo/sdk';
\`\`\`

\`@cuervo/sdk/testing\` has fakes of the host for unit tests. The pages docs/write-plugins.md and docs/sdk.md of
cuervo describe both.
`;
