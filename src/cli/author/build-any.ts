import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { linkSdk } from '../../../sdk/author/link-sdk.ts';
import { otherVersions } from '../../../sdk/author/other-versions.ts';
import { requireFiles } from '../../../sdk/author/require-files.ts';
import { copyAsPlugin, moveOutput } from '../../../sdk/author/single-file.ts';
import { BuildError } from '../../../sdk/build/build-error.ts';
import { buildPlugin } from '../../../sdk/build/build-plugin.ts';
import type { Engine } from '../../../sdk/build/componentize.ts';
import { outputOf } from '../../../sdk/build/write-output.ts';
import { buildFolder, folderOf, hasToml, tomlFile } from '../../../sdk/languages/build-folder.ts';
import { ToolchainError } from '../../../sdk/languages/run-toolchain.ts';
import { sourcesOf } from '../../../sdk/languages/sources-of.ts';
import { programPaths } from '../../config/paths.ts';
import type { Manifest } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import { lockedNode, makeComponent, neededBeside } from '../../kernel/plugins/author-builds.ts';
import { checkDescription, checkManifest } from '../../kernel/plugins/check-description.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { note } from '../output.ts';
import { startProgress } from '../progress.ts';
import { keepComponents, loadBuildTool } from './load-build-tool.ts';

export type BuildRequest = {
  /** the folder, or a file of JavaScript or TypeScript */
  named: string;
  out?: string | undefined;
  /** default: `cuervo.engine` of package.json, else quickjs */
  engine?: Engine | undefined;
  /** without what only its author needs */
  release?: boolean | undefined;
  /** where a binary whose console is seen goes; see `BuildOptions` */
  consoleOut?: string | undefined;
  watch: (child: ChildProcess) => void;
  /** what a person who waits reads */
  label?: string;
  /** makes everything anew, as somebody with the sources alone does */
  fresh?: boolean;
};

export type AnyBuilt = {
  file: string;
  bytes: number;
  manifest: Pick<Manifest, 'name' | 'version' | 'description' | 'wants'> & { licence?: string };
  /** the binary to try, where it is not `file` */
  seen?: string | undefined;
  /** what is right and may still surprise the author */
  notes: string[];
  /** files of the author that it was made of, absolute */
  inputs: string[];
};

/**
 * Builds what an author named, in whatever language it is.
 *
 * @throws {KernelError} `invalid-argument` for the author's mistake, with what to change
 */
export async function buildAny(request: BuildRequest): Promise<AnyBuilt> {
  const { named, label = `building ${named}` } = request;
  using progress = startProgress(process.stderr.isTTY === true);
  progress.set(label);
  try {
    const built = await build(request, (line) => progress.set(`${label}: ${line}`));
    // a single file may lie in any project
    const isAlone = isFile(named) && !/(?:^|[\\/])plugin\.(?:[jt]s|toml)$/.test(named);
    const versions = isAlone ? [] : otherVersions(folderOf(named), built.manifest.version);
    const notes = [...versions, ...built.notes];
    return { ...built, notes: [...notes, ...neededBeside(built.manifest.wants)] };
  } catch (thrown) {
    if (!(thrown instanceof BuildError)) throw thrown;
    const isCompilers = thrown instanceof ToolchainError;
    progress.clear();
    if (isCompilers && thrown.words.includes('\n')) note(thrown.words);
    throw new KernelError(thrown.code, thrown.message, {
      cause: thrown,
      hint: thrown.hint ?? `Correct it and run: cuervo plugin build ${shellWord(named)}`,
    });
  }
}

async function build(request: BuildRequest, tell: (line: string) => void): Promise<AnyBuilt> {
  const { named, out, watch } = request;
  const file = isFile(named) ? resolve(named) : undefined;
  const folder = file === undefined ? resolve(named) : dirname(file);
  const isEntry = file !== undefined && /^plugin\.[jt]s$/.test(basename(file));
  if (file !== undefined && !isEntry && /\.[jt]s$/.test(file))
    return await buildFile(file, request);
  requireFiles(folder);
  const isOwn = file === undefined || isEntry || basename(file) === tomlFile;
  if (isOwn && hasToml(folder) && !hasDefinition(folder)) {
    const paths = programPaths();
    return {
      ...((await buildFolder({
        folder,
        ...(out === undefined ? {} : { out }),
        env: process.env,
        witFolder: paths.wit,
        watch,
        tell,
        makeComponent: (module, adapter) => makeComponent(module, adapter, paths.dist),
        whyRefused: (manifest) => checkManifest(manifest, paths.builtins),
      })) as unknown as AnyBuilt),
      notes: [],
      inputs: sourcesOf(folder).files,
    };
  }
  const built = await buildJavaScript(isEntry ? folder : named, request);
  linkSdk(folder, join(programPaths().dist, 'sdk'));
  return built;
}

async function buildJavaScript(
  folder: string,
  request: BuildRequest,
  origin?: string,
): Promise<AnyBuilt> {
  const { out, engine = engineOf(folder), release = false, watch, fresh = false } = request;
  const paths = programPaths();
  const built = await buildPlugin({
    folder,
    origin,
    ...(out === undefined ? {} : { out }),
    engine,
    release,
    consoleOut: request.consoleOut,
    sdkFolder: paths.sdk,
    witFolder: paths.wit,
    load: loadBuildTool,
    keep: fresh ? undefined : keepComponents(),
    nodeFlags: lockedNode(),
    watch,
    whyRefused: (description) => checkDescription(description, paths.builtins),
  });
  return {
    file: built.file,
    bytes: built.bytes,
    manifest: built.description.manifest,
    seen: built.seen,
    notes: built.notes,
    inputs: [
      ...built.inputs,
      ...['package.json', 'tsconfig.json'].map((name) => join(folder, name)),
    ],
  };
}

/** Builds one file that is not called `plugin.js` into the folder `dist` beside it. */
async function buildFile(file: string, request: BuildRequest): Promise<AnyBuilt> {
  const scratch = mkdtempSync(join(tmpdir(), 'cuervo-file-'));
  try {
    copyAsPlugin(file, scratch);
    const made = join(scratch, 'dist', 'made.wasm');
    const first = await buildJavaScript(
      scratch,
      { ...request, out: request.out ?? made },
      dirname(file),
    );
    const inputs = first.inputs.map((path) =>
      dirname(path) === scratch ? join(dirname(file), basename(path)) : path,
    );
    const built = { ...first, inputs: [file, ...inputs] };
    if (request.out !== undefined) return built;
    return {
      ...built,
      file: moveOutput(made, outputOf(dirname(file), first.manifest.name, undefined)),
    };
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    // The author knows the file by its own name.
    thrown.message = thrown.message.replace(/\bplugin\.[jt]s(?=:\d)/g, basename(file));
    throw thrown;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function engineOf(folder: string): Engine {
  const file = join(folder, 'package.json');
  if (!isFile(file)) return 'quickjs';
  try {
    const { cuervo } = JSON.parse(readFileSync(file, 'utf8')) as { cuervo?: { engine?: string } };
    return cuervo?.engine === 'starlingmonkey' ? 'starlingmonkey' : 'quickjs';
  } catch {
    return 'quickjs';
  }
}

function hasDefinition(folder: string): boolean {
  return ['plugin.ts', 'plugin.js'].some((name) => isFile(join(folder, name)));
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
