import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileWhole } from '../../lib/write-file-whole.ts';

/** What is mounted over what a program must not see. */
export type MaskSources = {
  /** a file that nobody may open */
  closed: string;
  /** a file with nothing in it: git dies of configuration that it may not open */
  empty: string;
  /** a folder with nothing in it */
  folder: string;
  passwd: string;
};

/** The one user inside a sandbox; nothing is told of who it is outside. */
export const sandboxUser = { uid: 1000, gid: 1000, name: 'cuervo' } as const;

/** Makes them where they are missing, in a folder that no plugin can be granted. */
export function openMaskSources(folder: string): MaskSources {
  const { uid, gid, name } = sandboxUser;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (base: string, text: string, mode: number): string => {
    const path = join(folder, base);
    if (!existsSync(path)) writeFileWhole(path, text, { mode });
    chmodSync(path, mode);
    return path;
  };
  const empty = join(folder, 'folder');
  mkdirSync(empty, { recursive: true });
  chmodSync(empty, 0o555);
  return {
    closed: file('closed', '', 0o000),
    empty: file('empty', '', 0o444),
    folder: empty,
    passwd: file('passwd', `${name}:x:${uid}:${gid}::/tmp/home:/bin/sh\n`, 0o444),
  };
}
