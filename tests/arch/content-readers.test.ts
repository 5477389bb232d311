import { describe, expect, it } from 'vitest';
import { repositoryFiles, type SourceFile, sourceFile } from './source-files.ts';

/**
 * Every source that opens or reads files. One that reads files of a workspace names the source that
 * asks the gate to content for it, often itself; `ours` reads files that cuervo, the system or the
 * person's own configuration made, and shows none of a workspace.
 */
const ours = [
  'src/build/',
  ...filesIn('src/config', 'find-workspace load-config paths'),
  ...filesIn('src/models', 'parse-known-models open-llama onnx/parse-model-folder'),
  ...filesIn('src/models/llama', 'check-gguf prompt-states'),
  ...filesIn('src/store', 'open-database repair-store'),
  ...filesIn('src/memory/static', 'load-embedder index-word-pieces'),
  // Certificates, lists and passwords of the person, and what fleet apply made.
  ...filesIn('src/fleet', 'keep-changes open-database'),
  ...['src/kernel/fleet/fleet-commands.ts', 'src/cli/fleet.ts'],
  ...filesIn('src/sandbox', 'launch-bubblewrap launch-plain'),
  'src/sandbox/process-sandbox.ts',
  ...filesIn('src/host/install/transpile', 'child compile-child wrap-child'),
  // Standard input.
  'src/documents/child.ts',
  ...filesIn('src/packages', 'add-part fetch-tarball models/pull-file publish/workflow'),
  ...filesIn('src/packages', 'signatures/renew-root signatures/verify-proofs'),
  ...filesIn('src/packages/sources', 'download-cache file-source parse-oci web-client'),
  ...filesIn('src/packages', 'unpack-tarball'),
  ...filesIn('src/lib/parts', 'optional-part parts'),
  ...['src/cli/find-node.cjs', 'src/cli/old-node.cjs'],
  ...['src/cli/kept-code.cjs', 'src/cli/parts.cjs'],
  ...['src/cli/start-program.ts', 'src/cli/memory-files.ts', 'src/cli/run-input.ts'],
  // The configuration of a client of the person.
  'src/cli/mcp.ts',
  'src/sandbox/masked-paths.ts',
  ...filesIn('src/lib/process', 'watch-memory'),
  ...filesIn('src/programs/exec', 'process-cgroup watch-tree'),
  'src/host/install/plugin-store.ts',
  'src/host/install/packed-files.ts',
  ...['src/host/process/loader.cjs', 'src/host/process/later-replies.ts'],
  'src/host/process/read-frames.ts',
  ...['src/programs/snapshot/copy-changes.ts', 'src/programs/snapshot/copy-changes.ts'],
  ...['src/lib/files/lock-file.ts', 'src/lib/sqlite/database-file.ts'],
  'src/kernel/consent/command-rules.ts',
  ...['src/kernel/doctor/doctor-files.ts', 'src/kernel/doctor/doctor-system.ts'],
  ...['src/consent/grants.ts', 'src/mcp/serve-http.ts', 'src/config/change-config.ts'],
  // Of a skill that a person named; a skill of a project is shown to them before it is used.
  'src/skills/find-skills.ts',
  'src/models/llama/gguf-files.ts',
  ...['src/host/install/kept-prepared.ts', 'src/packages/signatures/parse-publishers.ts'],
  // Locks, keys and binaries, and the page that an author publishes with a plugin.
  ...['src/kernel/plugins/locked-plugins.ts', 'src/packages/publish/publish-plugin.ts'],
  'src/packages/signatures/trust-commands.ts',
  ...['src/secrets/secrets.ts', 'src/lib/files/lock-file.ts'],
  // What a person agreed to of a server, and the lock of its package.
  ...['src/servers/server-store.ts', 'src/kernel/servers/install-package.ts'],
  // What a project names; it is shown to a person, and no model reads it.
  'src/servers/project-servers.ts',
  'src/lib/files/read-file.ts',
  'src/lib/files/answering-mounts.ts',
  // The users of this namespace.
  ...['src/lib/files/exposed-part.ts', 'src/cli/is-own.cjs'],
  'src/memory/tables/shared-place.ts',
  ...[
    'src/memory/tables/lance-table.ts',
    'src/memory/tables/table-place.ts',
    'src/workspace/blob-store.ts',
  ],
  ...['src/workspace/keep-outputs.ts', 'src/sandbox/lock-down'],
  'src/policy/rules/load-rules.ts',
  // Keys of the audit, and an export that a person named. Nobody is shown any of it.
  ...['src/journal/audit-keys.ts', 'src/kernel/journal/verify-file.ts'],
  // The script and the style of the page, as the build made them.
  'src/page/page-files.ts',
  // The folder of a plugin that its author builds and tests, and what a case left in its own one.
  ...filesIn('src/cli/author', 'build-any load-build-tool'),
  // Which version of a tool a project wants. Nobody is shown any of it.
  'src/programs/lookup/wanted-versions.ts',
  // What a project and its programs are called. Nobody is shown any of it.
  'src/ask/asked-workspace.ts',
  // What must not be shown to a remote model. Nobody is shown any of it.
  'src/kernel/ask/workspace-secrets.ts',
  // What git keeps of itself: pointers, configuration, an index. Nobody is shown any of it.
  ...filesIn('src/programs/git', 'git-settings mark-masked repository-folder withheld-attributes'),
  // It hands on what others name.
  'src/lib/files/raw-fs.ts',
  'src/programs/snapshot/git-history.ts',
];

