import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './mcp-fixture.ts';

const packages = join(process.env.CUERVO_TEST_TOOLS ?? '', 'node_modules/@modelcontextprotocol');
const entryOf = (name: RealServer): string => join(packages, name, 'dist/index.js');

/** Servers that the authors of the protocol publish; `.ci/run` installs them. */
const names = ['server-filesystem', 'server-everything'] as const;
type RealServer = (typeof names)[number];

/** Those that are not in `$CUERVO_TEST_TOOLS`; empty where none is missing. */
export const lacksRealServers = names.filter((name) => !existsSync(entryOf(name))).join(', ');

/** Makes one file of a server; only what lies in the workspace is there for it in the sandbox. */
export async function bundleRealServer(name: RealServer, outfile: string): Promise<void> {
  await bundleServer(entryOf(name), outfile);
}
