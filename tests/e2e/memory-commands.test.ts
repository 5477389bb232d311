import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace } from '../support/place.ts';
import { lineOf, twoLines } from '../support/run-cuervo.ts';

const docs = {
  'docs/release.md': '# Releases\n\nReleases happen on Thursdays, never before noon.\n',
  'docs/birds.md': '# Birds\n\nThe heron stands in shallow water.\n\n## Frogs\n\nFrogs fear it.\n',
  'docs/secret.pem': 'the heron key\n',
  'docs/build/out.md': 'the heron that was built\n',
  'docs/.gitignore': 'build/\n',
  'docs/picture.bin': 'heron\0heron\n',
};

type Place = ReturnType<typeof openPlace>;
const json = async (place: Place, ...args: string[]) => {
  const ran = await place.cuervo(['memory', ...args, '--json']);
  return { ...ran, rows: ran.rows as Record<string, unknown>[] };
};

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

/** Rows of memory that the journal tells of. */
const writtenIn = (place: Place): unknown[] => {
  using store = openStore({ path: join(place.home, 'cuervo.db') });
  return store
    .eventsAfter(0, 1_000)
    .flatMap(({ kind, body }) =>
      kind === 'memory-write' && body !== undefined ? [body.rows] : [],
    );
};

describe('cuervo memory add and forget', () => {
  it('reads a folder into assets, passes over what did not change, and takes away what is no more', async () => {
    using place = openPlace(docs);
    const first = await json(place, 'add', 'docs');
    const left = { skipped: 1, unreadable: 0, unreadablePaths: [] };
    expect(first.rows).toEqual([{ added: 3, unchanged: 0, ...left, chunks: 4, removed: 0 }]);
    const found = await json(place, 'search', 'heron');
    expect(found.rows.map(({ source, layer, tags }) => [source, layer, tags])).toEqual([
      ['docs/birds.md', 'assets', ['lines:1-3']],
    ]);
    expect((await json(place, 'add', 'docs')).rows[0]).toMatchObject({ added: 0, unchanged: 3 });

    writeFileSync(join(place.work, 'docs/birds.md'), '# Birds\n\nnew\n\nThe stork came.\n');
    utimesSync(join(place.work, 'docs/birds.md'), 1, 1);
    rmSync(join(place.work, 'docs/release.md'));
    expect((await json(place, 'add', 'docs')).rows[0]).toMatchObject({
      added: 1,
      chunks: 1,
      removed: 3,
    });
    expect((await json(place, 'search', 'stork')).rows).toHaveLength(1);
    for (const gone of ['frogs', 'thursdays']) {
      expect((await json(place, 'search', gone)).code).toBe(4);
    }
  });

  it('has no byte of a forgotten source once memory is compacted', async () => {
    using place = openPlace({ ...docs, 'docs/plan.md': '# Plan\n\nWe meet at zyzzyvaburg.\n' });
    await place.cuervo(['memory', 'add', 'docs']);
    await place.cuervo(['memory', 'compact']);
    expect(filesWith(place.home, 'zyzzyvaburg')).not.toEqual([]);
    await place.cuervo(['memory', 'forget', '--source', 'docs/plan.md', '--yes']);
    const { rows } = await json(place, 'compact');
    expect(rows).toEqual([{ layers: ['assets'] }]);
    expect(filesWith(place.home, 'zyzzyvaburg')).toEqual([]);
    expect((await json(place, 'search', 'heron')).rows).toHaveLength(1);
  });

  it('refuses protected names and what is not in the workspace, by any way in', async () => {
    using place = openPlace(docs);
    symlinkSync('/etc/hostname', join(place.work, 'host'));
    symlinkSync(join(place.work, 'docs/secret.pem'), join(place.work, 'innocent.md'));
    for (const path of ['docs/secret.pem', '/etc/hostname', 'host', 'innocent.md', '..']) {
      const ran = await place.cuervo(['memory', 'add', path]);
      expect([path, ran.code]).toEqual([path, 3]);
    }
    expect((await place.cuervo(['memory', 'add', 'docs/none.md'])).code).toBe(4);
    expect((await json(place, 'stats')).rows[2]).toMatchObject({ layer: 'assets', rows: 0 });
    expect((await place.cuervo(['memory', 'add', 'docs/birds.md'])).code).toBe(0);
    expect((await json(place, 'stats')).rows[2]).toMatchObject({ layer: 'assets', rows: 2 });
  });

  it('says what to name where a file is not there', async () => {
    using place = openPlace(docs);
    const ran = await place.cuervo(['memory', 'add', 'nowhere.md']);
    expect(ran.code).toBe(4);
    expect(ran.stderr).toMatch(/there is no "nowhere\.md"\n.*cuervo memory add docs/);
  });

  it('forgets a source for good until it is added again, and asks before', async () => {
    using place = openPlace(docs);
    await place.cuervo(['memory', 'add', 'docs']);
    const asked = await place.cuervo(['memory', 'forget', '--source', 'docs/birds.md']);
    expect(asked.code).toBe(2);
    expect(twoLines(asked).hint).toContain('--yes');
    expect((await json(place, 'search', 'heron')).rows).toHaveLength(1);

    const gone = await json(place, 'forget', '--source', 'docs/birds.md', '--yes');
    expect(gone.rows).toEqual([{ interact: 0, insights: 0, assets: 2 }]);
    expect((await json(place, 'search', 'heron')).code).toBe(4);
    expect((await json(place, 'list', '--source', 'docs/birds.md')).rows).toEqual([]);

    await place.cuervo(['memory', 'add', 'docs/birds.md']);
    expect((await json(place, 'search', 'heron')).rows).toHaveLength(1);
  });

  it('forgets with a source what was said of it later in the conversation', async () => {
    using place = openPlace({ 'docs/flux.md': 'The flux capacitor limit is 1.21 gigawatts.\n' });
    const said = ['The limit is 1.21 gigawatts.', 'In short: 1.21 gigawatts.', 'They are yellow.'];
    await using server = await startOpenAiServer(() => ({
      type: 'message',
      text: said[server.requests.length - 1] ?? '',
    }));
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    await place.cuervo(['model', 'use', 'srv/test']);
    await place.cuervo(['memory', 'add', 'docs']);
    const questions = ['what is the flux limit?', 'say it shorter', 'what colour have bananas?'];
    await place.cuervo(['chat'], { stdin: questions.join('\n') });
    expect(server.requests).toHaveLength(3);
    expect(JSON.stringify(server.requests.at(-1))).toContain('In short');
    const texts = async (...of: string[]) => (await place.cuervo(of)).stdout;
    expect(await texts('memory', 'list', '--json')).toContain('In short');

    await place.cuervo(['memory', 'forget', '--source', 'docs/flux.md', '--yes']);
    const kept = await texts('memory', 'export');
    expect(kept).not.toContain('gigawatts');
    expect(kept).toContain('They are yellow.');
    expect(await texts('session', 'export', '--json')).not.toContain('gigawatts');
    expect((await place.cuervo(['memory', 'search', 'gigawatts'])).code).toBe(4);
  });

  it('forgets by any spelling of a path and by folder, and says what nothing came from', async () => {
    using place = openPlace(docs);
    await place.cuervo(['memory', 'add', 'docs']);
    const forget = (...args: string[]) => place.cuervo(['memory', 'forget', ...args, '--yes']);
    const file = await forget('--source', './docs/birds.md');
    expect(file.stdout).toBe('forgot 2 rows (interact 0, insights 0, assets 2) of docs/birds.md\n');
    const again = await forget('--source', 'docs/birds.md');
    expect(again.code).toBe(4);
    expect(twoLines(again).error).toContain('it was forgotten already');
    const near = await forget('--source', 'release.md');
    expect(near.code).toBe(4);
    expect(twoLines(near).hint).toContain('Near it: docs/release.md');
    const folder = await forget('--source', join(place.work, 'docs/'));
    expect(folder.stdout).toContain('of docs/.gitignore, docs/picture.bin, docs/release.md\n');
    expect((await json(place, 'list')).rows).toEqual([]);
    expect((await place.cuervo(['index'])).stderr).toContain('skipped 4 forgotten files');
    expect((await forget('--run', 'nosuch')).code).toBe(4);
    for (const empty of ['--source', '--run']) expect((await forget(empty, '')).code).toBe(2);
  });

  it('forgets what a run said, and its insight, and says what to name', async () => {
    using place = openPlace(docs);
    const ran = await place.cuervo(['ask', 'remember that the door code is 4711', '--json']);
    const { run } = lineOf(ran, 'run-started');
    const [row] = (await json(place, 'list')).rows;
    const [promoted] = (await json(place, 'promote', String(row?.id))).rows;
    expect(writtenIn(place).slice(-2)).toEqual([
      [{ id: row?.id, layer: 'interact', kind: 'fact' }],
      [{ id: promoted?.id, layer: 'insights', kind: 'fact' }],
    ]);
    const again = await json(place, 'promote', String(row?.id));
    expect(again.rows).toEqual([{ id: row?.id, from: row?.id }]);
    expect((await json(place, 'list', '--layer', 'assets')).rows[0]).toMatchObject({
      ...{ run, kind: 'fact', why: 'asked for' },
      tags: ['promoted', 'because:asked for'],
    });
    expect((await place.cuervo(['memory', 'promote', String(row?.id)])).code).toBe(2);
    expect((await place.cuervo(['memory', 'forget', '--yes'])).code).toBe(2);
    const elsewhere = await json(
      place,
      'forget',
      '--run',
      String(run),
      '--layer',
      'insights',
      '--yes',
    );
    expect(elsewhere.rows).toEqual([{ interact: 0, insights: 0, assets: 0 }]);
    expect((await json(place, 'forget', '--run', String(run), '--yes')).rows).toEqual([
      { interact: 0, insights: 0, assets: 1 },
    ]);
    expect((await json(place, 'search', 'door code')).code).toBe(4);
  });

  it('forgets single rows by their ids, in whichever layer they lie', async () => {
    using place = openPlace(docs);
    await place.cuervo(['ask', 'remember that the door code is 4711']);
    await place.cuervo(['ask', 'remember that the gate code is 0815']);
    const rows = (await json(place, 'list')).rows;
    const door = rows.find(({ text }) => String(text).includes('4711'));
    await json(place, 'promote', String(door?.id));
    const unknown = await place.cuervo(['memory', 'forget', '--id', '0000000000', '--yes']);
    expect(unknown.code).toBe(4);
    const start = String(door?.id).slice(0, 12);
    expect((await json(place, 'forget', '--id', start, '--yes')).rows).toEqual([
      { interact: 0, insights: 1, assets: 0 },
    ]);
    expect((await json(place, 'list')).rows.map(({ text }) => text)).toEqual([
      'the gate code is 0815',
    ]);
  });

  it('keeps a text from standard input under its name', async () => {
    using place = openPlace(docs);
    const unnamed = await place.cuervo(['memory', 'add', '-']);
    expect(unnamed.code).toBe(2);
    mkdirSync(join(place.work, 'x'), { recursive: true });
    const added = await place.cuervo(['memory', 'add', '-', '--source', 'notes/a.md'], {
      stdin: 'the stork nests on the roof\n',
    });
    expect(added.code).toBe(0);
    expect((await json(place, 'search', 'stork')).rows[0]).toMatchObject({ source: 'notes/a.md' });
  });

  it('takes neither an empty path nor what is not text on standard input', async () => {
    using place = openPlace(docs);
    const empty = await place.cuervo(['memory', 'add', '']);
    expect(empty.code).toBe(2);
    expect(twoLines(empty).error).toContain('the path to read is empty');
    const binary = await place.cuervo(['memory', 'add', '-', '--source', 'b'], {
      stdin: 'heron\0heron\n',
    });
    expect(binary.code).toBe(2);
    expect(twoLines(binary).error).toContain('standard input is not text');
    expect((await json(place, 'list')).rows).toEqual([]);
  });
});