function filesIn(folder: string, names: string): string[] {
  return names.split(' ').map((name) => `${folder}/${name}.ts`);
}

/** What reads -> what asks. */
const ofWorkspace: Readonly<Record<string, string>> = {
  'src/paths/': 'src/host/interfaces/fs-write.ts',
  'src/fs/': 'src/fs/reach-path.ts',
  'src/wasi/filesystem/': 'src/wasi/filesystem/reach-place.ts',
  'src/programs/lookup/look-up-program.ts': 'src/programs/lookup/look-up-program.ts',
  'src/programs/snapshot/copy-root.ts': 'src/programs/snapshot/copy-root.ts',
  'src/programs/snapshot/walk-root.ts': 'src/programs/snapshot/walk-root.ts',
  'src/memory/file-documents.ts': 'src/memory/commands/memory-commands.ts',
  'src/memory/commands/index-pieces.ts': 'src/memory/commands/index-pieces.ts',
  'src/memory/walk-files.ts': 'src/memory/commands/index-commands.ts',
  'src/paths/read-gated.ts': 'src/paths/read-gated.ts',
};

/**
 * Folders of cuervo, of the system, of packages and of authors of plugins. Those of a workspace are
 * listed by `entriesIn()`, which loses no byte of a name.
 */
const listsOther = [
  ...['src/build/', 'src/cli/author/', 'src/host/install/', 'src/models/', 'src/packages/'],
  ...filesIn('src/fleet', 'open-repositories open-room'),
  ...['src/memory/rows.ts', 'src/memory/tables/', 'src/workspace/', 'src/lib/parts/'],
  'src/lib/files/lock-file.ts',
  ...filesIn('src/programs', 'exec/bwrap-arguments exec/process-cgroup lookup/program-folders'),
  ...['src/sandbox/masked-paths.ts', 'src/cli/find-node.cjs'],
  // It compares them with names of its own.
  ...['src/host/root-files.ts', 'src/ask/asked-workspace.ts'],
  ...filesIn('src/kernel', 'doctor/doctor-plugins memory/memory-model-path plugins/try-plugins'),
];

