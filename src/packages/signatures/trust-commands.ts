import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { nobody } from '../../contracts/plugins.ts';
import type { PluginStore } from '../../host/install/plugin-store.ts';
import { withTypedPath } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import type { Acquire } from '../sources/acquire-plugin.ts';
import { anySource } from './judge-publisher.ts';
import { freeDataName, type Publishers } from './parse-publishers.ts';

export type TrustCommands = {
  /**
   * From now on takes a plugin from this identity alone.
   *
   * @param options.keepData hands over the plugin's data
   * @throws {KernelError} `invalid-argument` for text that is not an identity
   */
  trust(plugin: string, identity: string, options: { keepData: boolean }): { before: string };
  /** Accepts this key where the configuration requires signed plugins. */
  trustKey(key: string): void;
  /** Trusts a Sigstore of one's own beside the public one. */
  trustRoot(file: string): Promise<void>;
  /** Fetches the public Sigstore's present root. */
  renewRoot(options: { signal: AbortSignal }): Promise<{ changed: boolean }>;
  /**
   * Signs a `.wasm` with an Ed25519 key: `FILE.sig` lies beside it.
   *
   * @param keyFile PEM; without it that of this home, which is made where it is missing
   */
  sign(file: string, keyFile?: string): Promise<{ key: string; file: string; madeKey?: string }>;
};

export function createTrustCommands(ports: {
  home: string;
  /** folder of what ships */
  dist: string;
  acquire: Pick<Acquire, 'access'>;
  installed: PluginStore;
  publishers: Publishers;
  openHome(): void;
}): TrustCommands {
  const { home, installed, publishers } = ports;
  return {
    trust: (plugin, typed, { keepData }) => {
      const identity = checkIdentity(typed);
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin)) {
        throw new KernelError(
          'invalid-argument',
          `${JSON.stringify(plugin)} is not a name for a plugin`,
          {
            hint: 'Name the plugin, then who vouches for it: cuervo plugin trust csv-kit IDENTITY',
          },
        );
      }
      ports.openHome();
      const before = publishers.pinned(plugin);
      const record = installed.list().find(({ name }) => name === plugin);
      const oldData = record?.data ?? (record === undefined ? before?.data : plugin);
      const known = publishers.of(plugin);
      const own = known.find((each) => each.identity === identity && identity !== nobody);
      const taken = [...known.map(({ data }) => data), ...(oldData === undefined ? [] : [oldData])];
      const data =
        keepData && oldData !== undefined ? oldData : (own?.data ?? freeDataName(plugin, taken));
      publishers.pin({ plugin, identity, source: anySource, data, digests: [] });
      return { before: before?.identity ?? nobody };
    },
    trustKey: (key) => {
      ports.openHome();
      publishers.addKey(key);
    },
    trustRoot: async (file) => {
      const text = withTypedPath(file, () => readFileSync(file, 'utf8'));
      const { checkRoot } = await import('./verify-proofs.ts');
      checkRoot(text, file);
      ports.openHome();
      writeFileWhole(ownRoot(home), text, { mode: 0o600 });
    },
    renewRoot: async ({ signal }) => {
      ports.openHome();
      const { renewRoot } = await import('./renew-root.ts');
      const { web } = await ports.acquire.access(signal);
      const seed = join(ports.dist, 'tuf-root.json');
      const folder = join(home, 'tuf');
      return { changed: await renewRoot({ seed, folder, path: renewedRoot(home), web, signal }) };
    },
    sign: async (file, keyFile) => {
      const { makeSigningKey, signDigest } = await import('./key-signature.ts');
      const own = join(home, 'signing-key.pem');
      let madeKey: string | undefined;
      if (keyFile === undefined && !existsSync(own)) {
        ports.openHome();
        writeFileWhole(own, makeSigningKey(), { mode: 0o600 });
        madeKey = own;
      }
      const pem = withTypedPath(keyFile ?? own, (path) => readFileSync(path, 'utf8'));
      const bytes = withTypedPath(file, (path) => readFileSync(path));
      if (bytes.subarray(0, 4).toString('latin1') !== '\0asm') {
        throw new KernelError('invalid-argument', `${file} is not WebAssembly`, {
          hint: 'Name the .wasm that plugin build made.',
        });
      }
      const { key, text } = signDigest(pem, createHash('sha256').update(bytes).digest('hex'));
      writeFileWhole(`${file}.sig`, text, { mode: 0o644 });
      return { key, file: `${file}.sig`, ...(madeKey === undefined ? {} : { madeKey }) };
    },
  };
}

/** As a label shows it. Look-alike letters are refused. */
function checkIdentity(typed: string): string {
  const isForm =
    typed === nobody ||
    /^github:[\w.-]+\/[\w.-]+(?:\+[\w.-]+\/[\w.-]+)?\/[\x21-\x7e]+$/.test(typed) ||
    /^https:\/\/[\x21-\x7e]+#[\x21-\x7e]+$/.test(typed) ||
    /^ed25519:[A-Za-z0-9_-]{43}$/.test(typed);
  if (isForm) return typed;
  const odd = [...typed].find((letter) => !/[\x21-\x7e]/.test(letter));
  const why =
    odd === undefined
      ? 'it does not have a form that labels show'
      : `it holds ${JSON.stringify(odd)}, U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  throw new KernelError('invalid-argument', `${JSON.stringify(typed)} is not an identity: ${why}`, {
    hint: 'Copy it from the label: github:OWNER/REPO/.github/workflows/FILE, https://ISSUER#SUBJECT, ed25519:KEY or nobody.',
  });
}

/** Roots that the person added or renewed, before those that ship with cuervo. */
export function trustedRoots({ home, paths }: Pick<Config, 'home' | 'paths'>): string[] {
  const own = [ownRoot(home), renewedRoot(home)].filter((path) => existsSync(path));
  return [...own, join(paths.dist, 'trusted-root.json')];
}

/** The root of a Sigstore of one's own, named by a person. */
function ownRoot(home: string): string {
  return join(home, 'trusted-root.own.json');
}

/** The public one, as it was when it was last asked for. */
function renewedRoot(home: string): string {
  return join(home, 'trusted-root.json');
}
