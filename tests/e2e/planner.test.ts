import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventOf, RunEvent } from '../../src/contracts/events.ts';
import { openKernel } from '../../src/kernel.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';

const questions: Readonly<Record<string, readonly string[]>> = {
  'where is': [
    'Where is the retry limit set?',
    'where are expired tokens exchanged for fresh ones?',
    'where is LruCache used?',
    'Which file reads the configuration?',
    'who calls retryWithBackoff?',
    'where is the tax rate defined?',
  ],
  'how does': [
    'How does the cache decide what to evict?',
    'how are transient failures of a download handled?',
    'How does the job queue keep its order?',
    'what happens when a token expires?',
    'how is the total of an invoice computed?',
    'How does the server answer a request?',
  ],
  list: [
    'List the test files',
    'list the python files',
    'Which files are in src/retry?',
    'list all markdown files in docs',
    'show all files in the src folder',
    'show me the structure of the project',
  ],
  'show me': [
    'Show me retryWithBackoff',
    'show me src/cache/lru-cache.ts',
    'Show lines 3 to 7 of docs/configuration.md',
    'print README.md',
    'show the class JobQueue',
    'open read-config.ts',
  ],
  'what is left to do': [
    'What is left to do?',
    'what is left to do in src/queue?',
    'Which FIXMEs are there?',
    'list the TODOs',
    'what is still unfinished in src/config?',
    'are there any hacks in tests/?',
  ],
};
const all = Object.values(questions).flat();

/** Every fifth question is asked through the process, the rest through the library. */
const throughProcess = new Set(all.filter((_, index) => index % 5 === 0));

type Asked = { question: string; events: RunEvent[] };

describe('planner over thirty questions of five kinds', () => {
  let place: Place;
  let asked: Asked[];

  beforeAll(async () => {
    place = openPlace(fixtureRepository);
    asked = [];
    await using kernel = await openKernel({ workspace: place.work, home: place.home });
    for (const question of all) {
      if (throughProcess.has(question)) {
        asked.push({ question, events: (await place.cuervo(['ask', question, '--json'])).lines });
        continue;
      }
      const events: RunEvent[] = [];
      for await (const event of kernel.ask(question)) events.push(event);
      asked.push({ question, events });
    }
  });
  afterAll(() => place[Symbol.dispose]());

  const plansOf = () =>
    asked.map(({ question, events }) => ({ question, events, ...planOf(events) }));

  it('asks thirty questions, at least five through the process, and answers each', () => {
    expect(all.length).toBe(30);
    expect(throughProcess.size).toBeGreaterThanOrEqual(5);
    const unanswered = asked.filter(({ events }) => !events.some(({ type }) => type === 'answer'));
    expect(unanswered.map(({ question }) => question)).toEqual([]);
  });

  it('makes at least twenty different plans', () => {
    const shapes = new Set(plansOf().map(({ steps }) => JSON.stringify(steps)));
    expect(shapes.size).toBeGreaterThanOrEqual(20);
  });

  it('makes plans of different tools for different kinds', () => {
    const shapes = new Set(plansOf().map(({ steps }) => steps.map(({ tool }) => tool).join(' ')));
    expect(shapes.size).toBeGreaterThanOrEqual(5);
  });

  it('gives at least half of them two or more steps', () => {
    const long = plansOf().filter(({ steps }) => steps.length >= 2);
    expect(long.length).toBeGreaterThanOrEqual(15);
  });

  it('feeds an earlier output into a later step in at least one of four, and it resolves', () => {
    const fed = plansOf().filter(({ steps, events }) => {
      const taking = steps.filter(({ input }) => JSON.stringify(input).includes('"$from"'));
      return taking.some(({ id }) => statusOf(events, id) === 'ok');
    });
    expect(fed.length).toBeGreaterThanOrEqual(8);
  });

  it('declares what a step takes from as what it needs, and finishes every step', () => {
    for (const { steps, events } of plansOf()) {
      for (const step of steps) {
        const sources = [...JSON.stringify(step.input).matchAll(/"\$from":"(\w+)"/g)];
        expect(step.needs).toEqual(expect.arrayContaining(sources.map((match) => match[1])));
        expect(statusOf(events, step.id)).toBeDefined();
      }
    }
  });

  it.each([
    ['Where is the retry limit set?', 'src/retry/retry-policy.ts'],
    ['where is the tax rate defined?', 'src/billing/invoice_total.py'],
    ['How does the cache decide what to evict?', 'src/cache/lru-cache.ts'],
    ['how is the total of an invoice computed?', 'src/billing/invoice_total.py'],
    ['Show me retryWithBackoff', 'src/retry/retry-policy.ts'],
    ['open read-config.ts', 'src/config/read-config.ts'],
    ['what is left to do in src/queue?', 'src/queue/job-queue.ts'],
  ])('answers "%s" with %s first', (question, path) => {
    const answer = answerOf(asked.find((one) => one.question === question)?.events ?? []);
    expect(answer.evidence[0]?.path).toBe(path);
  });

  it.each([
    ['List the test files', ['tests/lru-cache.test.ts', 'tests/retry-policy.test.ts'], 'src/'],
    ['list the python files', ['src/billing/invoice_total.py'], '.ts'],
    ['list all markdown files in docs', ['docs/configuration.md', 'docs/deployment.md'], 'README'],
    ['Which files are in src/retry?', ['src/retry/retry-policy.ts'], 'src/cache'],
  ])('answers "%s" with exactly those files', (question, paths, other) => {
    const { text } = answerOf(asked.find((one) => one.question === question)?.events ?? []);
    for (const path of paths) expect(text).toContain(path);
    expect(text).not.toContain(other);
  });

  it('shows the lines that were asked for, and no others', () => {
    const question = 'Show lines 3 to 7 of docs/configuration.md';
    const { evidence } = answerOf(asked.find((one) => one.question === question)?.events ?? []);
    expect(evidence).toMatchObject([{ path: 'docs/configuration.md', line: 3 }]);
    expect(evidence[0]?.endLine).toBeLessThanOrEqual(7);
  });
});