it('says of one thing that it is one', async () => {
  using place = openPlace({ 'a.md': '# Herons\n\nThey stand in the water.\n' });
  await place.cuervo(['index']);
  expect((await place.cuervo(['index', '--status'])).stdout).toContain('the index holds 1 file\n');
  await place.cuervo(['memory', 'forget', '--source', 'a.md', '--yes']);
  expect((await place.cuervo(['index'])).stderr).toContain('skipped 1 forgotten file;');
  await place.cuervo(['ask', 'remember that the door code is 4711']);
  const { stdout } = await place.cuervo(['memory', 'export', '--all']);
  const home = join(place.work, '../other-home');
  const imported = await place.cuervo(['memory', 'import', '-'], { home, stdin: stdout });
  expect(imported.stdout).toBe('imported 1 row\n');
  await place.cuervo(['memory', 'compact'], { home });
  const stats = await place.cuervo(['memory', 'stats'], { home });
  expect(stats.stdout).toMatch(/ 1 row, 0 waiting, 1 fragment, /);
  const again = await place.cuervo(['memory', 'reembed'], { home });
  expect(again.stdout).toMatch(/^computed new vectors of (?:1 row|[02-9] rows)\n$/);
});

describe('cuervo memory export and import', () => {
  it('moves every row, whole, to another home', async () => {
    using place = openPlace(docs);
    await place.cuervo(['memory', 'add', 'docs']);
    await place.cuervo([
      'ask',
      'remember that it\'s 部署密码提示是蓝鹭; -- "quoted" and on Thursdays',
    ]);
    const exported = await place.cuervo(['memory', 'export', '--all']);
    expect(exported.stdout.trim().split('\n')).toHaveLength(5);
    const home = join(place.work, '../other-home');
    const imported = await place.cuervo(['memory', 'import', '-'], {
      home,
      stdin: exported.stdout,
    });
    expect(imported.stdout).toBe('imported 5 rows\n');
    const again = await place.cuervo(['memory', 'export', '--all'], { home });
    expect(again.stdout).toBe(exported.stdout);
    const bad = await place.cuervo(['memory', 'import', '-'], { home, stdin: '{"layer":"x"}\n' });
    expect(bad.code).toBe(2);
    expect(twoLines(bad).error).toMatch(/^-:1: layer: /);
  });

  it('says how many rows an import that failed has kept', async () => {
    using place = openPlace({ 'a.md': 'a\n' });
    const row = (text: string) => JSON.stringify({ layer: 'assets', text, context: '', ...rest });
    const rest = { kind: 'text', tags: [], project: place.work, ts: 1 };
    const rows = Array.from({ length: 1000 }, (_, index) => row(`heron ${index}`));
    const stdin = `${rows.join('\n')}\nheron\n`;
    const ran = await place.cuervo(['memory', 'import', '-'], { stdin });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toBe(
      'note: the first 1000 rows were imported, the rest was not\nerror: -:1001 is not JSON\nhint: Only what cuervo memory export wrote can be imported.\n',
    );
    expect((await place.cuervo(['memory', 'stats'])).stdout).toMatch(/assets +1000 rows/);
  });
});

