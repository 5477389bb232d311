import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, program, twoLines } from '../support/run-cuervo.ts';

const files = {
  'src/retry.ts': '// how often a failed upload is sent again\nexport const maxRetries = 5;\n',
  'docs/birds.md': '# Birds\n\nThe heron stands in shallow water.\n',
};

describe('cuervo index', () => {
  it('reads the files of the workspace once, and what changed again', async () => {
    using place = openPlace(files);
    const index = (...args: string[]) => place.cuervo(['index', ...args, '--json']);
    expect((await index('--status')).rows).toEqual([
      {
        ...{ files: 0, changed: 0, added: 0, gone: 0 },
        search: { state: 'none', files: 0, stale: 0, gone: 0 },
      },
    ]);
    expect((await index()).rows[0]).toMatchObject({ added: 2, chunks: 2 });
    expect((await index()).rows[0]).toMatchObject({ added: 0, unchanged: 2, chunks: 0 });
    writeFileSync(join(place.work, 'src/retry.ts'), 'export const maxRetries = 55;\n');
    rmSync(join(place.work, 'docs'), { recursive: true });
    expect((await index('--status')).rows).toEqual([
      {
        ...{ files: 2, changed: 1, added: 0, gone: 1 },
        search: { state: 'walked', files: 0, stale: 1, gone: 1 },
      },
    ]);
    expect((await index()).rows[0]).toMatchObject({ added: 1, chunks: 1, removed: 2, gone: 1 });
    expect((await index('--remove')).rows).toEqual([{ rows: 1 }]);
    expect((await index('--status')).rows[0]).toMatchObject({ files: 0 });
  });

  it('holds nothing of a name that was protected since, from the next search on', async () => {
    using place = openPlace({ 'plans.txt': 'qx7vu\n', 'src/a.ts': 'plain\n' });
    const bytes = (): string => {
      const folders = readdirSync(join(place.home, 'index'));
      const names = ['files.db', 'files.db-wal'].flatMap((name) =>
        folders.map((folder) => join(place.home, 'index', folder, name)),
      );
      return names.map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : '')).join('');
    };
    const found = async (): Promise<string> => {
      const ran = await place.cuervo(['run', 'search.grep', 'pattern=qx7vu', '--json']);
      return lineOf(ran, 'step-finished').summary;
    };
    await place.cuervo(['index']);
    expect(await found()).toBe('1 match in 1 file');
    expect(bytes()).toContain('qx7');
    writeFileSync(join(place.home, 'config.toml'), 'protected = ["plans.txt"]\n');
    expect(await found()).toBe('0 matches in 0 files');
    expect(bytes()).not.toContain('qx7');
  });

  it('says what it did, and what contradicts itself', async () => {
    using place = openPlace(files);
    const done = await place.cuervo(['index']);
    expect(done.stdout).toBe('read 2 files, wrote 2 pieces; 0 files unchanged\n');
    expect((await place.cuervo(['index', '--status'])).stdout).toContain('it is up to date');
    expect((await place.cuervo(['index', '--remove'])).stdout).toBe(
      'removed the index, 2 pieces\n',
    );
    expect((await place.cuervo(['index', '--remove'])).stdout).toBe(`${place.work} has no index\n`);
    const both = await place.cuervo(['index', '--status', '--remove']);
    expect(both.code).toBe(2);
    expect(twoLines(both).error).toContain('--remove');
  });

  it('is not shown where it is behind: each line of an answer stands in the file', async () => {
    const function_ = (name: string) =>
      `// how often a failed ${name} is sent again\nexport function ${name}Retries() {\n  return 5;\n}\n`;
    const body = Array.from({ length: 20 }, (_, at) => function_(`upload${at}`)).join('\n');
    using place = openPlace({ 'src/retry.ts': body, 'src/send.ts': function_('letter') });
    await place.cuervo(['index']);
    const question = 'how often is a failed upload sent again?';
    const current = await place.cuervo(['ask', question, '--json']);
    expect(lineOf(current, 'answer').evidence.length).toBeGreaterThan(0);
    expect(current.stderr).toBe('');
    const summaries = linesOf(current, 'step-finished').map(({ summary }) => summary);
    expect(summaries.join()).toContain('words, index and meaning');

    place.write({ 'src/retry.ts': `${'\n'.repeat(30)}${function_('upload')}` });
    const behind = await place.cuervo(['ask', question, '--json']);
    expect(behind.stderr).toContain('the index is behind: 1 of the files it found has changed');
    const { evidence, memory } = lineOf(behind, 'answer');
    expect(evidence.map(({ path }) => path)).toContain('src/retry.ts');
    for (const { path, line, endLine, text } of evidence) {
      const lines = readFileSync(join(place.work, path), 'utf8').split('\n');
      expect(text).toBe(lines.slice(line - 1, endLine).join('\n'));
    }
    expect(memory).toEqual([]);
  });

  it('has nothing of a forgotten source that is found anywhere, whatever runs afterwards', async () => {
    using place = openPlace({ ...files, 'src/secret-plan.ts': 'export const zanzibarPlan = 1;\n' });
    await place.cuervo(['index']);
    await place.cuervo(['ask', 'remember that the heron plan is called zanzibar', '--quiet']);
    await place.cuervo(['memory', 'forget', '--source', 'src/secret-plan.ts', '--yes']);
    await place.cuervo(['jobs', 'run', 'reindex_workspace']);
    await place.cuervo(['index']);
    const listed = await place.cuervo([
      'memory',
      'list',
      '--source',
      'src/secret-plan.ts',
      '--json',
    ]);
    expect(listed.rows).toEqual([]);
    const found = await place.cuervo(['memory', 'search', 'zanzibarPlan', 'zanzibar', '--json']);
    expect(found.rows.map(({ layer }) => layer)).toEqual(['interact']);
    const exported = await place.cuervo(['memory', 'export']);
    expect(exported.stdout).not.toContain('zanzibarPlan');
    await place.cuervo(['memory', 'add', 'src/secret-plan.ts']);
    const again = await place.cuervo(['memory', 'search', 'zanzibarPlan', '--json']);
    expect(again.rows.map(({ source }) => source)).toContain('src/secret-plan.ts');
  });
});

