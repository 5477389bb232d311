import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { treeState } from '../support/tree-state.ts';

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

const tree = (place: Place): Record<string, string> => treeState(place.work);

/** Runs a script of the workspace, which may do anything there. */
const script = (place: Place, text: string, ...flags: string[]) => {
  writeFileSync(join(place.work, 'do.sh'), text);
  return () =>
    place.cuervo([
      ...['run', 'shell.run', '{"command":"sh do.sh"}', '--json', '--allow', 'exec:sh'],
      ...flags,
    ]);
};

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { run: string; changes: number; lasting: string[] });

describe.skipIf(!hasSandbox)(
  'what programs changed (needs: sudo apt-get install bubblewrap)',
  () => {
    it('is taken back byte for byte: files, folders, links, permissions and odd names', async () => {
      using place = openPlace({
        'a.txt': 'one\n',
        'd/b': Buffer.from([0, 255, 1]),
        file: 'x',
        'dir/in': 'y',
      });
      chmodSync(join(place.work, 'a.txt'), 0o640);
      symlinkSync('a.txt', join(place.work, 'link'));
      const run = script(
        place,
        `set -e
echo two > a.txt; chmod 755 a.txt; mv d moved; rm link; ln -s nowhere link
rm file; mkdir file; echo in > file/in; rm -r dir; echo file > dir
printf x > 'new
line'; printf x > 'back\\\\slash'; printf x > ' -odd name'; rm moved/b; printf z > moved/b`,
      );
      const before = tree(place);
      expect(await run()).toMatchObject({ code: 0 });
      expect(tree(place)).not.toEqual(before);
      const undone = await place.cuervo(['undo', '--yes', '--json']);
      expect(undone).toMatchObject({ code: 0 });
      expect(tree(place)).toEqual(before);
      // An undo is a run as well: what it took back comes again.
      const [latest] = lines((await place.cuervo(['undo', '--list', '--json'])).stdout);
      expect(await place.cuervo(['undo', latest?.run ?? '', '--yes'])).toMatchObject({ code: 0 });
      expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('two\n');
      expect(readlinkSync(join(place.work, 'link'))).toBe('nowhere');
      expect(readFileSync(join(place.work, 'file/in'), 'utf8')).toBe('in\n');
    });

    it('is shown by runs diff', async () => {
      using place = openPlace({ 'a.txt': 'one\n', 'b.sh': 'b\n' });
      await script(place, 'echo two > a.txt; chmod 755 b.sh')();
      const [run] = lines((await place.cuervo(['undo', '--list', '--json'])).stdout);
      const { stdout } = await place.cuervo(['runs', 'diff', run?.run ?? '']);
      expect(stdout).toContain('-one\n+two');
      expect(stdout).toContain('b.sh: mode 100644 -> 100755');
    });

    it('is a conflict where a file was changed since, and nothing is undone then', async () => {
      using place = openPlace({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
      await script(place, 'echo two > a.txt; echo b2 > b.txt')();
      writeFileSync(join(place.work, 'b.txt'), 'by hand\n');
      expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 8 });
      expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('two\n');
      expect(await place.cuervo(['undo', '--yes', '--force'])).toMatchObject({ code: 0 });
      expect(readFileSync(join(place.work, 'b.txt'), 'utf8')).toBe('b\n');
    });

    it('cannot be taken back above the limit, which is said and listed', async () => {
      using place = openPlace({ 'a.txt': 'one\n' });
      mkdirSync(place.home, { recursive: true });
      writeFileSync(join(place.home, 'config.toml'), '[workspace]\nsnapshot-bytes = 2\n');
      const ran = await script(place, 'echo two > a.txt')();
      expect(ran).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('cannot be undone: sh: nothing was kept'),
      });
      const [row] = lines((await place.cuervo(['undo', '--list', '--json'])).stdout);
      expect(row).toMatchObject({
        changes: 0,
        lasting: [expect.stringContaining('changed: a.txt')],
      });
      const listed = await place.cuervo(['undo', '--list']);
      expect(listed.stdout).toContain('not undoable: sh: nothing was kept');
      expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 4 });
    });

    it('costs nothing where the rules know a reader', async () => {
      using place = openPlace({ 'a.txt': 'one\n' });
      const run = ['run', 'shell.run', '{"command":"cat a.txt"}', '--json'];
      expect(await place.cuervo(run)).toMatchObject({ code: 0 });
      expect(existsSync(join(place.home, 'snapshots'))).toBe(false);
      expect(existsSync(join(place.home, 'blobs'))).toBe(false);
    });

    it('leaves the index and the objects of git alone, and says that history changed', async () => {
      using place = openPlace({ 'a.txt': 'one\n' });
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: place.work,
        });
      git('init', '-q', '-b', 'main');
      git('add', 'a.txt');
      git('commit', '-qm', 'first');
      const state = () =>
        createHash('sha256')
          .update(readFileSync(join(place.work, '.git/index')))
          .digest('hex');
      const index = state();
      await script(place, 'echo two > a.txt')();
      await place.cuervo(['undo', '--yes']);
      expect(state()).toBe(index);
      const commit = [
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b',
        'commit',
        '--allow-empty',
        '-m',
        'x',
      ];
      const input = JSON.stringify({ command: `git ${commit.join(' ')}` });
      const ran = await place.cuervo(['run', 'shell.run', input, '--json', '--allow', 'exec:git']);
      expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('git reflog') });
    });
  },
);