describe('cuervo memory search and tend', () => {
  it('narrows by layer, kind, tag and age, and explains a score', async () => {
    using place = openPlace(docs);
    await place.cuervo(['memory', 'add', 'docs']);
    await place.cuervo(['ask', 'remember that the heron sleeps at noon']);
    const count = async (...args: string[]) =>
      (await json(place, 'search', 'heron', ...args)).rows.length;
    expect(await count()).toBe(2);
    expect(await count('--layer', 'assets')).toBe(1);
    expect(await count('--kind', 'fact')).toBe(1);
    expect(await count('--tag', 'lines:1-3')).toBe(1);
    expect(await count('--tag', "x') OR true --")).toBe(0);
    expect(await count('--since', '1h')).toBe(2);
    expect(await count('--since', '2999-01-01')).toBe(0);
    expect((await place.cuervo(['memory', 'search', 'x', '--since', "1' OR 1=1"])).code).toBe(2);
    expect((await place.cuervo(['memory', 'search', 'x', '--layer', 'l9'])).code).toBe(2);
    const empty = await place.cuervo(['memory', 'search', ' ']);
    expect(empty.code).toBe(2);
    expect(twoLines(empty).error).toContain('the text to search for is empty');
    const narrow = await place.cuervo(['memory', 'search', 'heron', '--kind', 'answer']);
    expect(narrow.code).toBe(4);
    expect(twoLines(narrow)).toMatchObject({
      error: expect.stringContaining('nothing in memory matches "heron" with --kind'),
      hint: expect.stringContaining('Search without --kind.'),
    });
    const explained = await place.cuervo(['memory', 'search', 'heron', '--explain']);
    expect(explained.stdout).toMatch(
      /\d\.\d{3} = \d\.\d{3} fused × 1\.2 layer × \d\.\d{3} decay; bm25 \d+\.\d{3}, cosine -?\d\.\d{3}; id [0-9a-f]{12}, run /,
    );
  });

  it('shows a row by the start of its id, counts and compacts', async () => {
    using place = openPlace(docs);
    await place.cuervo(['memory', 'add', 'docs']);
    const [row] = (await json(place, 'list', '--source', 'docs/release.md')).rows;
    const shown = await place.cuervo(['memory', 'show', String(row?.id).slice(0, 12)]);
    expect(shown.stdout).toContain('source: docs/release.md\n');
    expect(shown.stdout).toContain('\nReleases happen on Thursdays, never before noon.\n');
    expect((await place.cuervo(['memory', 'show', '000000000000'])).code).toBe(4);
    expect((await place.cuervo(['memory', 'show', "' OR 1"])).code).toBe(2);
    expect((await json(place, 'compact')).rows).toEqual([{ layers: ['assets'] }]);
    expect((await json(place, 'reembed')).rows).toEqual([{ rows: 0 }]);
    expect((await json(place, 'stats')).rows[2]).toMatchObject({
      rows: 4,
      pending: 0,
      fragments: 1,
      embedder: expect.stringContaining('static'),
    });
  });

  it('explains where a row comes from, who drew on it, and where a search ranks it', async () => {
    using place = openPlace(docs);
    await place.cuervo(['ask', 'remember that the heron sleeps at noon', '--quiet']);
    const asked = await place.cuervo(['ask', 'when does the heron sleep?', '--json']);
    const [recalled] = lineOf(asked, 'answer').memory;
    const id = String(recalled?.id);
    const [told] = (await json(place, 'explain', id, 'noon')).rows;
    expect(told).toMatchObject({
      layer: 'interact',
      kind: 'fact',
      layerWeight: 1.2,
      run: { question: 'remember that the heron sleeps at noon', tools: [], recalled: [] },
      usedBy: [{ question: 'when does the heron sleep?' }],
      search: { query: 'noon', rank: 1, factors: { layerWeight: 1.2 } },
    });
    const question = (await json(place, 'list', '--kind', 'question')).rows[0];
    const [drew] = (await json(place, 'explain', String(question?.id))).rows;
    expect(drew?.run).toMatchObject({
      recalled: [{ id, layer: 'interact', text: 'the heron sleeps at noon' }],
    });
    const text = await place.cuervo(['memory', 'explain', id, 'noon']);
    expect(text.stdout).toMatch(
      /hit 1 of \d+ for "noon"\n {2}\d\.\d{3} = \d\.\d{3} fused × 1\.2 layer/,
    );
    expect((await place.cuervo(['memory', 'explain', 'ffffffffffff'])).code).toBe(4);
  });
});
