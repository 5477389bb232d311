import { readFileSync } from 'node:fs';

/** Settings of Linux that forbid user namespaces, each with the value that permits them. */
const settings: readonly { name: string; forbids: string; permits: string }[] = [
  { name: 'user.max_user_namespaces', forbids: '0', permits: '15000' },
  { name: 'kernel.unprivileged_userns_clone', forbids: '0', permits: '1' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', permits: '0' },
];

/**
 * The advice where bubblewrap may not make a user namespace: the settings that forbid it, or, where
 * none does, that the container around cuervo has to permit it.
 *
 * @param read the value of a setting, undefined where this kernel has no such setting
 */
export function permitNamespaces(read: (name: string) => string | undefined = sysctl): string {
  const forbidding = settings.filter(({ name, forbids }) => read(name) === forbids);
  if (forbidding.length > 0) {
    return `sudo sysctl -w ${forbidding.map(({ name, permits }) => `${name}=${permits}`).join(' ')}`;
  }
  return 'permit user namespaces in the container or sandbox that cuervo runs in; this says why not: bwrap --unshare-all --ro-bind / / true';
}

function sysctl(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}
