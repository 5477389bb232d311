import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  $init,
  type GenerateOptions,
  generateTypes,
} from '@bytecodealliance/jco-transpile/component';
import { capabilityNames } from '../contracts/capabilities.ts';
import lock from '../lib/parts/part-lock.json' with { type: 'json' };
import type { PartLocks } from '../lib/parts/part-lock.ts';
import { documentsWithHelp } from './help-texts.ts';
import { configTomlJson, outputSchemas, pluginTomlJson } from './output-schemas.ts';
import { type NpmLock, staleParts } from './part-lock.ts';
import { sdkReference } from './sdk-reference.ts';

/**
 * Writes what is generated and committed: the types of both sides of the WIT contracts, the names
 * of capabilities for the SDK, the JSON Schemas of what is printed, and the help texts in the documents.
 * With `--check` nothing is written, and a difference ends with exit code 1.
 */
const root = resolve(import.meta.dirname, '../..');

await $init;
const types = new Map([...witTypes('host'), ...witTypes('guest')]);
const fresh = new Map([
  ...types,
  ['sdk/gen/capabilities.ts', sdkCapabilities()],
  ...outputSchemas(),
  ...documentsWithHelp(root),
  ['docs/sdk.md', sdkReference(root, types)],
  ['src/contracts/schema/plugin-toml.json', pluginTomlJson()],
  ['src/contracts/schema/config-toml.json', configTomlJson()],
]);
const folders = ['src/protocol/gen', 'sdk/gen', 'src/contracts/schema'];
if (process.argv.includes('--check')) check();
else write();

/** The SDK imports nothing of `src`: it has the names as a text of its own. */
function sdkCapabilities(): string {
  const names = capabilityNames.map((name) => `  '${name}',\n`).join('');
  const interfaces = capabilityNames
    .map((name) => `  '${name}': typeof import('cuervo:host/${name}@0.1.0');\n`)
    .join('');
  return [
    '// Written by `npm run gen` from src/contracts/capabilities.ts.\n',
    '/** Interfaces of `cuervo:host` that a plugin may want. */\n',
    `export const capabilityNames = [\n${names}] as const;\n`,
    'export type CapabilityName = (typeof capabilityNames)[number];\n',
    `/** The functions of each interface. */\nexport type HostInterfaces = {\n${interfaces}};\n`,
  ].join('');
}

function witTypes(side: 'host' | 'guest'): [string, string][] {
  const folder = side === 'host' ? 'src/protocol/gen' : 'sdk/gen';
  const imports = capabilityNames.map((name) => `import cuervo:host/${name}@0.1.0;`).join('\n  ');
  const world = `package cuervo:all;\nworld everything {\n  include cuervo:plugin/pure@0.1.0;\n  ${imports}\n}`;
  const packages = ['host/host.wit', 'plugin/plugin.wit'].map((file) =>
    readFileSync(join(root, 'wit', file), 'utf8').replace(/^package ([^;]+);/m, 'package $1 {'),
  );
  const options = {
    wit: { tag: 'source', val: [world, ...packages.map((text) => `${text}\n}`)].join('\n') },
    world: 'everything',
    guest: side === 'guest',
    ...(side === 'host' ? { instantiation: { tag: 'sync' } } : {}),
  };
  return generateTypes('everything', options as unknown as GenerateOptions as never).map(
    ([name, bytes]) => [`${folder}/${name}`, Buffer.from(bytes).toString('utf8')],
  );
}

function check(): void {
  const known = folders.flatMap((folder) => filesBelow(folder));
  const stale = [...new Set([...known, ...fresh.keys()])].filter((file) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== fresh.get(file);
  });
  for (const file of stale)
    console.error(`${file} is not what its source gives: run "npm run gen"`);
  const parts = staleParts(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as NpmLock,
    (lock as { parts: PartLocks }).parts,
  );
  for (const each of parts)
    console.error(`part-lock.json and package-lock.json differ in ${each}: run "npm run lock"`);
  if (stale.length + parts.length > 0) process.exitCode = 1;
}

function write(): void {
  // A file of an older version would otherwise stay.
  for (const folder of folders) rmSync(join(root, folder), { recursive: true, force: true });
  for (const [file, text] of fresh) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
