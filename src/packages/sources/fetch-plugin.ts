import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readNpmConfig } from '../registry.ts';
import { fetchFromWeb } from './https-source.ts';
import { webSettings } from './npm-settings.ts';
import { fetchFromNpm, type NpmPorts } from './npm-source.ts';
import { fetchFromOci } from './oci-source.ts';
import type { PluginSource } from './parse-source.ts';
import { createWebClient } from './web-client.ts';

/** Where plugins are brought from and how; opened by what needs the network. */
export type SourceAccess = NpmPorts & { env: Readonly<Record<string, string | undefined>> };

/**
 * @param env of the process, as npm and docker read it
 * @param home `CUERVO_HOME`: half of a download waits there for the rest
 */
export async function openSourceAccess(options: {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  maxPluginBytes: number;
  signal: AbortSignal;
}): Promise<SourceAccess> {
  const { env, home, maxPluginBytes, signal } = options;
  const registry = await readNpmConfig(env);
  const web = createWebClient(webSettings(registry));
  return { web, registry, env, maxPluginBytes, signal, partials: join(home, 'downloads') };
}

/** Brings a plugin from wherever it is; nothing of it runs. */
export async function fetchPlugin(
  source: Exclude<PluginSource, { kind: 'file' }>,
  access: SourceAccess,
): Promise<FetchedPlugin> {
  if (source.kind === 'npm') return await fetchFromNpm(source, access);
  if (source.kind === 'oci') return await fetchFromOci(source, access);
  return await fetchFromWeb(source, access);
}

/** A signature as it came along, nobody has looked at it; see `signatures/`. */
export type CarriedProof =
  | { kind: 'sigstore'; bundle: unknown }
  | { kind: 'key'; key: string; signature: string };

/** One proof, and which bytes it has to be about. */
export type Proof = { proof: CarriedProof; about: 'wasm' | 'carrier' };

/** What a `.wasm` came in and is named by: who signs the one, signs the other. */
export type Carrier = { kind: 'npm' | 'oci'; bytes: Buffer };

/** A plugin that was brought here and that nothing of has run. */
export type FetchedPlugin = {
  /** the `.wasm` */
  bytes: Buffer;
  /** as typed, absolute; what `update` asks again */
  source: string;
  /** the source without its version; what is pinned */
  base: string;
  /** exactly this one: `npm:csv-kit@1.2.0`, `oci://…@sha256:…`; the source where there is no such */
  resolved: string;
  /** of the package or the tag; files have none */
  version?: string;
  /** the tarball of a package, the manifest of an artifact */
  carrier?: Carrier;
  proofs: Proof[];
  /** looked for signatures and could not tell; one sentence each */
  notes: string[];
};

const sources = /\.(?:ts|js|mjs|rs|go|c|h|py)$|^(?:plugin|Cargo)\.toml$|^go\.mod$/;

/** @returns a source of an author's folder that was changed after the binary was built of it */
export function newerSource(folder: string, file: string): string | undefined {
  const built = statSync(file).mtimeMs;
  return ['.', 'src']
    .filter((below) => existsSync(join(folder, below)))
    .flatMap((below) => readdirSync(join(folder, below)).map((name) => join(below, name)))
    .filter((path) => sources.test(basename(path)) && !/\.(?:cases|test)\./.test(path))
    .find(
      (path) => (statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built,
    );
}

/** Of a binary in the `dist` of an author's folder: that it is not what the sources say. */
export function staleNote(file: string): string | undefined {
  const folder = dirname(dirname(file));
  const changed = basename(dirname(file)) === 'dist' ? newerSource(folder, file) : undefined;
  if (changed === undefined) return undefined;
  return `${changed} is newer than dist/${basename(file)}: build it with cuervo plugin build`;
}
