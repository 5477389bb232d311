import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What mounting a disk that takes names in any case needs. */
export const foldingDisk = {
  file: 'root, /dev/fuse, bubblewrap and lowntfs-3g',
  install: 'sudo apt-get install bubblewrap ntfs-3g',
  isThere: () =>
    process.getuid?.() === 0 &&
    ['/dev/fuse', '/usr/bin/bwrap', '/usr/bin/lowntfs-3g'].every((file) => existsSync(file)),
};

/** A file system in which `.env` and `.ENV` are one file, and two names for the kernel. */
export function mountFolding(dir: string): string {
  const image = join(dir, 'disk.img');
  const folder = join(dir, 'folding');
  writeFileSync(image, '');
  truncateSync(image, 20 * 1024 * 1024);
  mkdirSync(folder);
  execFileSync('/usr/sbin/mkntfs', ['-F', '-Q', image], { stdio: 'ignore' });
  const options = 'ignore_case,uid=0,gid=0,umask=077';
  execFileSync('/usr/bin/lowntfs-3g', [image, folder, '-o', options]);
  return folder;
}
