import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { ToolEvent } from '../../contracts/tool.ts';
import { plainSecretsOf, type Secret } from '../../guard/scan-text.ts';
import { lstatSync, rawPath } from '../../lib/files/raw-fs.ts';
import { counted } from '../../lib/text/amounts.ts';
import { decodeUnlessBinary } from '../../lib/text/decode-text.ts';
import { yieldToEvents } from '../../lib/turns.ts';
import { walkRoot } from '../../programs/snapshot/walk-root.ts';

const limits = { entries: 200_000, bytes: 256 * 1024 * 1024, secrets: 1_000 };
/** A file is read in parts of `partBytes`, which overlap by `sharedBytes`: more than any secret. */
const partBytes = 4 * 1024 * 1024;
const sharedBytes = 64 * 1024;
/** A longer search for secrets is reported. */
const quickMs = 1_000;

/** The secrets that files hold, so that a guard finds them in whatever form they are shown. */
export type WorkspaceSecrets = {
  /**
   * Those of all text files, which are looked through once, and of files that were read or changed
   * since.
   *
   * @param paths what may be the name of a file, relative to the workspace; looked through whatever
   *   the limits are
   */
  find(paths: readonly string[], options: { signal: AbortSignal }): Promise<readonly Secret[]>;
};

type Looked = Pick<Stats, 'size' | 'ctimeMs' | 'ino'> & { secrets: readonly Secret[] };

export function createWorkspaceSecrets(ports: {
  folder: string;
  warn(text: string): void;
  tell(event: ToolEvent): void;
}): WorkspaceSecrets {
  const { folder, warn, tell } = ports;
  const files = new Map<string, Looked>();
  let isWalked = false;

  /** @returns bytes that were read */
  const look = (path: string): number => {
    try {
      const stats = lstatSync(join(folder, path));
      if (!stats.isFile()) return 0;
      const { size, ctimeMs, ino } = stats;
      const before = files.get(path);
      if (before?.size === size && before.ctimeMs === ctimeMs && before.ino === ino) return 0;
      const { secrets, bytes } = readSecrets(join(folder, path));
      // Keep old secrets: other files, or texts shown before, may still hold them.
      files.set(path, { size, ctimeMs, ino, secrets: [...(before?.secrets ?? []), ...secrets] });
      return bytes;
    } catch {
      // Ignored: the file is gone, or the person cannot read it either.
      return 0;
    }
  };

  const walk = async (signal: AbortSignal): Promise<void> => {
    const { entries, isCut, repositories } = await walkRoot('work', folder, {
      // Protected files are read, too: tools must not show their secrets in any form. Folders of
      // packages are left out: they have ten times the files, none of them the person's own.
      isProtected: (path) => /(?:^|\/)node_modules$/.test(path),
      maxEntries: limits.entries,
      entersIgnored: true,
      signal,
    });
    const depthOf = (path: string): number => path.split('/').length;
    const own = repositories.map((path) => `${path}/config`);
    // The walk tells no kind of what has no name as text; `look` sees what it is.
    const found = [...entries].filter(
      ([path, { kind }]) => kind === 'file' || !path.isWellFormed(),
    );
    const ignored = new Set(found.flatMap(([path, { uncovered }]) => (uncovered ? [path] : [])));
    const paths = [...own, ...found.map(([path]) => path)].toSorted(
      (one, other) =>
        Number(ignored.has(one)) - Number(ignored.has(other)) || depthOf(one) - depthOf(other),
    );
    const turn = yieldToEvents(signal);
    const startedMs = performance.now();
    let bytes = 0;
    let done = 0;
    for (const path of paths) {
      const waits = turn();
      if (waits !== undefined) {
        await waits;
        if (performance.now() - startedMs > quickMs) {
          tell({ type: 'progress', label: 'looking for secrets', done, total: paths.length });
        }
      }
      if (bytes > limits.bytes) break;
      bytes += look(path);
      done += 1;
    }
    if (isCut || done < paths.length) {
      const rest = isCut ? 'files' : counted(paths.length - done, 'file');
      const limit = isCut ? `${limits.entries} entries` : `${limits.bytes / 1024 ** 2} MiB`;
      warn(
        `${rest} of ${folder} were not looked through for secrets, limit ${limit}: one in them is known in its own form alone; work in a smaller folder with --workspace DIR`,
      );
    }
  };

  return {
    find: async (paths, { signal }) => {
      if (!isWalked) await walk(signal);
      for (const path of paths) look(path);
      const all = [...files.values()].flatMap(({ secrets }) => secrets);
      // Keep the first kind of a value: it tells more than the words around it.
      const secrets = [...Map.groupBy(all, ({ value }) => value).values()].flatMap(
        ([one]) => one ?? [],
      );
      if (!isWalked && secrets.length > limits.secrets) {
        warn(
          `${folder} holds ${secrets.length} secrets, limit ${limits.secrets}: the others are known in their own form alone`,
        );
      }
      isWalked = true;
      return secrets.slice(0, limits.secrets);
    },
  };
}

/** A link may lead anywhere, and a pipe has no end. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readSecrets(path: string): { secrets: Secret[]; bytes: number } {
  const fd = openSync(rawPath(path), flags);
  try {
    const { size } = fstatSync(fd);
    const secrets: Secret[] = [];
    const part = Buffer.alloc(Math.min(size, partBytes));
    let at = 0;
    while (at < size) {
      const length = readSync(fd, part, 0, part.length, at);
      const text = length === 0 ? undefined : decodeUnlessBinary(part.subarray(0, length));
      if (text === undefined) break;
      secrets.push(...plainSecretsOf(text));
      at += length;
      if (at < size) at -= Math.min(sharedBytes, length - 1);
    }
    return { secrets, bytes: at };
  } finally {
    closeSync(fd);
  }
}
