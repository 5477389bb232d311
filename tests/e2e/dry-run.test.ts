import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { treeState } from '../support/tree-state.ts';

const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

const write = (place: Place, input: object, ...flags: string[]) =>
  place.cuervo([
    ...['run', 'file.write', JSON.stringify(input), '--dry-run', '--allow', 'fs-write:work'],
    ...flags,
  ]);
const dryRuns = (place: Place): string[] => {
  const folder = join(place.home, 'dry-runs');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const text = (place: Place, path: string) => readFileSync(join(place.work, path), 'utf8');

describe('cuervo run --dry-run', () => {
  it('changes nothing, shows the diff, and apply makes the change, which undo takes back', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const before = treeState(place.work);
    const ran = await write(place, { path: 'a.txt', text: 'two\n' });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('-one\n+two') });
    expect(ran.stderr).toContain('dry run: 1 path would be changed; ');
    expect(treeState(place.work)).toEqual(before);
    expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 4 });
    const run = /cuervo apply (\S+)/.exec(ran.stderr)?.[1] ?? '';
    expect((await place.cuervo(['runs', 'diff', run])).stdout).toContain('-one\n+two');
    expect(await place.cuervo(['apply', run])).toMatchObject({ code: 2 });
    expect(treeState(place.work)).toEqual(before);
    const applied = await place.cuervo(['apply', run, '--yes', '--json']);
    expect(applied).toMatchObject({ code: 0, rows: [{ run, paths: ['a.txt'], left: [] }] });
    expect(text(place, 'a.txt')).toBe('two\n');
    expect(dryRuns(place)).toEqual([]);
    expect(await place.cuervo(['apply', run, '--yes'])).toMatchObject({ code: 4 });
    expect(await place.cuervo(['undo', '--yes'])).toMatchObject({ code: 0 });
    expect(treeState(place.work)).toEqual(before);
  });

  it('is listed with what it was, and applied with what was done to each path', async () => {
    using place = openPlace({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await write(place, { path: 'c.txt', text: 'c\n' });
    const remove = ['run', 'file.delete', '{"path":"b.txt"}', '--dry-run'];
    await place.cuervo([...remove, '--allow', 'fs-write:work']);
    const listed = await place.cuervo(['apply', '--list']);
    expect(listed.stdout).toMatch(
      /^\S+ {2}just now {6}run file\.delete\n\S+ {2}just now {6}run file\.write\n$/,
    );
    expect((await place.cuervo(['apply', '--yes'])).stdout).toBe('removed b.txt\n');
    expect((await place.cuervo(['apply', '--yes'])).stdout).toBe('changed c.txt\n');
  });

  it('still asks: without a grant nothing is written, not even to the copy', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const input = JSON.stringify({ path: 'a.txt', text: 'two\n' });
    const ran = await place.cuervo(['run', 'file.write', input, '--dry-run']);
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('no file would be changed'),
    });
    expect(dryRuns(place)).toEqual([]);
  });

  it('is not applied over what was changed meanwhile', async () => {
    using place = openPlace({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await write(place, { path: 'a.txt', text: 'two\n' });
    writeFileSync(join(place.work, 'a.txt'), 'meanwhile\n');
    const refused = await place.cuervo(['apply', '--yes']);
    expect(refused).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('a.txt was changed since; nothing was applied'),
    });
    expect(text(place, 'a.txt')).toBe('meanwhile\n');
    // control: what else changed meanwhile is nobody's business
    await write(place, { path: 'new.txt', text: 'new\n' });
    writeFileSync(join(place.work, 'b.txt'), 'meanwhile\n');
    expect(await place.cuervo(['apply', '--yes'])).toMatchObject({ code: 0 });
    expect([text(place, 'new.txt'), text(place, 'b.txt')]).toEqual(['new\n', 'meanwhile\n']);
  });

  it('is applied over what was only touched, or written anew as it was', async () => {
    using place = openPlace({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
    await write(place, { path: 'a.txt', text: 'two\n' });
    await write(place, { path: 'b.txt', text: 'c\n' });
    const past = new Date(0);
    const { mode } = statSync(join(place.work, 'a.txt'));
    utimesSync(join(place.work, 'b.txt'), past, past);
    expect(await place.cuervo(['apply', '--yes'])).toMatchObject({ code: 0 });
    rmSync(join(place.work, 'a.txt'));
    writeFileSync(join(place.work, 'a.txt'), 'one\n');
    chmodSync(join(place.work, 'a.txt'), 0o600);
    const refused = await place.cuervo(['apply', '--yes']);
    expect(refused).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('a.txt was changed'),
    });
    chmodSync(join(place.work, 'a.txt'), mode);
    expect(await place.cuervo(['apply', '--yes'])).toMatchObject({ code: 0 });
    expect([text(place, 'a.txt'), text(place, 'b.txt')]).toEqual(['two\n', 'c\n']);
  });

  it('is applied without a question where its writes are allowed, and nothing else is', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    await write(place, { path: 'a.txt', text: 'two\n' });
    expect(await place.cuervo(['apply'])).toMatchObject({ code: 2 });
    const wrong = await place.cuervo(['apply', '--allow', 'exec:git']);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--allow exec:git has no effect here'),
    });
    expect(text(place, 'a.txt')).toBe('one\n');
    expect(await place.cuervo(['apply', '--allow', 'fs-write:work'])).toMatchObject({ code: 0 });
    expect(text(place, 'a.txt')).toBe('two\n');
  });

  it('says that a note is kept, and how it is taken back', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['ask', 'remember that the code is 4711', '--dry-run']);
    expect(ran.code).toBe(0);
    const [, forget = ''] = /a dry run remembers too; .*: cuervo (.+)\n/.exec(ran.stderr) ?? [];
    expect(await place.cuervo([...forget.split(' '), '--yes'])).toMatchObject({
      stdout: 'forget: the code is 4711\n',
    });
  });

  it('is not applied over a file that was made meanwhile', async () => {
    using place = openPlace();
    await write(place, { path: 'new.txt', text: 'dry\n' });
    writeFileSync(join(place.work, 'new.txt'), 'meanwhile\n');
    expect(await place.cuervo(['apply', '--yes'])).toMatchObject({ code: 8 });
    expect(text(place, 'new.txt')).toBe('meanwhile\n');
  });

  it('copies no protected file, and refuses a workspace above the limit', async () => {
    using place = openPlace({ '.env': 'SECRET=1\n', 'big.txt': 'x'.repeat(5000) });
    await write(place, { path: 'new.txt', text: 'new\n' });
    const [name = ''] = dryRuns(place);
    expect(readdirSync(join(place.home, 'dry-runs', name, 'work')).sort()).toEqual([
      'big.txt',
      'new.txt',
    ]);
    writeFileSync(join(place.home, 'config.toml'), '[workspace]\ndry-run-bytes = 1000\n');
    const refused = await write(place, { path: 'other.txt', text: 'new\n' });
    expect(refused).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /a dry run works on a copy, .* limit 1 MiB\nhint: .*dry-run-bytes/s,
      ),
    });
    expect(dryRuns(place)).toEqual([name]);
  });

  it('leaves out what git ignores where the copy would be too large with it, and says so', async () => {
    using place = openPlace({
      '.gitignore': 'node_modules\n',
      'node_modules/m.js': 'x'.repeat(5000),
    });
    mkdirSync(place.home, { recursive: true });
    writeFileSync(join(place.home, 'config.toml'), '[workspace]\ndry-run-bytes = 1000\n');
    const ran = await write(place, { path: 'a.txt', text: 'new\n' });
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('leaves out node_modules'),
    });
    expect(await place.cuervo(['apply', '--yes'])).toMatchObject({ code: 0 });
    expect(existsSync(join(place.work, 'node_modules/m.js'))).toBe(true);
  });
});

