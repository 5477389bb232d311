import { edges } from './edges.ts';
import { type Import, readImports } from './read-imports.ts';
import type { SourceFile } from './source-files.ts';

/** What a file must not do; `planted` breaks this rule and no other. */
export type Rule = {
  /** what to do instead, for the person who reads the failure */
  name: string;
  covers(path: string): boolean;
  violations(file: SourceFile): string[];
  planted: SourceFile;
};

const isTest = (path: string): boolean => path.endsWith('.test.ts');
const below = (path: string, ...folders: string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
const isKernel = (path: string): boolean => below(path, 'src/kernel.ts', 'src/kernel');

/** What runs inside of a plugin process, and nowhere else. */
const inProcess = ['src/host/process', 'src/fs', 'src/wasi'];

/** Where a part may import from. */
function reachOf(part: string): string[] {
  const named = edges.filter(({ from }) => `src/${from}` === part).map(({ to }) => `src/${to}`);
  return [part, 'src/contracts', 'src/lib', ...named];
}

/** Folders of `src` that are no part: the vocabulary, the root, and those who use the root. */
const noParts = ['contracts', 'lib', 'kernel', 'cli', 'mcp', 'acp', 'build'];

/** `src/memory/lance/x.ts` -> `src/memory`; undefined outside the parts. */
function partOf(path: string): string | undefined {
  const [src, part, file] = path.split('/');
  if (src !== 'src' || part === undefined || file === undefined) return undefined;
  return noParts.includes(part) ? undefined : `src/${part}`;
}

function importRule(
  name: string,
  covers: (path: string) => boolean,
  allows: (to: Import, from: string) => boolean,
  planted: SourceFile,
): Rule {
  return {
    name,
    covers: (path) => /\.(ts|cjs|mjs)$/.test(path) && covers(path),
    violations: (file) =>
      readImports(file)
        .filter((found) => !allows(found, file.path))
        .map((found) => `${file.path} imports ${found.to}`),
    planted,
  };
}

function wordRule(
  name: string,
  covers: (path: string) => boolean,
  word: RegExp,
  planted: SourceFile,
): Rule {
  return {
    name,
    covers: (path) => path.endsWith('.ts') && covers(path),
    violations: ({ path, text }) =>
      text
        // A comment may name what it is about, and so may text that is handed to another program.
        .replace(/^[ \t]*\/\*[\s\S]*?\*\/|\/\/.*$|`[^`]*`/gm, (removed) =>
          removed.replace(/[^\n]/g, ''),
        )
        .split('\n')
        .flatMap((line, index) => (word.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    planted,
  };
}

export const rules: readonly Rule[] = [
  importRule(
    'a part imports itself, contracts, lib and what its line in the table of edges names',
    (path) => partOf(path) !== undefined && !isTest(path),
    ({ to, inside }, from) => !inside || below(to, ...reachOf(partOf(from) ?? '')),
    {
      path: 'src/memory/x.ts',
      text: "import { runLaunch } from '../programs/exec/run-launch.ts';\n",
    },
  ),
  wordRule(
    'the gate to content asks the list of protected names, and nobody beside it',
    (path) =>
      below(path, 'src', 'sdk', 'plugins', 'scheduler') &&
      !below(path, 'src/contracts') &&
      !isTest(path),
    /\bisProtected(?:Path|Unless)\b/,
    { path: 'src/host/x.ts', text: "const isKept = isProtectedPath('a');\n" },
  ),
  importRule(
    'contracts and lib import nothing of the rest',
    (path) => below(path, 'src/contracts', 'src/lib') && !isTest(path),
    ({ to, inside }) => !inside || below(to, 'src/contracts', 'src/lib'),
    { path: 'src/lib/x.ts', text: "export type { Config } from '../config/load-config.ts';\n" },
  ),
  importRule(
    'the plugin process imports itself, its files and WASI, the protocol, paths, contracts and lib',
    (path) => below(path, 'src/host/process') && !isTest(path),
    ({ to, inside }) =>
      !inside ||
      below(to, 'src/host/process', 'src/fs', 'src/wasi', 'src/protocol', 'src/paths') ||
      below(to, 'src/contracts', 'src/lib'),
    { path: 'src/host/process/x.ts', text: "import { defaultLimits } from '../limits.ts';\n" },
  ),
  importRule(
    'nothing outside imports the code of the plugin process, but the index what it does to files',
    (path) => below(path, 'src', 'sdk') && !below(path, ...inProcess),
    ({ to }, from) =>
      !below(to, ...inProcess) || (below(from, 'src/finder') && below(to, 'src/fs')),
    { path: 'src/host/x.ts', text: "const walk = await import('../fs/walk-tree.ts');\n" },
  ),
  importRule(
    'the root imports parts, contracts and lib',
    (path) => isKernel(path) && !isTest(path),
    ({ to, inside }) =>
      !inside || (below(to, 'src') && !below(to, 'src/cli', 'src/mcp', 'src/acp', 'src/build')),
    { path: 'src/kernel/x.ts', text: "import { print } from '../cli/output.ts';\n" },
  ),
  importRule(
    'the agent imports contracts alone; parts arrive as ports',
    (path) => path === 'src/agent.ts',
    ({ to }) => below(to, 'src/contracts'),
    { path: 'src/agent.ts', text: "import { once } from './lib/once.ts';\n" },
  ),
  wordRule(
    'every plan is told and run by `runPlan` of src/agent.ts, whoever made it',
    (path) =>
      below(path, 'src', 'scheduler') &&
      path !== 'src/agent.ts' &&
      !below(path, 'src/contracts') &&
      !isTest(path),
    /\byield \{ type: 'plan'/,
    { path: 'src/talk/x.ts', text: "yield { type: 'plan', ...plan };\n" },
  ),
  importRule(
    'index.ts names what the kernel and contracts export',
    (path) => path === 'src/index.ts',
    ({ to }) => isKernel(to) || below(to, 'src/contracts'),
    { path: 'src/index.ts', text: "export { createPluginHost } from './host/plugin-host.ts';\n" },
  ),
  importRule(
    'the command line imports the kernel, mcp, acp, config, contracts, lib, what the sdk builds with and the scheduler',
    (path) => below(path, 'src/cli') && !isTest(path),
    ({ to, inside }) =>
      !inside ||
      isKernel(to) ||
      below(
        to,
        'src/cli',
        'src/mcp',
        'src/acp',
        'src/config',
        'src/contracts',
        'src/lib',
        'sdk/author',
        'sdk/build',
        'sdk/languages',
        'scheduler',
      ),
    { path: 'src/cli/x.ts', text: "import { openMemory } from '../memory/open-memory.ts';\n" },
  ),
  importRule(
    'what serves clients imports the kernel, config, contracts and lib',
    (path) => below(path, 'src/mcp') && !isTest(path),
    ({ to, inside }) =>
      !inside || isKernel(to) || below(to, 'src/mcp', 'src/config', 'src/contracts', 'src/lib'),
    { path: 'src/mcp/x.ts', text: "import { print } from '../cli/output.ts';\n" },
  ),
  importRule(
    'what serves editors imports the kernel, contracts, lib and the consent of clients',
    (path) => below(path, 'src/acp') && !isTest(path),
    ({ to, inside }) =>
      !inside ||
      isKernel(to) ||
      below(to, 'src/acp', 'src/contracts', 'src/lib') ||
      to === 'src/mcp/client-consent.ts',
    { path: 'src/acp/x.ts', text: "import { print } from '../cli/output.ts';\n" },
  ),
  importRule(
    'only what serves editors loads their protocol',
    (path) => below(path, 'src', 'scheduler') && !isTest(path) && path !== 'src/cli/acp.ts',
    ({ to, typeOnly }, from) =>
      typeOnly ||
      below(from, 'src/acp') ||
      !(to.startsWith('@agentclientprotocol/') || below(to, 'src/acp')),
    { path: 'src/cli/x.ts', text: "import { serveAcp } from '../acp/serve-acp.ts';\n" },
  ),
  importRule(
    'only what serves clients and what speaks to servers loads their protocol: zod comes with it',
    (path) =>
      below(path, 'src', 'scheduler') &&
      !isTest(path) &&
      !/^src\/cli\/(?:mcp(?:-setup)?|acp)\.ts$/.test(path),
    ({ to, typeOnly }, from) =>
      typeOnly ||
      (to.startsWith('@modelcontextprotocol/')
        ? below(from, 'src/mcp', 'src/servers')
        : !below(to, 'src/mcp')) ||
      below(from, 'src/mcp'),
    { path: 'src/cli/x.ts', text: "import { createServer } from '../mcp/create-server.ts';\n" },
  ),
  importRule(
    'the sdk imports nothing of src',
    (path) => below(path, 'sdk') && !isTest(path),
    ({ to, inside }) => !inside || below(to, 'sdk'),
    { path: 'sdk/x.ts', text: "import { KernelError } from '../src/contracts/error.ts';\n" },
  ),
  importRule(
    'a plugin imports @cuervo/sdk, or the contracts, and its own files, like anybody’s plugin',
    (path) =>
      /^(?:plugins|examples\/plugins)\//.test(path) &&
      !isTest(path) &&
      // The command of a plugin.toml: no part of the plugin.
      !path.endsWith('/build.mjs'),
    ({ to, inside }, from) =>
      inside
        ? below(to, pluginFolder(from))
        : to === '@cuervo/sdk' ||
          to.startsWith('cuervo:host/') ||
          (to === '@cuervo/sdk/testing' && from.endsWith('.cases.ts')),
    { path: 'plugins/file/x.ts', text: "import { readFileSync } from 'node:fs';\n" },
  ),
  importRule(
    'an example program imports the library by its name',
    (path) => below(path, 'examples') && !below(path, 'examples/plugins'),
    ({ inside }) => !inside,
    { path: 'examples/x.ts', text: "import { openKernel } from '../src/kernel.ts';\n" },
  ),
  importRule(
    'the scheduler imports src/index.ts alone',
    (path) => below(path, 'scheduler') && !isTest(path),
    ({ to, inside }) => !inside || to === 'src/index.ts' || below(to, 'scheduler'),
    { path: 'scheduler/x.ts', text: "import { openKernel } from '../src/kernel.ts';\n" },
  ),
  importRule(
    'nothing of the product imports tests or build',
    (path) => below(path, 'src', 'sdk', 'plugins', 'scheduler') && !isTest(path),
    ({ to }, from) => !below(to, 'tests') && (below(from, 'src/build') || !below(to, 'src/build')),
    // In build itself, because everywhere else a rule of the folder forbids it, too.
    { path: 'src/build/x.ts', text: "import { root } from '../../tests/arch/source-files.ts';\n" },
  ),
  importRule(
    'the schema library is used in parse-*.ts; others take types of it',
    (path) => below(path, 'src', 'scheduler') && !/(?:^|\/)parse-[^/]*\.ts$/.test(path),
    ({ to, typeOnly }) => typeOnly || !/^(?:valibot|zod|arktype|typebox)(?:$|\/)/.test(to),
    { path: 'src/host/x.ts', text: "import * as v from 'valibot';\n" },
  ),
  {
    name: 'what is parsed is refused at its first fault: { abortEarly: true }, for a file may have millions',
    covers: (path) => below(path, 'src', 'scheduler') && path.endsWith('.ts') && !isTest(path),
    violations: ({ path, text }) =>
      [...text.matchAll(/\bv\.(?:safeParse|parse)(?:Async)?\([^;]*/g)]
        .filter(([call]) => !call.includes('abortEarly: true'))
        .map(([call]) => `${path}: ${call.slice(0, 60)}`),
    planted: { path: 'src/host/parse-x.ts', text: 'const a = v.safeParse(schema, value);\n' },
  },
  wordRule(
    'the environment is read in src/config and src/cli',
    (path) =>
      below(path, 'src', 'sdk', 'plugins', 'scheduler') &&
      !below(path, 'src/config', 'src/cli') &&
      !isTest(path),
    /\bprocess\.env\b|\benv\b.*from 'node:process'/,
    { path: 'src/models/x.ts', text: 'const key = process.env.ANTHROPIC_API_KEY;\n' },
  ),
  wordRule(
    'src/cli prints (and what is run by hand: src/build)',
    (path) =>
      below(path, 'src', 'scheduler') && !below(path, 'src/cli', 'src/build') && !isTest(path),
    /\bconsole\.|\bprocess\.(?:stdout|stderr)\b/,
    { path: 'src/questions/x.ts', text: "console.log('routed');\n" },
  ),
];

/** `plugins/file/x.ts` -> `plugins/file`. */
function pluginFolder(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, parts[0] === 'examples' ? 3 : 2).join('/');
}