/** Of `node:fs`, what gives nothing away of what a file holds. */
const tellsNothing = new Set(
  [
    'accessSync appendFileSync chmodSync closeSync constants existsSync fchmodSync fstatSync fsync',
    'fsyncSync globSync lstatSync lutimesSync mkdir mkdirSync mkdtempSync opendirSync readdir',
    'readdirSync readlinkSync realpathSync rename renameSync rm rmdirSync rmSync stat statfsSync',
    'statSync symlinkSync unlinkSync utimesSync watch writeFileSync writeSync',
  ].flatMap((line) => line.split(' ')),
);
const fsModule = String.raw`['"](?:node:)?fs(?:\/promises)?['"]`;
const fsNames = new RegExp(
  String.raw`\b(?:import|export)\s([^;'"]*?)\sfrom\s+${fsModule}|(?:const|let|var)\s([^;='"]*?)=\s*require\(${fsModule}\)|\brequire\(${fsModule}\)\.(\w+)`,
  'g',
);
const anyFs = new RegExp(
  String.raw`\b(?:from|import|require|getBuiltinModule)\b\s*\(?\s*${fsModule}`,
  'g',
);
const otherWays =
  /\bgetBuiltinModule\((?!['"])|\bprocess\.binding\b|\breadTextIfPresent\b|\bhashFile\b|['"](?:node:)?sqlite['"]/;

/** By what it imports, whatever it calls it: a name that is not known to tell nothing reads. */
function readsFiles({ text }: SourceFile): boolean {
  const imports = [...text.matchAll(fsNames)];
  // A module that is taken in another way than by names can do everything.
  if (imports.length !== [...text.matchAll(anyFs)].length || otherWays.test(text)) return true;
  return imports.some(([, imported, required, one]) => {
    const names = (imported ?? required ?? `{${one}}`).trim();
    if (names.startsWith('type ')) return false;
    if (!names.startsWith('{')) return true;
    const each = names
      .slice(1, -1)
      .split(',')
      .map((name) => name.trim());
    return each
      .filter((name) => name !== '' && !name.startsWith('type '))
      .some((name) => !tellsNothing.has((/^\w+/.exec(name) ?? [''])[0]));
  });
}
const asks = /\bisProtected\b|\bisWithheld\b|\.shows\(|createContentGate/;

const sources = repositoryFiles()
  .filter((path) => /^(?:src|scheduler)\/.*\.(?:ts|cjs|mjs|js)$/.test(path))
  .filter((path) => !/\.test\.ts$/.test(path))
  .map((path) => sourceFile(path));

const isListed = (path: string): boolean =>
  [...ours, ...Object.keys(ofWorkspace)].some((each) => path.startsWith(each));

/** Those that read files and of which nobody said whose they are. */
const strays = (files: readonly SourceFile[]): string[] =>
  files.filter((file) => readsFiles(file) && !isListed(file.path)).map(({ path }) => path);

/** Those that are to ask the gate for another and do not. */
const silent = (files: readonly SourceFile[]): string[] =>
  [...new Set(Object.values(ofWorkspace))].filter((asking) => {
    const found = files.find(({ path }) => path === asking);
    return found === undefined || !asks.test(found.text);
  });

describe('sources that list folders', () => {
  it('list those of a workspace by bytes', () => {
    const lists = (file: SourceFile): boolean =>
      [...file.text.matchAll(fsNames)].some(([found]) => /\b(?:readdir|opendir|glob)/.test(found));
    const others = sources.filter(lists).map(({ path }) => path);
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((path) => !listsOther.some((each) => path.startsWith(each)))).toEqual([]);
    expect(lists({ path: 'x.ts', text: "import { readdirSync } from 'node:fs';" })).toBe(true);
  });
});

describe('sources that read files', () => {
  it('are listed, and those of a workspace ask the gate to content', () => {
    expect(sources.filter(readsFiles).length).toBeGreaterThan(40);
    expect(strays(sources)).toEqual([]);
    expect(silent(sources)).toEqual([]);
  });

  it('are listed only where there are some', () => {
    const all = [...ours, ...Object.keys(ofWorkspace)];
    const isUsed = (each: string): boolean =>
      sources.some((file) => file.path.startsWith(each) && readsFiles(file));
    expect(all.filter((each) => !isUsed(each))).toEqual([]);
  });

  it('fail where one reads past the gate', () => {
    const path = 'src/kernel/x.ts';
    for (const text of [
      "import { readFileSync } from 'node:fs';",
      "import { existsSync, readFileSync as exists } from 'node:fs';",
      'import { open as close } from "node:fs/promises";',
      "import { type Stats, readvSync } from 'fs';",
      "import { promises } from 'node:fs';",
      "import * as files from 'node:fs';",
      "import files from 'node:fs';",
      "export * from 'node:fs';",
      "const { existsSync: a, readFile } = require('node:fs');",
      "require('fs').readFileSync(path);",
      "const files = await import('node:fs');",
      "process.getBuiltinModule('node:fs').readFileSync(path);",
      'process.getBuiltinModule(name).readFileSync(path);',
      "import { DatabaseSync } from 'node:sqlite';",
      "import { hashFile as has } from '../lib/files/read-file.ts';",
    ])
      expect([text, strays([...sources, { path, text }])]).toEqual([text, [path]]);
    for (const folder of [
      'scheduler',
      'src/config',
      'src/models',
      'src/packages',
      'src/cli/author',
    ]) {
      const other = { path: `${folder}/x.ts`, text: "import { cpSync } from 'node:fs';" };
      expect(strays([other])).toEqual([other.path]);
    }
    const text = "import { existsSync, type Stats } from 'node:fs';";
    expect(strays([{ path, text }])).toEqual([]);
    const deaf = sources.map((file) =>
      file.path === 'src/memory/commands/index-pieces.ts'
        ? { ...file, text: 'readFile(path);' }
        : file,
    );
    expect(silent(deaf)).toEqual(['src/memory/commands/index-pieces.ts']);
  });
});

/** Sources that start git, or look at a command of it; all but one ask it nothing about a workspace of a person. */
const startsGit: readonly string[] = [
  'src/cli/author/run-case.ts',
  'src/programs/exec/run-program.ts',
  'src/kernel/consent/authorize.ts',
  'src/consent/planned-authority.ts',
  'src/programs/git/person-git.ts',
];

/** Whatever they start could read a file. Programs of a plugin are started by `run-launch.ts` alone. */
const startsPrograms = [
  'src/build/',
  ...['src/cli/author/run-case.ts', 'src/cli/start-program.ts'],
  'src/cli/index-in-background.ts',
  ...['src/cli/find-node.cjs', 'src/cli/old-node.cjs'],
  ...['src/cli/kept-code.cjs', 'src/cli/parts.cjs'],
  ...['src/host/install/transpile/run-child.ts', 'src/host/run/plugin-process.ts'],
  ...['src/sandbox/lock-down', 'src/lib/process/child.ts', 'src/lib/process/child.ts'],
  'src/lib/files/answering-mounts.ts',
  ...filesIn('src/programs', 'exec/find-sandbox exec/run-launch git/open-ssh'),
  ...filesIn('src/sandbox', 'process-sandbox shared-libraries'),
  ...filesIn('src/kernel', 'doctor/doctor-system'),
  ...['src/programs/git/person-git.ts', 'src/packages/publish/publish-plugin.ts'],
  ...filesIn('src/models', 'spawn-model-process llama/skip-binary-test'),
  ...['src/packages/sources/parse-oci.ts', 'src/fleet/run-git.ts'],
];
const starts =
  /^(?!import type ).*['"](?:node:)?(?:child_process|worker_threads|cluster)['"]|\bspawnChild\b/m;

describe('sources that start programs', () => {
  const strayStarts = (files: readonly SourceFile[]): string[] =>
    files
      .filter(({ text }) => starts.test(text))
      .map(({ path }) => path)
      .filter((path) => !startsPrograms.some((each) => path.startsWith(each)));

  it('are those that are known', () => {
    expect(strayStarts(sources)).toEqual([]);
    const planted = ["import { spawn as x } from 'node:child_process';", 'spawnChild(cat, []);'];
    for (const text of planted)
      expect(strayStarts([{ path: 'src/kernel/x.ts', text }])).toEqual(['src/kernel/x.ts']);
  });
});

describe('sources that start git', () => {
  it('are those that are known, and the one that is about a workspace asks the gate', () => {
    const found = sources
      .filter(({ text }) =>
        /\b(?:execFile|spawn)(?:Sync)?\('git'|program(?:: | === )'git'/.test(text),
      )
      .map(({ path }) => path);
    expect(found.sort()).toEqual(startsGit.toSorted());
    expect(sourceFile('src/programs/exec/run-program.ts').text).toMatch(/await refuseWithheld\(/);
  });
});
