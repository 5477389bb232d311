import { join } from 'node:path';
import { build } from 'esbuild';

const banner =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Makes one file of a server, which runs where nothing else of this clone is. */
export async function bundleServer(entry: string, outfile: string): Promise<void> {
  await build({
    ...{ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' },
    ...{ target: 'node18', banner: { js: banner }, logLevel: 'silent' },
  });
}

export const fixtureServer = join(import.meta.dirname, '../fixtures/mcp-server/server.ts');
