import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, type Ran, root } from '../support/run-cuervo.ts';

type Row = Record<string, unknown>;

describe('ask without a model', () => {
  let place: Place;
  let ran: Ran;

  beforeAll(async () => {
    place = openPlace(fixtureRepository);
    ran = await place.cuervo(['ask', 'where is the retry limit set, and who reads it?', '--json']);
  });
  afterAll(() => place[Symbol.dispose]());

  it('answers, and exits 0', () => {
    expect(ran.code).toBe(0);
    expect(lineOf(ran, 'run-finished')).toMatchObject({ status: 'ok', exitCode: 0 });
    expect(lineOf(ran, 'answer').mode).toBe('extractive');
  });

  it('says what the answer is, and streams the same text', () => {
    const { text } = lineOf(ran, 'answer');
    expect(text).toMatch(
      /^These are passages near "\w+".*\. Nothing was explained, counted, compared or filtered \(/,
    );
    expect(
      linesOf(ran, 'text')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe(text);
  });

  it('gives evidence that stands in the files exactly so', () => {
    const { evidence } = lineOf(ran, 'answer');
    expect(evidence.length).toBeGreaterThan(1);
    for (const piece of evidence) {
      const lines = readFileSync(join(place.work, piece.path), 'utf8').split('\n');
      expect(piece.text).toBe(lines.slice(piece.line - 1, piece.endLine).join('\n'));
    }
  });

  it('gives the best evidence first', () => {
    const { evidence } = lineOf(ran, 'answer');
    const scores = evidence.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(evidence[0]?.path).toBe('src/retry/retry-policy.ts');
  });

  it('tells in order what it does', () => {
    const types = ran.lines.map(({ type }) => type);
    expect(types[0]).toBe('run-started');
    expect(types[1]).toBe('plan');
    expect(types.slice(-3)).toEqual(['text', 'answer', 'run-finished']);
    const times = ran.lines.map(({ ts }) => ts);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(new Set(ran.lines.map((line) => line.run)).size).toBe(1);
  });

  it('prints the same answer for people, with nothing of it on standard error', async () => {
    const shown = await place.cuervo(['ask', 'where is the tax rate defined?']);
    expect(shown.stdout).toContain('src/billing/invoice_total.py:1');
    expect(shown.stdout).toMatch(/^> +1 TAX_RATE = 0.19$/m);
    expect(shown.stderr).toBe('');
  });

  it('finds the workspace above the current folder', async () => {
    place.write({ '.git/HEAD': 'ref: refs/heads/main\n' });
    const below = await place.cuervo(['ask', 'where is the tax rate defined?', '--json'], {
      cwd: join(place.work, 'docs'),
    });
    expect(lineOf(below, 'run-started').workspace).toBe(place.work);
    expect(lineOf(below, 'answer').evidence[0]?.path).toBe('src/billing/invoice_total.py');
  });

  it('takes the question from standard input', async () => {
    const piped = await place.cuervo(['ask', '-', '--json'], { stdin: 'where is JobQueue?\n' });
    expect(lineOf(piped, 'run-started').question).toContain('where is JobQueue?');
    expect(lineOf(piped, 'answer').evidence[0]?.path).toBe('src/queue/job-queue.ts');
  });
});

describe('ask for what documents and tests say', () => {
  let place: Place;
  beforeAll(() => {
    place = openPlace({
      '.github/CONTRIBUTING.md': '# Contributing\n\nSign the harbour log first.\n',
      '.github/ISSUE_TEMPLATE.md': '# Contributing an issue\n\nSay which harbour.\n',
      '.secret/notes.md': '# Contributing to secrets\n\nNobody reads the harbour.\n',
      'src/Harbour.kt': 'class Harbour\n',
      'src/TestHarbour.kt': 'class Checks\n',
    });
  });
  afterAll(() => place[Symbol.dispose]());

  it('reads documents in .github, and nothing else that is hidden', async () => {
    const { stdout } = await place.cuervo(['ask', 'how do I contribute?']);
    expect(stdout).toContain('.github/CONTRIBUTING.md:1-3');
    expect(stdout).not.toContain('.secret');
    expect(stdout).not.toContain('ISSUE_TEMPLATE');
  });

  it('knows a test by `Test` in front of the name', async () => {
    const { stdout } = await place.cuervo(['ask', 'which tests cover Harbour?']);
    expect(stdout).toContain('src/TestHarbour.kt');
  });
});

it('names what of a question no passage holds, and exits 4 with --strict', async () => {
  using place = openPlace({ 'trip.md': '# Porto\n\nWe fly on 3 May at 07:40 from Basel.\n' });
  const other = 'when does the bus to Basel leave?';
  const plain = await place.cuervo(['ask', other, '--json']);
  expect(plain.code).toBe(0);
  const left = '"bus", "leave" (in no passage)';
  const { text, leftOut } = lineOf(plain, 'answer');
  expect({ first: String(text).split('\n')[0], leftOut }).toEqual({
    first: `Left out: ${left}.`,
    leftOut: [left],
  });
  const strict = await place.cuervo(['ask', '--strict', other]);
  expect([strict.code, strict.stderr.includes(left)]).toEqual([4, true]);
  expect((await place.cuervo(['ask', '--strict', 'when do we fly from Basel?'])).code).toBe(0);
});

describe('ask passes through each part', () => {
  let place: Place;
  let ran: Ran;
  let rows: Record<'runs' | 'steps' | 'host_calls' | 'messages' | 'sessions' | 'memory_wal', Row[]>;
  const question = 'where does the queue keep its jobs?';

  beforeAll(async () => {
    place = openPlace(fixtureRepository);
    ran = await place.cuervo(['ask', question, '--json']);
    const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
    const read = (table: string): Row[] => db.prepare(`SELECT * FROM ${table}`).all() as Row[];
    rows = {
      runs: read('runs'),
      steps: read('steps'),
      host_calls: read('host_calls'),
      messages: read('messages'),
      sessions: read('sessions'),
      memory_wal: read('memory_wal'),
    };
    db.close();
  });
  afterAll(() => place[Symbol.dispose]());

  it('router and planner: the question became a plan whose later step takes from an earlier one', () => {
    const { steps } = lineOf(ran, 'plan');
    expect(steps.map(({ tool }) => tool)).toEqual([
      'search.passages',
      'passages.rank',
      'search.names',
    ]);
    expect(steps[0]?.input).toEqual({ question, regions: true });
    expect(steps[1]).toMatchObject({
      input: { question, found: { $from: 's1', path: '/found' } },
      needs: ['s1'],
    });
  });

  it('policy: the plan names the capability that the plugins hold', () => {
    expect(lineOf(ran, 'plan').capabilities).toEqual([
      { capability: 'fs', detail: 'work', decision: 'allow' },
    ]);
  });

  it('host: each step ran the very binary that the lock names', async () => {
    const lock = JSON.parse(readFileSync(join(root, 'dist/builtin/plugins.lock'), 'utf8')) as {
      plugins: { name: string; sha256: string }[];
    };
    const digests = new Map(lock.plugins.map(({ name, sha256 }) => [name, sha256]));
    const started = linesOf(ran, 'step-started');
    const [search, ranking, names] = ['s1', 's2', 's3'].map((id) =>
      started.find(({ step }) => step === id),
    );
    expect(started.length).toBe(3);
    // The kernel serves it itself.
    expect(ranking).toMatchObject({ tool: 'passages.rank', digest: '' });
    for (const step of [search, names]) {
      if (step === undefined) throw new Error('a step is missing');
      expect(step.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(step.digest).toBe(digests.get(step.plugin));
    }
  });

  it('executor: each step started when the one before it had finished', () => {
    // The names of the question are looked up beside these.
    const order = ran.lines
      .filter(({ type }) => type === 'step-started' || type === 'step-finished')
      .filter((line) => 'step' in line && line.step !== 's3')
      .map((line) => `${line.type} ${'step' in line ? line.step : ''}`);
    expect(order).toEqual([
      'step-started s1',
      'step-finished s1',
      'step-started s2',
      'step-finished s2',
    ]);
  });

  it('journal: the run, its steps and every crossing of the host boundary are kept', () => {
    const { run } = lineOf(ran, 'run-started');
    expect(rows.runs).toMatchObject([
      { id: run, command: 'ask', question, project: place.work, model: 'none', status: 'ok' },
    ]);
    const stepOf = (id: string) => rows.steps.find(({ step }) => step === id);
    expect(['s1', 's2', 's3'].map(stepOf)).toMatchObject([
      { run, step: 's1', tool: 'search.passages', plugin: 'search', status: 'ok', attempts: 1 },
      { run, step: 's2', tool: 'passages.rank', plugin: 'passages', status: 'ok', attempts: 1 },
      { run, step: 's3', tool: 'search.names', plugin: 'search', status: 'ok', attempts: 1 },
    ]);
    // What the second step was asked is kept with its references resolved.
    expect(JSON.parse(String(stepOf('s2')?.input))).toEqual({
      question,
      found: expect.any(String),
    });
    expect(rows.host_calls.length).toBeGreaterThanOrEqual(2);
    expect(new Set(rows.host_calls.map(({ run: of }) => of))).toEqual(new Set([run]));
    expect(rows.host_calls.map(({ call }) => call)).toContain('fs.read-text');
  });

  it('store: the turn stands in a session of the workspace', () => {
    expect(rows.sessions).toMatchObject([{ project: place.work, title: question }]);
    expect(rows.messages).toMatchObject([
      { session: rows.sessions[0]?.id, role: 'user', text: question },
    ]);
    expect(rows.runs[0]?.session).toBe(rows.sessions[0]?.id);
  });

  it('memory: the turn is searched, with the run that it came from', async () => {
    expect(rows.memory_wal.length).toBe(1);
    const found = await place.cuervo(['memory', 'search', 'queue jobs', '--questions', '--json']);
    expect(found.code).toBe(0);
    expect(found.rows[0]).toMatchObject({
      layer: 'interact',
      text: question,
      project: place.work,
      run: lineOf(ran, 'run-started').run,
    });
  });
});

describe('what ask keeps', () => {
  it('is a run for every turn, also of one that runs no step', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['ask', 'remember that releases happen on Thursdays', '--json']);
    const [message] = (await place.cuervo(['session', 'show', '--json'])).rows;
    expect(message?.run).toBe(lineOf(ran, 'run-started').run);
    const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
    expect(db.prepare('SELECT id, status FROM runs').all()).toEqual([
      { id: message?.run, status: 'ok' },
    ]);
    db.close();
  });

  it('is nothing of what is no question', async () => {
    using place = openPlace(fixtureRepository);
    await place.cuervo(['ask', ' ']);
    await place.cuervo(['ask', '-'], { stdin: 'long '.repeat(20_000) });
    expect((await place.cuervo(['session', 'list', '--json'])).rows).toEqual([]);
  });

  it('is the failed run of a question that found nothing, and no message of it', async () => {
    using place = openPlace();
    await place.cuervo(['ask', 'where is the retry limit?']);
    const db = new Database(join(place.home, 'cuervo.db'), { readonly: true });
    expect(db.prepare('SELECT status FROM runs').all()).toEqual([{ status: 'not-found' }]);
    expect(db.prepare('SELECT count(*) AS n FROM messages').get()).toEqual({ n: 0 });
    db.close();
  });
});