const hasSandbox =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;
const install = 'needs bubblewrap that may make namespaces: apt-get install bubblewrap';

describe('planner over questions about the history of a repository', () => {
  let place: Place;
  const git = (...args: string[]) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, GIT_CONFIG_NOSYSTEM: '1' };
    const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
    const done = spawnSync('git', [...identity, ...args], { cwd: place.work, env });
    if (done.status !== 0) throw new Error(String(done.stderr));
  };
  const ask = async (question: string, home = place.home) => {
    const events: RunEvent[] = [];
    const warnings: string[] = [];
    await using kernel = await openKernel({
      ...{ workspace: place.work, home },
      onWarning: (warning) => warnings.push(warning),
    });
    for await (const event of kernel.ask(question)) events.push(event);
    return { events, warnings, tools: toolsOf(events) };
  };
  const toolsOf = (events: readonly RunEvent[]) =>
    events.flatMap((event) => (event.type === 'plan' ? event.steps.map(({ tool }) => tool) : []));

  beforeAll(() => {
    place = openPlace(fixtureRepository);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'Carry the first page');
    writeFileSync(join(place.work, 'README.md'), '# Ferry\n\nCarries pages slowly.\n');
  });
  afterAll(() => place[Symbol.dispose]());

  it.skipIf(!hasSandbox).each([
    ['what changed recently?', ['git.log'], ['Ann  Carry the first page']],
    ['show the last commit', ['git.show'], ['Ann  Carry the first page', '+++ b/']],
    ['which branch am I on?', ['git.status', 'git.branches'], ['on branch main', '* main']],
    [
      'what is uncommitted?',
      ['git.status', 'git.diff'],
      ['README.md: modified', '+Carries pages slowly.'],
    ],
    [
      'who wrote retry-policy.ts?',
      ['file.find', 'git.blame', 'git.log'],
      ['by 1 author', 'Carry the first page'],
    ],
  ])(`answers "%s" by git (${install})`, async (question, tools, shown) => {
    const asked = await ask(question);
    expect(asked.tools).toEqual(tools);
    const { text } = answerOf(asked.events);
    for (const line of shown) expect(text).toContain(line);
    expect(asked.warnings).toEqual([]);
  });

  it.each([
    ['what is in sessions?', 'no file was found in a folder sessions, so the text'],
    ['list the python files in docs', 'no file *.py was found in docs, so the text'],
    ['list ruby files in the docs folder', 'no file *.rb was found in docs, so the text'],
  ])('says what is not in the answer to "%s"', async (question, warning) => {
    const { warnings } = await ask(question);
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it.each([
    ['show nothing.ts', 'not-found', 'there is no file nothing.ts in '],
    ['show lines 90 to 99 of README.md', 'invalid-argument', 'start 90 is beyond the end'],
  ])(
    'ends "%s" with an error, and no passages pass for the file',
    async (question, code, message) => {
      const { events } = await ask(question);
      expect(events.find(({ type }) => type === 'error')).toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
    },
  );

  it('names other files of the name that was asked for', async () => {
    using several = openPlace({ 'a/notes.txt': 'one\n', 'b/notes.txt': 'two\n' });
    const ran = await several.cuervo(['ask', 'what is in notes.txt?']);
    expect(ran.stdout).toContain('a/notes.txt:1');
    expect(ran.stderr).toContain('other files called notes.txt: b/notes.txt');
    const one = await several.cuervo(['ask', 'what is in b/notes.txt?']);
    expect(one.stderr).not.toContain('other files');
  });

  it('names the kind that gave nothing, and not a file that was found', async () => {
    const { warnings, tools } = await ask('what imports start-server.ts?');
    expect(tools).toEqual(expect.arrayContaining(['search.imports', 'search.passages']));
    expect(warnings).toEqual([
      expect.stringContaining('read as imports, the question found nothing'),
    ]);
  });

  it('takes the whole path of a file in the workspace', async () => {
    const { events } = await ask(`show ${place.work}/docs/configuration.md:3-5`);
    expect(answerOf(events).evidence).toMatchObject([{ path: 'docs/configuration.md', line: 3 }]);
  });

  it('asks git nothing when the question is about the text', async () => {
    const { tools } = await ask('Where is the retry limit set?');
    expect(tools.filter((tool) => tool.startsWith('git.'))).toEqual([]);
    expect(tools).toContain('search.passages');
  });

  it('says so and searches the text where git may not be asked', async () => {
    const home = join(place.dir, 'denied');
    place.write({ '../denied/config.toml': '[capabilities]\ndeny = ["exec"]\n' });
    const { tools, warnings, events } = await ask(
      'what changed recently in docs/deployment.md?',
      home,
    );
    expect(tools).toEqual(expect.arrayContaining(['git.log', 'search.passages']));
    expect(warnings.join()).toContain('git did not answer, so the text of the files is searched');
    expect(answerOf(events).evidence.length).toBeGreaterThan(0);
  });

  it.each(['größe.md', 'app/(shop)/[slug]/page.ts', '[id].ts', 'src/+page.ts'])(
    'shows a file of an unusual name: %s',
    async (path) => {
      const names = ['größe.md', 'README.md', 'app/(shop)/[slug]/page.ts', 'page.ts', '[id].ts'];
      const files = [...names, 'd.js', 'src/+page.ts'].map((name) => [name, `${name}\n`]);
      using other = openPlace(Object.fromEntries(files));
      await using kernel = await openKernel({ workspace: other.work, home: other.home });
      const events: RunEvent[] = [];
      for await (const event of kernel.ask(`show ${path}`)) events.push(event);
      expect(answerOf(events).evidence).toMatchObject([{ path, text: path }]);
    },
  );

  it('says so where the workspace is a folder of a repository', async () => {
    const warningsOf = async (question: string) => {
      const warnings: string[] = [];
      await using kernel = await openKernel({
        ...{ workspace: join(place.work, 'docs'), home: place.home },
        onWarning: (warning) => warnings.push(warning),
      });
      for await (const _ of kernel.ask(question));
      return warnings;
    };
    expect(await warningsOf('what changed recently?')).toEqual([
      `git is not used because the repository begins above the workspace; ask there with: -w ${place.work}`,
    ]);
    expect(await warningsOf('how does Ferry run?')).toEqual([]);
  });

  it('shows what a link leads to where no file is called so', async () => {
    using other = openPlace({ 'long-name.md': 'the text\n' });
    symlinkSync('long-name.md', join(other.work, 'short.md'));
    const { stdout } = await other.cuervo(['ask', 'show short.md']);
    expect(stdout).toContain('\nshort.md:1\n  1 the text\n');
  });

  it('says so where the workspace is a bare repository', async () => {
    using other = openPlace({ HEAD: 'ref: refs/heads/main\n', 'note.md': 'How many commits?\n' });
    for (const name of ['objects', 'refs']) mkdirSync(join(other.work, name));
    const { stderr } = await other.cuervo(['ask', 'how many commits are there?']);
    expect(stderr).toBe(
      'note: git is not used because the workspace is a bare repository; ask in a clone of it\n',
    );
    const run = await other.cuervo(['run', 'git.log', '{}']);
    expect(run.stderr).toContain(
      'git log: the workspace is a bare repository, which is not supported here; use a clone of it\n',
    );
  });

  it('searches the text where there is no repository', async () => {
    using other = openPlace(fixtureRepository);
    await using kernel = await openKernel({ workspace: other.work, home: other.home });
    const { steps } = await kernel.plan('what changed recently?');
    expect(steps.map(({ tool }) => tool)).toContain('search.passages');
    const { stderr } = await other.cuervo(['ask', 'how many commits are there?']);
    expect(stderr).toContain(
      'note: git is not used because there is no repository here; the text of the files is searched\n',
    );
  });
});

function planOf(events: readonly RunEvent[]): EventOf<'plan'> {
  const plan = events.find((event) => event.type === 'plan');
  if (plan === undefined) throw new Error(`no plan in ${JSON.stringify(events)}`);
  return plan;
}

function answerOf(events: readonly RunEvent[]): EventOf<'answer'> {
  const answer = events.find((event) => event.type === 'answer');
  if (answer === undefined) throw new Error(`no answer in ${JSON.stringify(events)}`);
  return answer;
}

function statusOf(events: readonly RunEvent[], step: string): string | undefined {
  return events.find(
    (event): event is EventOf<'step-finished'> =>
      event.type === 'step-finished' && event.step === step,
  )?.status;
}
