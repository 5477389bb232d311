import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { JournalBody } from '../../contracts/journal.ts';
import type { PluginIdentity } from '../../contracts/plugins.ts';
import type { HostLimits } from '../../host/limits.ts';
import { once } from '../../lib/memo.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/escape.ts';
import type { SourceAccess } from './fetch-plugin.ts';
import { type FetchedPlugin, type PluginSource, parseSource, sourceBase } from './parse-source.ts';
import type { WebClient } from './web-client.ts';

/** A fetched plugin with its proven signers. No code of it has run. */
export type AcquiredPlugin = {
  bytes: Buffer;
  sha256: string;
  /** gives a binary without a manifest its name */
  file: string;
  /** as typed, for labels; files as the person wrote them */
  shown: string;
  /** as typed, absolute; what `update` asks again */
  source: string;
  base: string;
  resolved: string;
  version?: string;
  identities: PluginIdentity[];
  notes: string[];
};

export type AcquirePorts = {
  home: string;
  /** where downloads are kept for other homes, too */
  cache: string;
  /** files that say which certificates and logs are trusted; those that are missing count for none */
  roots(): readonly string[];
  limits: HostLimits;
  environment(): Readonly<Record<string, string | undefined>>;
  noteRequest: NoteRequest;
};

/** Brings plugins from where they are, and proves who vouches for them. */
export type Acquire = {
  /** @throws {KernelError} for a source that does not give one */
  from(typed: string, options: { signal: AbortSignal }): Promise<AcquiredPlugin>;
  /**
   * The exact binary that a lock names, from earlier downloads or from its source.
   *
   * @throws {KernelError} `plugin-fault` if the source has another binary
   */
  locked(
    entry: { source: string; resolved?: string; sha256: string; name: string },
    options: { signal: AbortSignal },
  ): Promise<AcquiredPlugin>;
  /** of a package of npm, the newest first; undefined where the source has none */
  versions(typed: string, options: { signal: AbortSignal }): Promise<string[] | undefined>;
  access(signal: AbortSignal): Promise<SourceAccess>;
};

export function createAcquire(ports: AcquirePorts): Acquire {
  const { home, cache, limits } = ports;
  const { maxPluginBytes } = limits;
  const downloads = once(async () => {
    const { openDownloadCache } = await import('./download-cache.ts');
    return openDownloadCache(join(cache, 'plugins'), maxPluginBytes);
  });

  const access: Acquire['access'] = async (signal) => {
    const { openSourceAccess } = await import('./fetch-plugin.ts');
    const env = ports.environment();
    const opened = await openSourceAccess({ env, home, maxPluginBytes, signal });
    return { ...opened, web: notedWeb(opened.web, ports.noteRequest) };
  };

  const prove = async (fetched: FetchedPlugin, typed: string, source: PluginSource) => {
    const { source: from, base, resolved, version, bytes } = fetched;
    const found = { identities: [] as PluginIdentity[], broken: [] as string[] };
    if (fetched.proofs.length > 0) {
      const { verifyProofs } = await import('../signatures/verify-proofs.ts');
      Object.assign(found, verifyProofs(fetched, ports.roots()));
      if (found.identities.length === 0) throw brokenProof(typed, found.broken);
    }
    const notes = found.broken.map((why) => `one of its signatures does not count: ${why}`);
    return {
      ...{ bytes, source: from, base, resolved, shown: typed, file: fileNameOf(source) },
      sha256: sha256(bytes),
      ...(version === undefined ? {} : { version }),
      identities: found.identities,
      notes: [...fetched.notes, ...notes],
    };
  };

  const from: Acquire['from'] = async (typed, { signal }) => {
    const source = parseSource(typed, process.cwd());
    if (source.kind === 'file') {
      const { readFromFile } = await import('./file-source.ts');
      return await prove(await readFromFile(typed, source.path, maxPluginBytes), typed, source);
    }
    const { fetchPlugin } = await import('./fetch-plugin.ts');
    const fetched = await fetchPlugin(source, await access(signal));
    const acquired = await prove(fetched, typed, source);
    (await downloads()).keep(fetched);
    return acquired;
  };

  return {
    from,
    access,
    versions: async (typed, { signal }) => {
      const source = parseSource(typed, process.cwd());
      if (source.kind !== 'npm') return undefined;
      const { readPackument, versionsOf } = await import('./npm-source.ts');
      return versionsOf(await readPackument(source.name, await access(signal)));
    },
    locked: async ({ source: typed, resolved, sha256: wanted, name }, options) => {
      const source = parseSource(typed, process.cwd());
      const isExact = resolved !== undefined && source.kind !== 'file';
      if (isExact) requireOneSource(name, source, resolved);
      const kept = source.kind === 'file' ? undefined : (await downloads()).read(wanted);
      const isWhole = kept !== undefined && kept !== 'damaged';
      if (isWhole && kept.base === sourceBase(source) && (!isExact || kept.resolved === resolved)) {
        const acquired = await prove(kept, typed, source);
        return { ...acquired, source: source.text };
      }
      const found = await from(isExact ? resolved : typed, options).catch((thrown: unknown) => {
        throw kept === 'damaged' ? withDamage(thrown, join(cache, 'plugins', wanted)) : thrown;
      });
      if (found.sha256 !== wanted) {
        const message = `${name}: ${found.resolved} gives ${found.sha256.slice(0, 12)}…, and the lock says ${wanted.slice(0, 12)}…`;
        throw new KernelError('plugin-fault', message, {
          hint: `It was changed after the lock was written. To take what is there now: cuervo plugin install ${shellWord(typed)}`,
        });
      }
      return { ...found, source: source.text, shown: typed };
    },
  };
}

