import { describe, expect, it } from 'vitest';
import { repositoryFiles, type SourceFile, sourceFile } from './source-files.ts';

/**
 * Every source that opens or reads files. One that reads files of a workspace names the source that
 * asks the gate to content for it, often itself; `ours` reads files that cuervo, the system or the
 * person's own configuration made, and shows none of a workspace.
 */
const ours = [
  ...['src/build/', 'src/config/', 'src/models/', 'src/store/', 'src/memory/static/'],
  ...['src/host/tier/', 'src/host/install/transpile/'],
  ...['src/cli/edit-text.ts', 'src/cli/memory-move.ts', 'src/cli/run-input.ts'],
  ...['src/host/run/cover-inherited.ts'],
  ...['src/packages/', 'src/lib/parts/', 'src/cli/find-node.cjs', 'src/cli/old-node.cjs'],
  ...['src/host/programs/exec/kill-descendants.ts', 'src/host/programs/exec/process-cgroup.ts'],
  ...['src/host/programs/exec/watch-tree.ts', 'src/host/install/plugin-store.ts'],
  ...['src/host/install/packed-files.ts', 'src/host/install/file-stamps.ts'],
  ...['src/host/process/loader.cjs', 'src/host/process/read-frames.ts'],
  ...['src/host/programs/snapshot/dry-run-record.ts', 'src/host/programs/snapshot/known-hashes.ts'],
  ...['src/lib/files/lock-file.ts', 'src/kernel/consent/command-rules.ts'],
  ...[
    'src/kernel/doctor/doctor-files.ts',
    'src/kernel/doctor/doctor-store.ts',
    'src/kernel/doctor/doctor-system.ts',
  ],
  'src/kernel/consent/grants.ts',
  'src/kernel/models/file-digests.ts',
  ...['src/host/install/kept-prepared.ts', 'src/kernel/plugins/publishers.ts'],
  // Locks, keys and binaries, and the page that an author publishes with a plugin.
  ...['src/kernel/plugins/locked-plugins.ts', 'src/kernel/plugins/publish-plugin.ts'],
  'src/kernel/plugins/trust-commands.ts',
  ...['src/kernel/secrets/secrets.ts', 'src/lib/process-holder.ts'],
  ...['src/lib/files/hash-file.ts', 'src/lib/files/read-text-if-present.ts'],
  // The users of this namespace.
  ...['src/lib/files/exposed-part.ts', 'src/cli/is-own.cjs'],
  'src/memory/tables/shared-lease.ts',
  ...[
    'src/memory/tables/table-names.ts',
    'src/memory/tables/table-place.ts',
    'src/memory/tables/wipe-marks.ts',
    'src/workspace/blob-store.ts',
  ],
  'src/workspace/keep-outputs.ts',
  'src/policy/rules/read-shipped-rules.ts',
  // The folder of a plugin that its author builds and tests, and what a case left in its own one.
  'src/cli/author/',
  // Which version of a tool a project wants. Nobody is shown any of it.
  'src/host/programs/lookup/wanted-versions.ts',
  // What a project and its programs are called. Nobody is shown any of it.
  'src/kernel/ask/asked-workspace.ts',
  // What git keeps of itself: pointers, configuration, an index. Nobody is shown any of it.
  ...['src/host/programs/git/', 'src/host/programs/snapshot/git-history.ts'],
];

/** What reads -> what asks. */
const ofWorkspace: Readonly<Record<string, string>> = {
  'src/host/paths/': 'src/host/interfaces/fs-write.ts',
  'src/host/process/fs/': 'src/host/process/fs/reach-path.ts',
  'src/host/process/wasi/filesystem/': 'src/host/process/wasi/filesystem/reach-place.ts',
  'src/host/programs/lookup/program-file.ts': 'src/host/programs/lookup/look-up-program.ts',
  'src/host/programs/snapshot/copy-root.ts': 'src/host/programs/snapshot/copy-root.ts',
  'src/host/programs/snapshot/walk-root.ts': 'src/host/programs/snapshot/walk-root.ts',
  'src/kernel/memory/file-documents.ts': 'src/kernel/memory/memory-commands.ts',
  'src/kernel/memory/index-pieces.ts': 'src/kernel/memory/index-pieces.ts',
  'src/memory/walk-files.ts': 'src/kernel/memory/index-commands.ts',
};

const reads =
  /\b(?:readFileSync|readFile|createReadStream|readSync|openSync|copyFileSync|copyFile|cpSync|openAsBlob)\(|\bopen\(path|readTextIfPresent|\bhashFile\(/;
const asks = /\bisProtected\b|\bisWithheld\b|\.shows\(|createContentGate/;

const sources = repositoryFiles()
  .filter((path) => /^src\/.*\.(?:ts|cjs)$/.test(path))
  .filter((path) => !/\.test\.ts$/.test(path))
  .map((path) => sourceFile(path));

const isListed = (path: string): boolean =>
  [...ours, ...Object.keys(ofWorkspace)].some((each) => path.startsWith(each));

/** Those that read files and of which nobody said whose they are. */
const strays = (files: readonly SourceFile[]): string[] =>
  files.filter(({ path, text }) => reads.test(text) && !isListed(path)).map(({ path }) => path);

/** Those that are to ask the gate for another and do not. */
const silent = (files: readonly SourceFile[]): string[] =>
  [...new Set(Object.values(ofWorkspace))].filter((asking) => {
    const found = files.find(({ path }) => path === asking);
    return found === undefined || !asks.test(found.text);
  });

describe('sources that read files', () => {
  it('are listed, and those of a workspace ask the gate to content', () => {
    expect(sources.filter(({ text }) => reads.test(text)).length).toBeGreaterThan(40);
    expect(strays(sources)).toEqual([]);
    expect(silent(sources)).toEqual([]);
  });

  it('are listed only where there are some', () => {
    const all = [...ours, ...Object.keys(ofWorkspace)];
    const isUsed = (each: string): boolean =>
      sources.some(({ path, text }) => path.startsWith(each) && reads.test(text));
    expect(all.filter((each) => !isUsed(each))).toEqual([]);
  });

  it('fail where one reads past the gate', () => {
    const planted = {
      path: 'src/kernel/x.ts',
      text: "readFileSync(join(workspace, path), 'utf8');",
    };
    expect(strays([...sources, planted])).toEqual(['src/kernel/x.ts']);
    const deaf = sources.map((file) =>
      file.path === 'src/kernel/memory/index-pieces.ts'
        ? { ...file, text: 'readFile(path);' }
        : file,
    );
    expect(silent(deaf)).toEqual(['src/kernel/memory/index-pieces.ts']);
  });
});

/** Sources that start git, or look at a command of it; all but one ask it nothing about a workspace of a person. */
const startsGit: readonly string[] = [
  'src/cli/author/cases/make-commits.ts',
  'src/host/programs/exec/run-program.ts',
  'src/kernel/consent/authorize.ts',
  'src/kernel/consent/planned-command.ts',
  'src/kernel/plugins/git-identity.ts',
];

describe('sources that start git', () => {
  it('are those that are known, and the one that is about a workspace asks the gate', () => {
    const found = sources
      .filter(({ text }) =>
        /\b(?:execFile|spawn)(?:Sync)?\('git'|program(?:: | === )'git'/.test(text),
      )
      .map(({ path }) => path);
    expect(found.sort()).toEqual(startsGit);
    expect(sourceFile('src/host/programs/exec/run-program.ts').text).toMatch(
      /await refuseWithheld\(/,
    );
  });
});
