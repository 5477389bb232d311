import { existsSync } from 'node:fs';
import type { Need } from './escape-case.ts';

const files = ['/dev/fuse', '/usr/bin/unshare', '/usr/bin/bwrap'];

/** What a file system of the tests, in a namespace of its own, is mounted with. */
export const strangerDisk = {
  file: 'root, /dev/fuse, unshare and bubblewrap',
  install: 'sudo apt-get install util-linux bubblewrap',
  isThere: () => process.getuid?.() === 0 && files.every((file) => existsSync(file)),
} satisfies Need;