/** A process that watches, once it does. */
async function watch(place: Place): Promise<{ child: ChildProcess; said(): string }> {
  const child = spawn(process.execPath, [program, 'index', '--watch'], {
    cwd: place.work,
    env: { PATH: process.env.PATH, CUERVO_HOME: place.home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text) => {
      said += String(text);
      if (said.includes('watching')) resolve();
    });
    child.once('close', () => reject(new Error(said)));
  });
  return { child, said: () => said };
}

const stateOf = async (place: Place): Promise<unknown> => {
  const [row] = (await place.cuervo(['index', '--status', '--json'])).rows;
  return (row as unknown as { search: { state: string } }).search.state;
};

const matchesOf = async (place: Place, pattern: string): Promise<string> => {
  const ran = await place.cuervo(['run', 'search.grep', `pattern=${pattern}`, '--json']);
  return lineOf(ran, 'step-finished').summary;
};

const withFewWatches = [
  ...['-r', 'sh', '-c'],
  'echo 1 > /proc/sys/user/max_inotify_watches && exec "$0" "$@"',
];
const canLimit = spawnSync('unshare', [...withFewWatches, 'true']).status === 0;

describe('cuervo index --watch', () => {
  it('that is killed leaves searches right, and that of a removed folder ends', async () => {
    using place = openPlace(files);
    const killed = await watch(place);
    expect(await stateOf(place)).toBe('watched');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');
    expect(await stateOf(place)).toBe('walked');
    place.write({ 'src/new.ts': 'kestrel\n' });
    expect(await matchesOf(place, 'kestrel')).toBe('1 match in 1 file');

    const next = await watch(place);
    expect(await stateOf(place)).toBe('watched');
    const closed = once(next.child, 'close');
    rmSync(place.work, { recursive: true });
    expect(await closed).toEqual([7, null]);
    expect(next.said()).toContain(`error: ${place.work} cannot be used: ENOENT`);
  });

  it.skipIf(!canLimit)('names the setting where the system has no more watches', async () => {
    using place = openPlace(files);
    const args = [...withFewWatches, process.execPath, program, 'index', '--watch'];
    const env = { PATH: process.env.PATH, CUERVO_HOME: place.home };
    const ran = spawnSync('unshare', args, { cwd: place.work, env, encoding: 'utf8' });
    expect(ran.stderr).toContain('error: the system has no more watches for folders');
    expect(ran.stderr).toContain('sysctl fs.inotify.max_user_watches');
    expect(ran.status).toBe(5);
    expect(await stateOf(place)).toBe('walked');
    expect(await matchesOf(place, 'heron')).toBe('1 match in 1 file');
  });
});
