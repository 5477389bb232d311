import { type ChildProcess, spawn } from 'node:child_process';
import { BuildError } from './build-error.ts';
import { bundleForEngine } from './bundle-for-engine.ts';
import { helpWith } from './engine-reason.ts';
import type { LoadTool } from './load-tool.ts';
import type { Bundle } from './placed-bundle.ts';
import type { PluginDescription } from './plugin-description.ts';
import { reachedBy } from './tell-absent.ts';

const timeoutMs = 20_000;
/** A hundred tools with long schemas have a tenth of it. */
const maxCharacters = 64 * 1024 * 1024;

/** What the permission model does not ask about: SQLite opens files, the signal opens a debugger. */
const permissionFlags = [
  '--permission',
  '--disable-sigusr1',
  '--no-experimental-sqlite',
  '--no-experimental-webstorage',
  '--no-addons',
  '--no-global-search-paths',
];

/** SDK globals that Node lacks, or that hide Node from code that looks for it. */
const unlikeNode: ReadonlySet<string> = new Set(['self', 'no-place', 'process', 'node-version']);

/**
 * Where the bundle starts when it is asked what the plugin is. A default export that is missing
 * is undefined here, which `describe()` can say; by its name it would be an error of the bundler.
 */
const entryWith = (shims: readonly string[]): string => `
${shims
  .filter((file) => unlikeNode.has(file))
  .map((file) => `import './guest/globals/${file}.ts';`)
  .join('\n')}
import * as entry from 'cuervo:plugin-entry';
import { describe } from './build/describe-definition.ts';
globalThis.cuervoDescription = JSON.stringify(describe(entry.default));
`;

/**
 * Asks the plugin itself for its manifest and tools, in a Node process that may read nothing, write
 * nothing and reach nobody, since it runs a stranger's code.
 *
 * @throws {BuildError}
 */
export async function describePlugin(options: {
  folder: string;
  origin?: string | undefined;
  sdkFolder: string;
  load: LoadTool;
  /** of Node, which keep that process from everything; by default its permission model alone */
  nodeFlags?: readonly string[] | undefined;
  /** hears of the process, so that it can end it when this one is killed */
  watch?: ((child: ChildProcess) => void) | undefined;
}): Promise<PluginDescription> {
  // With the same package entries as the component.
  const bundle = await bundleForEngine({
    ...options,
    entryWith,
    capabilities: undefined,
  });
  // Before the bundle on its first line, so that its lines keep their numbers; by globalThis, because
  // a function "process" of the plugin is hoisted. The process ends once the description is written:
  // it waits for no timer of the top level.
  const program = `const cuervoNode = globalThis.process; ${bundle.code}\ncuervoNode.stdout.write('\\n' + globalThis.cuervoDescription + '\\n', () => cuervoNode.exit());`;
  const child = spawn(
    process.execPath,
    [...(options.nodeFlags ?? permissionFlags), '--no-warnings', '--input-type=module', '-'],
    { stdio: ['pipe', 'pipe', 'pipe'], env: {}, timeout: timeoutMs, killSignal: 'SIGKILL' },
  );
  options.watch?.(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
    if (stdout.length > maxCharacters) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < maxCharacters) stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => {});
  child.stdin.end(program);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, by) => resolve([exitCode, by]));
  });
  if (code === 0) return readDescription(stdout);
  if (stdout.length > maxCharacters)
    throw new BuildError(`the plugin's definition wrote more than ${maxCharacters} characters`);
  if (signal !== null)
    throw new BuildError(`the plugin's definition did not end in ${timeoutMs} ms`);
  const reason = /(?:^|\n)\w*Error: ([^\n]+)/.exec(stderr)?.[1] ?? stderr.trim().split('\n').at(-1);
  throw new BuildError(
    `the plugin's definition: ${reason}${placeOf(stderr, bundle)}${helpWith(`${reason}`)}`,
  );
}

/** Before it, and behind it, stands what the plugin's top level wrote to console. */
function readDescription(stdout: string): PluginDescription {
  const line = stdout.split('\n').findLast((each) => each.startsWith('{')) ?? '';
  try {
    return JSON.parse(line) as PluginDescription;
  } catch {
    throw new BuildError("the plugin's definition wrote to the place of its description");
  }
}

/** Where the plugin's own code threw; nothing for what `describe()` found wrong. */
function placeOf(stderr: string, bundle: Bundle): string {
  for (const [, line, column] of stderr.matchAll(/\[eval1?\]:(\d+):(\d+)/g)) {
    const place = bundle.placeAt(Number(line), Number(column));
    if (place?.file.startsWith('sdk/build/') === true) return '';
    if (place === undefined || /^(?:sdk\/|absent-host:|node-stub:)/.test(place.file)) continue;
    return `, at ${place.file}:${place.line}${reachedBy(place.file, bundle)}`;
  }
  return '';
}