/**
 * Adds that the downloaded copy is damaged, which explains to an offline person why it was not
 * used.
 */
function withDamage(thrown: unknown, copy: string): KernelError {
  const { code, message, hint } = KernelError.from(thrown, 'internal');
  const text = `${message}; the copy of it in ${copy} is damaged`;
  return new KernelError(code, text, { cause: thrown, ...(hint === undefined ? {} : { hint }) });
}

/** Refuses a lock whose binary came from another source than the one that updates would use. */
function requireOneSource(name: string, source: PluginSource, resolved: string): void {
  if (sourceBase(parseSource(resolved, process.cwd())) === sourceBase(source)) return;
  const message = `${name}: the lock says that it is from ${source.text}, and also from ${resolved}`;
  throw new KernelError('plugin-fault', message, {
    hint: 'Write the lock again: cuervo plugin install SOURCE --project',
  });
}

/** The error for a binary whose signature does not hold. */
function brokenProof(typed: string, broken: readonly string[]): KernelError {
  const message = `${typed} is refused: it is signed, and the signature does not hold: ${broken.join('; ')}`;
  return new KernelError('plugin-fault', message, {
    hint: 'None of it was kept. Ask its author, or bring it again.',
  });
}

function fileNameOf(source: PluginSource): string {
  if (source.kind === 'file') return source.path;
  if (source.kind === 'https') return source.url.pathname.replace(/\.t(?:ar\.)?gz$/, '.wasm');
  const path = source.kind === 'npm' ? source.name : source.repository;
  return `${path.split('/').at(-1)}.wasm`;
}

/** Writes down a request that the kernel sent, once it is known what became of it. */
export type NoteRequest = (request: JournalBody<'network'>) => Promise<void>;

/** A client whose requests are written down. */
export function notedWeb(web: WebClient, note: NoteRequest): WebClient {
  return {
    send: async (request) => {
      const { url, what, method = 'GET' } = request;
      const startedMs = performance.now();
      const noted = async (outcome: string, bytes: number): Promise<void> => {
        const durationMs = Math.round(performance.now() - startedMs);
        await note({ method, origin: url.origin, what, outcome, bytes, durationMs });
      };
      try {
        const answer = await web.send(request);
        await noted(`${answer.status}`, answer.body.byteLength);
        return answer;
      } catch (thrown) {
        await noted(KernelError.from(thrown, 'internal').code, 0);
        throw thrown;
      }
    },
  };
}
