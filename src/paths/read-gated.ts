import { readSync, type Stats } from 'node:fs';
import type { Config } from '../contracts/config.ts';
import { createContentGate } from '../contracts/content-gate.ts';
import { protectedBelow, rootFolders, workRoot } from '../lib/files/paths.ts';
import { openBelow } from './open-below.ts';
import { closeName, openRoot } from './open-name.ts';
import { parsePath } from './parse-path.ts';
import { HostFailure } from './system-failure.ts';

/**
 * Reads a file of the workspace whole, opened as tools open theirs.
 *
 * @throws {HostFailure} `denied` for a protected name, `limit` above `maxBytes`, without reading it
 */
export type ReadGated = (target: string, maxBytes: number) => { bytes: Buffer; stats: Stats };

export function createReadGated(config: Config): ReadGated {
  const { isProtected } = createContentGate(protectedBelow(config));
  return (target, maxBytes) => {
    const root = openRoot(rootFolders([workRoot], config)[workRoot] ?? config.workspace);
    try {
      const path = parsePath(target, new Map([[workRoot, root]]));
      using opened = openBelow(path);
      for (const each of [path.segments, opened.resolved]) {
        if (isProtected(each.join('/'), path.root))
          throw new HostFailure('denied', `path ${path.shown} is a protected file`);
      }
      const { stats, fd } = opened;
      if (!stats.isFile()) throw new HostFailure('invalid', `path ${path.shown} is no file`);
      if (stats.size > maxBytes) {
        const text = `path ${path.shown} has ${stats.size} bytes, limit ${maxBytes}`;
        throw new HostFailure('limit', text);
      }
      // One byte more, to notice a file that grew meanwhile.
      const bytes = Buffer.allocUnsafeSlow(stats.size + 1);
      let length = 0;
      for (let count = -1; count !== 0 && length < bytes.length; length += count)
        count = readSync(fd, bytes, length, bytes.length - length, -1);
      if (length > stats.size) throw new HostFailure('io', `path ${path.shown} is being written`);
      return { bytes: bytes.subarray(0, length), stats };
    } finally {
      closeName(root);
    }
  };
}
