import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { addSection } from '../build/add-section.ts';
import { BuildError } from '../build/build-error.ts';
import { checkOutput } from '../build/check-output.ts';
import { outputOf, writeOutput } from '../build/write-output.ts';
import { buildC } from './build-c.ts';
import { buildGo } from './build-go.ts';
import type { BuildLanguage, LanguageOptions } from './build-language.ts';
import { buildPython } from './build-python.ts';
import { buildRust } from './build-rust.ts';
import { languageOf, type TomlLanguage } from './language.ts';
import { type PluginToml, parsePluginToml } from './parse-plugin-toml.ts';
import { type Environment, runToolchain } from './run-toolchain.ts';
import { readWitDocs } from './wit-docs.ts';

/** Describes a plugin that has no `definePlugin`. */
export const tomlFile = 'plugin.toml';

const builders: Readonly<Record<TomlLanguage, BuildLanguage>> = {
  rust: buildRust,
  go: buildGo,
  c: buildC,
  python: buildPython,
};

export type FolderOptions = Pick<LanguageOptions, 'witFolder' | 'makeComponent'> & {
  folder: string;
  /** default `FOLDER/dist/NAME.wasm` */
  out?: string;
  env: Environment;
  /** says why nobody could install what is described so; undefined where somebody could */
  whyRefused?: (manifest: PluginToml['manifest']) => string | undefined;
  watch?: (child: ChildProcess) => void;
  tell?: (line: string) => void;
};

export type BuiltFolder = { file: string; bytes: number; manifest: PluginToml['manifest'] };

/**
 * One `.wasm` of a folder with `plugin.toml`, by the toolchain of its language, with the manifest
 * in it.
 *
 * @throws {BuildError} the author's mistake, or what is to be installed
 */
export async function buildFolder(options: FolderOptions): Promise<BuiltFolder> {
  const folder = resolve(options.folder);
  const tomlPath = join(folder, tomlFile);
  const toml = parsePluginToml(readFileSync(tomlPath, 'utf8'), tomlFile);
  const { manifest } = toml;
  const refused = options.whyRefused?.(manifest);
  if (refused !== undefined) throw new BuildError(`${tomlFile}: ${refused}`);
  const file = outputOf(folder, manifest.name, options.out);
  checkOutput(file);
  const scratch = mkdtempSync(join(tmpdir(), 'cuervo-build-'));
  try {
    const made = await makeBinary({ ...options, folder, toml, scratch });
    const section = new TextEncoder().encode(JSON.stringify(manifest));
    const binary = addSection(withWitDocs(made, folder), 'cuervo:plugin', section);
    writeOutput(file, binary);
    return { file, bytes: binary.byteLength, manifest };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * A function without words in `plugin.toml` has those before it in the author's WIT. They stand in
 * a section of our own: tools that read a component take `package-docs` only where every name in it
 * is one of the component, whose world has lost its name.
 */
function withWitDocs(binary: Uint8Array, folder: string): Uint8Array {
  const docs = readWitDocs(join(folder, 'wit'));
  if (Object.keys(docs).length === 0) return binary;
  const version = 1;
  return addSection(
    binary,
    'cuervo:wit-docs',
    Buffer.concat([Buffer.of(version), Buffer.from(JSON.stringify(docs))]),
  );
}

async function makeBinary(options: LanguageOptions): Promise<Uint8Array> {
  const { folder, toml } = options;
  const { command, file, language = languageOf(folder) } = toml.build;
  if (command !== undefined && file !== undefined) {
    await runToolchain(command, options);
    const made = join(folder, file);
    if (!existsSync(made)) throw new BuildError(`${command.join(' ')} made no ${file}`);
    return readFileSync(made);
  }
  if (language === undefined) {
    throw new BuildError(
      `${tomlFile} is there, and no source that says its language (Cargo.toml, go.mod, plugin.py, a .c): name [build] language, or command and file`,
    );
  }
  return await builders[language](options);
}

/** A folder that `buildFolder` builds; a file in one counts as it. */
export function hasToml(folder: string): boolean {
  return existsSync(join(folder, tomlFile));
}

/** What an author named: the folder, or a file in it. */
export function folderOf(named: string): string {
  return existsSync(named) && statSync(named).isFile() ? dirname(named) : named;
}
