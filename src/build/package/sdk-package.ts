import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDeclarations } from './declarations.ts';

/**
 * `@cuervo/sdk` as a package of its own, for the compiler and the editor of an author. `cuervo plugin
 * build` brings the same sources itself.
 *
 * @param out an empty folder
 */
export function writeSdkPackage(root: string, out: string): void {
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
      './package.json': './package.json',
    },
    files: ['index.js', 'types', 'LICENSE', 'README.md'],
    engines: { node: '>=20' },
    dependencies: { valibot: dependencies.valibot },
  };
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeDeclarations({ root, entry: 'sdk/index.ts', out: join(out, 'types') });
  const esbuild = join(root, 'node_modules/.bin/esbuild');
  const options = [
    '--bundle',
    '--format=esm',
    '--external:cuervo:*',
    '--external:valibot',
    '--log-level=warning',
  ];
  execFileSync(esbuild, ['sdk/index.ts', ...options, `--outfile=${join(out, 'index.js')}`], {
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

The page docs/plugins.md of cuervo describes it.
`;
