import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { enclosed, enclosing, useNeighbours } from './support/neighbour.ts';
import { cuervo } from './support/paths.ts';

const place = useNeighbours(({ asUser }) => asUser('git init -q own/work'));

/** The user's folder is `/mnt` in there: below `/tmp` root's own files are nobody's, too. */
function run(args: string, home = '/mnt/home'): string {
  const binds = `--bind '${place.own}' /mnt --bind '${place.shared}' /srv --chdir /mnt/work`;
  const command = `${enclosing} ${binds} '${process.execPath}' '${cuervo}' ${args} 2>&1`;
  const environment = `CUERVO_HOME='${home}' TMPDIR=/mnt`;
  return place.asUser(`${environment} ${command} && echo 'exit 0' || echo "exit $?"`);
}

escapeCase('program where user namespaces are forbidden', {
  needs: enclosed,
  denied: [
    [
      'no program runs, granted or not, and the way round is named',
      () => {
        for (const allow of ['', '--allow exec:ls']) {
          const ran = run(`run shell.run ls ${allow}`);
          expect(ran).not.toContain('inside.txt');
          expect(ran).toContain('bubblewrap is installed but cannot make a sandbox here');
          expect(ran).toContain('sandbox = "none" under [exec]');
          expect(ran).toMatch(/exit 3$/m);
        }
      },
    ],
    [
      'a home of the neighbour is not taken for one of the system, whose owner looks the same',
      () => {
        place.asNeighbour('mkdir -m 755 planted');
        expect(run('run file.list {}', '/srv/planted')).toMatch(
          /is not safe: .* belongs to user[\s\S]*exit 2$/m,
        );
      },
    ],
  ],
  control: [
    'plugins answer, and with the opt-in a granted program runs',
    () => {
      expect(run('run file.read inside.txt --allow fs:work')).toContain(place.inside);
      place.asUser(`printf '[exec]\\nsandbox = "none"\\n' > '${place.home}/config.toml'`);
      expect(run('run shell.run ls')).toMatch(/was not granted exec[\s\S]*exit 3$/m);
      expect(run('run shell.run ls --allow exec:ls')).toMatch(/inside\.txt[\s\S]*exit 0$/m);
    },
  ],
});
