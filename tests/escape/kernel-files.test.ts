import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectSuccess, type Place, usePlace } from './support/place.ts';

const needs = { file: '/usr/bin/bwrap', install: 'sudo apt-get install bubblewrap' };

const fill = async (made: Place): Promise<void> => {
  await made.install(await buildGuest('program-runner'));
};
const place = usePlace({ fill });
/** The same without the sandbox: what its owner wrote into the configuration. */
const open = usePlace({ config: '[exec]\nsandbox = "none"\n', fill });

/** Opens each file to append nothing to it, and names those that let it. */
const opening = `
for file in $(find "$@" -type f 2>/dev/null); do
  if true 2>/dev/null >>"$file"; then echo "$file"; fi
done`;

/**
 * Where processes tell a path of the host: all but the lists of mounts, which always do. The path is
 * written in two pieces, so that who looks for it does not tell it.
 */
const telling = (path: string, ids: string): string => `
path=${path.slice(0, 9)}""${path.slice(9)}
cd /proc
for id in ${ids}; do
  for name in cmdline environ status maps cgroup; do
    grep -l -a -F -e "$path" "$id/$name" 2>/dev/null
  done
  for link in "$id"/cwd "$id"/exe "$id"/root "$id"/fd/*; do
    case $(readlink "$link") in *"$path"*) echo "$link" ;; esac
  done
done`;

async function lines(at: Place, script: string, ...args: string[]): Promise<string[]> {
  const command = { program: 'sh', args: ['-c', script, 'sh', ...args] };
  const ran = await at.run('program-runner.go', command, { allow: ['fs:work', 'exec:sh'] });
  const { stdout } = expectSuccess(ran) as { stdout: string };
  return stdout.split('\n').filter((line) => line !== '');
}

escapeCase('kernel and host as a program sees them', {
  needs,
  denied: [
    [
      'no file in /proc and /sys opens for writing',
      async () => expect(await lines(place, opening, '/proc', '/sys')).toEqual([]),
    ],
    [
      'no file of root opens in /proc',
      async () => {
        const reading = `
for file in $(find /proc -maxdepth 1 -type f ! -perm -004); do
  if true 2>/dev/null <"$file"; then echo "$file"; fi
done`;
        expect(await lines(place, reading)).toEqual([]);
      },
    ],
    [
      'no process tells a path of the host, beside the lists of mounts',
      async () => expect(await lines(place, telling(place.dir, '[0-9]*'))).toEqual([]),
    ],
  ],
  control: [
    'it writes to what it has open itself, and without the sandbox to its own files in /proc',
    async () => {
      expect(await lines(place, '{ echo kept >/dev/fd/4; } 4>/tmp/mine; cat /tmp/mine')).toEqual([
        'kept',
      ]);
      expect(await lines(open, `set -- /proc/$$; ${opening}`)).not.toEqual([]);
      expect(await lines(open, telling(open.dir, '$$'))).not.toEqual([]);
    },
  ],
});
