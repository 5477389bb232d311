import type { System } from '../lib/parts/parts.ts';

/** Systems that a package is made for: each of its native packages has to be there. */
export const supportedSystems: readonly System[] = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
];

/** Has npm install what another system needs. */
export function npmFlags({ os, cpu, libc }: System): string[] {
  return [`--os=${os}`, `--cpu=${cpu}`, ...(libc === undefined ? [] : [`--libc=${libc}`])];
}