describe.skipIf(!hasSandbox)(
  'programs in a dry run (needs: sudo apt-get install bubblewrap)',
  () => {
    const lines = `set -e
echo two > a.txt; chmod 755 a.txt; mv d moved; rm link; ln -s nowhere link
rm file; mkdir file; echo in > file/in; rm -r dir; echo file > dir
printf x > 'new
line'; rm ignored/old; echo new > ignored/new`;
    const files = {
      'a.txt': 'one\n',
      'd/b': 'b',
      file: 'x',
      'dir/in': 'y',
      'ignored/old': 'old',
      '.gitignore': 'ignored\n',
      'do.sh': lines,
    };
    const fill = (place: Place): void => {
      place.write(files);
      chmodSync(join(place.work, 'a.txt'), 0o640);
      symlinkSync('a.txt', join(place.work, 'link'));
    };
    const run = (place: Place, command: string, ...flags: string[]) =>
      place.cuervo([
        ...['run', 'shell.run', JSON.stringify({ command }), '--json', '--allow', 'exec:sh'],
        ...flags,
      ]);

    it('give the same tree by --dry-run and apply as without', async () => {
      using dry = openPlace();
      using wet = openPlace();
      for (const place of [dry, wet]) fill(place);
      const before = treeState(dry.work);
      expect(await run(dry, 'sh do.sh', '--dry-run')).toMatchObject({ code: 0 });
      expect(treeState(dry.work)).toEqual(before);
      expect(await dry.cuervo(['apply', '--yes'])).toMatchObject({ code: 0 });
      expect(await run(wet, 'sh do.sh')).toMatchObject({ code: 0 });
      expect(treeState(dry.work)).toEqual(treeState(wet.work));
      expect(await dry.cuervo(['undo', '--yes'])).toMatchObject({ code: 0 });
      expect(treeState(dry.work)).toEqual(before);
    });

    it('see what the run wrote before them, and are seen by its reads', async () => {
      using place = openPlace({ 'a.txt': 'one\n' });
      const command = 'cat a.txt > b.txt && cat b.txt && grep -c one b.txt';
      const ran = await place.cuervo([
        ...['run', 'shell.run', JSON.stringify({ command }), '--json', '--dry-run'],
        ...['--allow', 'fs-write:work'],
      ]);
      const result = ran.lines.find(({ type }) => type === 'result') as { content?: string };
      expect(JSON.parse(result.content ?? '{}')).toMatchObject({ exitCode: 0, stdout: 'one\n1\n' });
      expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    });
  },
);
