import { describe, expect, it } from 'vitest';
import { ownTools, toolOf } from '../../tests/fixtures/tool-of.ts';
import type { AskIntent } from '../contracts/intent.ts';
import type { Tool } from '../contracts/tool.ts';
import { checkPlan } from '../planner/check-plan.ts';
import { planIntent, planWider as widen } from './plan-intent.ts';
import { readIntent } from './read-intent.ts';

const read = (question: string, tools: readonly Tool[]): AskIntent => {
  const intent = readIntent(question, tools);
  if (intent.kind !== 'ask') throw new Error(`"${question}" is read as a ${intent.kind}`);
  return intent;
};
const planQuestion = (
  question: string,
  tools: readonly Tool[],
  options: { repository?: boolean } = {},
) => planIntent(read(question, tools), { tools, repository: false, ...options });
const planWider = (question: string, tools: readonly Tool[]) => widen(read(question, tools), tools);

const toolsOf = (question: string, tools = ownTools): string[] =>
  planQuestion(question, tools).map(({ tool }) => tool);

const ranked = ['search.passages', 'passages.rank'];
/** A section may be about the little that is named. */
const headed = ['search.passages', 'search.names'];

describe('planIntent()', () => {
  it.each([
    ['where is the retry limit set?', [...ranked, 'search.names']],
    ['where is maxRetries set?', [...ranked, 'search.grep', 'search.names']],
    ['how does the cache of old entries evict?', [...ranked, 'search.names']],
    ['how does the cache evict?', [...ranked, ...headed]],
    ['list the test files', ['file.find', 'file.stat']],
    ['show the structure of the project', ['file.tree']],
    ['show me LruCache', ['search.definition', 'search.references']],
    ['how do I run the tests?', ['search.manifest', 'search.passages']],
    ['which version is this?', ['search.manifest']],
    ['compare Indent and Compact', ['search.definition', 'search.definition', 'search.passages']],
    ['what is this?', ['file.find', 'file.read', 'search.manifest', 'file.tree']],
    ['list all exceptions', ['search.grep']],
    ['show README.md', ['file.find', 'file.read']],
    ['what is left to do?', ['search.todos', 'search.grep', 'file.find']],
    ['who calls openFile?', ['search.references']],
    ['what imports src/lib?', ['file.find', 'search.imports', 'search.grep']],
    ['list all subcommands', ['search.grep', 'file.read', 'search.grep']],
    ['which classes extend Store?', ['search.symbols']],
    ['which tests cover openFile?', ['file.find', 'search.references', 'search.grep']],
    ['what imports src/store.ts?', ['file.find', 'search.imports']],
    ['which functions are the most complex?', ['search.complexity']],
    ['what is the largest file?', ['file.stat', 'file.stat']],
    ['what does src/store.ts do?', ['file.find', 'file.read', 'search.symbols']],
    ['which methods does Store have?', ['search.symbols']],
    ['which port does it listen on?', ['search.values', ...ranked, 'search.names']],
    [
      'which themes are available?',
      [
        ...['search.grep', 'file.read', 'file.find', 'file.find', 'search.symbols'],
        ...[...ranked, 'search.names'],
      ],
    ],
  ])('plans "%s"', (question, tools) => {
    expect(toolsOf(question)).toEqual(tools);
  });

  it('feeds what an earlier step finds into a later one, and needs it', () => {
    const [, read] = planQuestion('show README.md', ownTools);
    expect(read).toMatchObject({
      input: { path: { $from: 's1', path: '/paths/0' } },
      needs: ['s1'],
    });
  });

  it.each([
    ['export const exitCodes: Readonly<Record<Code, number>> = {', true],
    ['EXIT_CODES = {', true],
    ["const exitStatuses = ['ok', 'failed'];", true],
    ['enum ExitCode {', true],
    ['  let exitCode = 0;', false],
    ['  process.exitCode = run.exitCode;', false],
    ['const { exitCode } = { ...ran };', false],
  ])('reads a table of exit codes as a whole: %s', (line, isTable) => {
    const [find] = planQuestion('what are the exit codes?', ownTools);
    expect(new RegExp(String(find?.input.pattern)).test(line)).toBe(isTable);
  });

  it.each([
    ['export type DatabaseType =', true],
    ["type Database = 'a' | 'b';", true],
    ['enum DatabaseKind {', true],
    ['type Database = {', false],
    ['type DatabaseUrl = string;', false],
  ])('takes a union for what is supported: %s', (line, isList) => {
    const steps = planQuestion('which databases are supported?', ownTools);
    expect(new RegExp(String(steps[0]?.input.pattern)).test(line)).toBe(isList);
    expect(steps).toContainEqual(
      expect.objectContaining({ input: expect.objectContaining({ documents: true }) }),
    );
  });

  it('reads what says what a folder is for, and nothing from the folders below it', () => {
    const workspace = {
      path: '/w',
      hasFolder: (path: string) => path === 'crypto/tls',
      folderCalled: () => undefined,
    };
    const intent = readIntent('what does the crypto/tls package do?', ownTools, workspace);
    const [find] = planIntent(intent as AskIntent, { tools: ownTools, repository: false });
    const pattern = expect.stringMatching(/^\/\{README\*,.*__init__\.py,.*,tls\.\{go,/);
    expect(find).toMatchObject({ tool: 'file.find', input: { pattern, path: 'crypto/tls' } });
  });

  it.each([
    ['what changed in the billing part recently?', { topic: ['billing'], limit: 15 }],
    ['when was dark mode added?', { topic: ['dark', 'mode'], oldest: true }],
    ['when was --quiet added?', { topic: ['quiet'], oldest: true }],
  ])('asks git about a topic in messages and paths: %s', (question, input) => {
    const tools = [...ownTools, toolOf('git.log'), toolOf('git.show')];
    const [find, log] = planQuestion(question, tools, { repository: true });
    expect(find).toMatchObject({ tool: 'file.find', input: { pattern: input.topic.join(' ') } });
    expect(log).toMatchObject({
      tool: 'git.log',
      input: { ...input, paths: { $from: 's1', path: '/paths' } },
    });
  });

  it('takes lines that were asked for', () => {
    expect(planQuestion('show lines 3 to 7 of a.md', ownTools)[1]?.input).toMatchObject({
      start: 3,
      end: 7,
    });
    expect(planQuestion('show line 12 of a.md', ownTools)[1]?.input).toMatchObject({
      start: 12,
      end: 12,
    });
    expect(planQuestion('show src/a.ts:3-7', ownTools)[1]?.input).toMatchObject({
      start: 3,
      end: 7,
    });
    const [, read] = planQuestion('show src/a.ts:12:5 at port:80', ownTools);
    expect(read?.input).toMatchObject({ around: 12 });
  });

  it('looks up a name as a definition, and what is none as it is written', () => {
    const [shown] = planQuestion('show me openFile', ownTools);
    expect(shown).toMatchObject({ tool: 'search.definition', input: { name: 'openFile' } });
    const [runner] = planQuestion('show the class Runner', ownTools);
    expect(runner).toMatchObject({ tool: 'search.definition', input: { name: 'Runner' } });
    expect(planQuestion('show the function that does it', ownTools)[0]?.tool).toBe(
      'search.passages',
    );
    expect(planQuestion('show me the packages folder', ownTools)[0]).toMatchObject({
      tool: 'file.find',
      input: { path: 'packages' },
    });
    const [grep, around] = planQuestion('show me `a+b(c`', ownTools);
    expect(grep).toMatchObject({
      tool: 'search.grep',
      input: { pattern: 'a+b(c', literal: true },
    });
    expect(around?.input).toMatchObject({ path: { $from: 's1', path: '/matches/0/path' } });
  });

  it('looks for an enum or a list that has the name of what there is', () => {
    const [grep] = planQuestion('which formats are supported?', ownTools);
    const pattern = new RegExp(String(grep?.input.pattern));
    const taken = ['enum Format {', 'pub enum OutFormat {', 'class Format(str, Enum):'];
    const lists = ['var Formats = []*Format{', 'OUT_FORMATS = [', 'formats = ('];
    for (const line of [...taken, ...lists]) expect(line).toMatch(pattern);
    const left = ['class Format(Base):', 'REFORMATS = [', 'format = [', 'formats = 3'];
    for (const line of left) expect(line).not.toMatch(pattern);
  });

  it('looks for exit codes in enums of any language', () => {
    const [grep] = planQuestion('which exit codes are there?', ownTools);
    const pattern = new RegExp(String(grep?.input.pattern));
    for (const line of ['class ExitStatus(IntEnum):', 'pub enum ExitCode {'])
      expect(line).toMatch(pattern);
    expect('class ExitDoor:').not.toMatch(pattern);
  });

  it('looks for tables of commands in C', () => {
    const [grep] = planQuestion('which commands are there?', ownTools);
    const pattern = new RegExp(String(grep?.input.pattern));
    for (const line of [
      'const struct cmd_entry *cmd_table[] = {',
      'static struct cmd commands[] = {',
    ])
      expect(line).toMatch(pattern);
    expect('char command[] = "ls";').not.toMatch(pattern);
  });

  it('looks for the heading of a version, and not for its line of contents', () => {
    const [grep] = planQuestion('what changed in 1.2.3?', ownTools);
    const pattern = new RegExp(String(grep?.input.pattern));
    for (const line of [
      '## [1.2.3] - 2026',
      '# Changelog for kit 1.2.3 (2026)',
      'Version 1.2.3',
      'CHANGES FROM 1.2.2 TO 1.2.3',
    ])
      expect(line).toMatch(pattern);
    for (const line of [
      '* [Changelog for 1.2.3](#changelog-123)',
      '## 1.2.30',
      'CHANGES FROM 1.2.3 TO 1.2.4',
      '## 1.2.3a',
      '* Bump x to 1.2.3',
    ])
      expect(line).not.toMatch(pattern);
  });

  it('looks for a flag as code and as people write it', () => {
    const [grep] = planQuestion('what does the --force flag do?', ownTools);
    expect(grep?.tool).toBe('search.grep');
    const pattern = new RegExp(String(grep?.input.pattern));
    for (const line of ['pass --force to it', 'add_argument("--force")', 'flag("force", false)'])
      expect(line).toMatch(pattern);
    for (const line of ['--force-reinstall', 'the force of it', '"enforce",'])
      expect(line).not.toMatch(pattern);
  });

  it('calls only tools that there are', () => {
    const only = ownTools.filter(({ plugin }) => plugin === 'file');
    for (const question of ['show LruCache', 'what is left to do?', 'where is it?', 'list files']) {
      const plan = planQuestion(question, only);
      expect(plan.every(({ tool }) => tool.startsWith('file.'))).toBe(true);
      expect(() => checkPlan({ steps: plan, capabilities: [] })).not.toThrow();
    }
  });

  it('keeps references right when a step before them falls away', () => {
    const only = ownTools.filter(({ name }) => name !== 'search.todos');
    expect(planQuestion('what is left to do?', only)).toMatchObject([
      { id: 's1', tool: 'search.grep', needs: [] },
      { id: 's2', tool: 'file.find', needs: [] },
    ]);
    expect(
      planQuestion(
        'how does it work?',
        ownTools.filter(({ plugin }) => plugin === 'file'),
      ),
    ).toEqual([]);
  });

  it('adds a tool of another plugin when the question plainly speaks of it', () => {
    const count = toolOf('wordcount.count', {
      description: 'Number of words in a text.',
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
    const plan = planQuestion('count the words in the text "one two"', [...ownTools, count]);
    expect(plan.at(-1)).toMatchObject({ tool: 'wordcount.count', input: { text: 'one two' } });
    expect(toolsOf('where is the retry limit set?', [...ownTools, count])).not.toContain(
      'wordcount.count',
    );
  });

  it('numbers steps without a gap, with the effect of their tools', () => {
    const steps = planQuestion('how does it work?', [
      toolOf('search.passages', { effect: 'external' }),
      ...ownTools.filter(({ name }) => name !== 'search.passages'),
    ]);
    expect(steps.map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4']);
    expect(steps[0]?.effect).toBe('external');
  });
});

describe('the plan for things that are listed', () => {
  const [step] = planQuestion('which log levels are there?', ownTools);
  const isList = (line: string): boolean => new RegExp(String(step?.input.pattern)).test(line);

  it.each([
    ...['const DEFAULT_LEVELS = {', 'export const LEVELS: readonly string[] = [', 'LEVELS = {'],
    ...["levels = ('a', 'b')", 'var levels = map[string]int{', 'pub(crate) enum LogLevel {'],
    ...['  public enum Level implements Named {', 'export const levels = Object.freeze({'],
    'pub const LEVELS: &[&str] = &["a", "b"];',
  ])('looks for an enum or a constant of them: %s', (line) => expect(isList(line)).toBe(true));

  it.each(['const levels = getLevels();', 'const levels = {};', '  levels = [', 'levels == [1'])(
    'leaves what lists none: %s',
    (line) => expect(isList(line)).toBe(false),
  );
});

describe('planWider()', () => {
  it('lists what a folder called modules holds where no manifest names any', () => {
    const steps = planWider('list the modules', ownTools);
    expect(steps).toContainEqual(
      expect.objectContaining({
        ...{ tool: 'file.find', input: { pattern: '**/{modules,module}/**', limit: 200 } },
      }),
    );
  });

  it.each([
    ['list the closed files', [...ranked, ...headed]],
    ['which files import openFile?', ['search.references', ...ranked]],
    ['how do I use it from IntelliJ?', ['search.passages', ...ranked]],
    ['show me README.nothing', []],
    ['where is the retry limit set?', []],
    ['how does the cache evict?', []],
    ['what is left to do?', []],
  ])(
    'searches passages where the plan did not, and nothing was asked that may be none: %s',
    (question, expected) => {
      expect(planWider(question, ownTools).map(({ tool }) => tool)).toEqual(expected);
    },
  );

  it('asks for the commits before the newest tag where no file tells of changes', () => {
    const tools = [...ownTools, toolOf('git.branches'), toolOf('git.log')];
    expect(planWider('what changed in the latest release?', tools)).toMatchObject([
      { tool: 'git.branches', input: { tags: true } },
      { tool: 'git.log', input: { from: { $from: 's1', path: '/tags/0/name' } } },
    ]);
  });
});
