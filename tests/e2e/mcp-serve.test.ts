import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eras, type McpClient, openMcpClient } from '../support/mcp-client.ts';
import { openPlace, type Place } from '../support/place.ts';

const files = {
  'a.txt': 'the heron nests in the quarry\n',
  'src/limits.ts': 'export const retryLimit = 3;\n',
};
const direct = ['--tools', 'file.*', '--tools', 'search.grep', '--tools', 'shell.run'];
const own = [
  '--tools',
  'runs',
  '--tools',
  'undo',
  '--tools',
  'ask',
  '--tools',
  'plan',
  '--tools',
  'memory_*',
];
const key = ['AKIA', 'IOSFODNN7', 'EXAMPLF'].join('');

function configure(place: Place, text: string): void {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  writeFileSync(join(place.home, 'config.toml'), text);
}

const grantOf = (text: string) => /cuervo plugin grant \S+ (\S+)/.exec(text)?.[1];

/** Each answer is to a request that was sent, and only one. */
function expectPaired({ messages }: McpClient): void {
  const asked = messages.filter(
    ({ from, body }) => from === 'client' && 'method' in body && 'id' in body,
  );
  const answered = messages.filter(({ from, body }) => from === 'server' && !('method' in body));
  const ids = answered.map(({ body }) => body.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(asked.map(({ body }) => body.id)).toContain(id);
  for (const { body } of messages) expect(body.jsonrpc).toBe('2.0');
}

describe.each(eras)('cuervo mcp serve with a client of %s', (era) => {
  it('says beside a result what was not read', async () => {
    using place = openPlace({ ...files, 'plan.odt': new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]) });
    await using mcp = await openMcpClient(place, { era, args: direct });
    const { content } = (await mcp.client.callTool({
      name: 'search_grep',
      arguments: { pattern: 'heron' },
    })) as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ files: 1 });
    expect(content[1]).toEqual({ type: 'text', text: 'not read: 1 odt' });
  });

  it('is a session as an agent has it: list, call, denied, asked, write, undo', async () => {
    using place = openPlace(files);
    configure(place, '[clients.tests]\nanswers = "once"\n');
    const questions: string[] = [];
    const answer = (message: string) => {
      questions.push(message);
      return { answer: questions.length === 1 ? 'no' : 'once' };
    };
    await using mcp = await openMcpClient(place, { era, args: [...direct, ...own], answer });
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(era);

    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search_grep');
    for (const { name, annotations, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_-]{1,40}$/);
      expect(inputSchema.type).toBe('object');
      expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.file_read).toMatchObject({
      readOnlyHint: true,
      destructiveHint: false,
      openWorldHint: false,
    });
    expect(hints.file_write).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hints.shell_run).toMatchObject({ readOnlyHint: false, openWorldHint: true });

    const found = await mcp.call('search_grep', { pattern: 'heron' });
    expect(JSON.parse(found.text)).toMatchObject({ matches: [{ path: 'a.txt', line: 1 }] });

    const denied = await mcp.call('file_write', { path: 'b.txt', text: 'new\n' });
    expect(denied.isError).toBe(true);
    expect(grantOf(denied.text)).toBe('fs-write:work');
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain('may this change be made?');
    expect(questions[0]).toContain('b.txt');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);

    const written = await mcp.call('file_write', { path: 'b.txt', text: 'new\n' });
    expect(written.isError).toBe(false);
    expect(questions).toHaveLength(2);
    expect(readFileSync(join(place.work, 'b.txt'), 'utf8')).toBe('new\n');

    const { runs } = JSON.parse((await mcp.call('runs')).text) as {
      runs: { question: string; status: string }[];
    };
    expect(runs.map(({ question, status }) => [question, status])).toEqual([
      ['file.write for tests', 'ok'],
      ['file.write for tests', 'permission-denied'],
      ['search.grep for tests', 'ok'],
    ]);
    const undone = await mcp.call('undo');
    expect(JSON.parse(undone.text)).toMatchObject({ paths: ['b.txt'] });
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);

    const again = await mcp.call('file_read', { path: 'a.txt' });
    expect(again.isError).toBe(false);
    expectPaired(mcp);
    expect(mcp.stderr()).toBe('');
  });

  it('answers fifty calls at once, each with its own result', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`f${at}.txt`, `text ${at}\n`]),
    );
    using place = openPlace(many);
    await using mcp = await openMcpClient(place, { era, args: direct });
    const texts = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, at) => (await mcp.call('file_read', { path: `f${at}.txt` })).text,
      ),
    );
    for (const [at, text] of texts.entries()) expect(JSON.parse(text).lines).toBe(`text ${at}`);
    expectPaired(mcp);
  });

  it('serves other calls, and asks about them, while a question has no answer', async () => {
    using place = openPlace(files);
    configure(place, '[clients.tests]\nanswers = "once"\n[mcp]\ncalls-at-once = 1\n');
    const asked = Promise.withResolvers<void>();
    const read = Promise.withResolvers<void>();
    const answer = async (message: string) => {
      if (!message.includes('slow.txt')) return { answer: 'once' };
      asked.resolve();
      await read.promise;
      return { answer: 'once' };
    };
    await using mcp = await openMcpClient(place, { era, args: direct, answer });
    const write = (path: string) => mcp.call('file_write', { path, text: 'new\n' });
    const slow = write('slow.txt');
    await asked.promise;
    expect((await mcp.call('file_read', { path: 'a.txt' })).text).toContain('heron');
    expect(await write('fast.txt')).toMatchObject({ isError: false });
    expect(existsSync(join(place.work, 'slow.txt'))).toBe(false);
    read.resolve();
    expect(await slow).toMatchObject({ isError: false });
    expect(existsSync(join(place.work, 'slow.txt'))).toBe(true);
  });

  it('keeps secrets from results, errors, questions and long outputs, and takes no stand-in for one', async () => {
    const long = `${'a line that is long enough\n'.repeat(400)}aws ${key}\n`;
    using place = openPlace({ 'k.txt': `aws ${key} ${'x'.repeat(20)}\n`, 'long.txt': long });
    configure(place, '[limits]\nmax-output-bytes = 5000\n[clients.tests]\nanswers = "once"\n');
    const questions: string[] = [];
    const answer = (message: string) => {
      questions.push(message);
      return { answer: 'once' };
    };
    await using mcp = await openMcpClient(place, { era, args: direct, answer });
    const read = await mcp.call('file_read', { path: 'k.txt' });
    expect(read.text).toContain('[redacted: aws-access-key]');
    expect((await mcp.call('file_read', { path: `${key}.txt` })).isError).toBe(true);
    const whole = await mcp.call('file_read', { path: 'long.txt' });
    const link = (whole.whole.content as { type: string; uri?: string }[]).find(
      ({ type }) => type === 'resource_link',
    );
    const { contents } = await mcp.client.readResource({ uri: link?.uri ?? '' });
    expect((contents[0] as { text: string }).text.length).toBeGreaterThan(10_000);
    expect((await mcp.client.listResources()).resources).toHaveLength(1);
    await mcp.call('file_write', { path: 'copy.txt', text: `again ${key}` });
    expect(questions).toHaveLength(1);
    const fromServer = mcp.messages.filter(({ from }) => from === 'server');
    expect(fromServer.length).toBeGreaterThan(5);
    expect(JSON.stringify(fromServer)).not.toContain(key);
    // The control: without a guard the same file would show it.
    expect((await place.cuervo(['run', 'file.read', 'path=k.txt'])).stdout).toContain(key);
  });

  it('tells of progress and ends the program of a call that is canceled', async () => {
    using place = openPlace();
    await using mcp = await openMcpClient(place, {
      era,
      args: [...direct, '--allow', 'exec:sleep'],
    });
    const controller = new AbortController();
    const told: string[] = [];
    const call = mcp.call(
      'shell_run',
      { command: 'sleep 0.1; sleep 100' },
      {
        signal: controller.signal,
        onprogress: ({ message = '' }) => {
          told.push(message);
          if (told.length === 2) controller.abort();
        },
      },
    );
    await expect(call).rejects.toThrow();
    expect(told).toHaveLength(2);
    await expect.poll(async () => JSON.parse((await mcp.call('file_list', {})).text)).toBeDefined();
    await expect
      .poll(async () => (await place.cuervo(['runs', 'list', '--json'])).stdout)
      .toContain('"status":"canceled"');
  });

  it('answers questions with passages, and remembers only with a yes', async () => {
    using place = openPlace(files);
    configure(place, '[clients.tests]\nanswers = "once"\n');
    const questions: string[] = [];
    const answer = (message: string) => {
      questions.push(message);
      return { answer: 'yes' };
    };
    await using mcp = await openMcpClient(place, { era, args: own, answer });
    const asked = JSON.parse(
      (await mcp.call('ask', { question: 'where is the retry limit set?' })).text,
    );
    expect(asked.passages[0]).toMatchObject({ path: 'src/limits.ts', line: 1 });
    const act = await mcp.call('ask', { question: 'remember that releases happen on Mondays' });
    expect(act).toMatchObject({ isError: true });
    const kept = await mcp.call('memory_remember', { text: 'releases happen on Fridays' });
    expect(kept.isError).toBe(false);
    expect(questions).toEqual(['tests wants to remember "releases happen on Fridays". Keep it?']);
    const { hits } = JSON.parse((await mcp.call('memory_search', { query: 'release day' })).text);
    expect(hits.map(({ text }: { text: string }) => text)).toContain('releases happen on Fridays');
    expect(JSON.stringify(hits)).not.toContain('Mondays');
  });
});

describe('cuervo mcp serve', () => {
  it('lets a client replace its own fact, and never one of the person or of another client', async () => {
    using place = openPlace(files);
    configure(place, '[clients.tests]\nanswers = "once"\n[clients.other]\nanswers = "once"\n');
    await place.cuervo(['ask', 'remember that the heron nests in the quarry']);
    const answer = () => ({ answer: 'yes' });
    const own = { text: 'releases happen on Fridays' };
    {
      await using mcp = await openMcpClient(place, { args: ['--tools', 'memory_*'], answer });
      expect(await mcp.call('memory_remember', own)).toMatchObject({ isError: false });
      const replaces = 'the heron nests in the quarry';
      const denied = await mcp.call('memory_remember', { text: 'the heron left', replaces });
      expect(denied).toMatchObject({ isError: true });
      expect(denied.text).toContain('a client replaces only its own');
    }
    const newer = { text: 'releases happen on Mondays', replaces: own.text };
    await using other = await openMcpClient(place, {
      args: ['--tools', 'memory_*'],
      answer,
      name: 'other',
    });
    expect(await other.call('memory_remember', newer)).toMatchObject({ isError: true });
    await using mcp = await openMcpClient(place, { args: ['--tools', 'memory_*'], answer });
    expect(await mcp.call('memory_remember', newer)).toMatchObject({ isError: false });
    const { stdout } = await place.cuervo(['memory', 'list', '--kind', 'fact']);
    expect(stdout).toContain('the heron nests in the quarry');
  });

  it('lists four tools in place of many, which find, call and script the others', async () => {
    using place = openPlace(files);
    await using mcp = await openMcpClient(place);
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'call_tool',
      'describe_tool',
      'find_tools',
      'run_script',
    ]);
    const { text } = await mcp.call('find_tools', { query: 'lines that hold a word' });
    expect(JSON.parse(text).tools.map(({ name }: { name: string }) => name)).toContain(
      'search_grep',
    );
    const described = await mcp.call('describe_tool', { name: 'search_grep' });
    expect(JSON.parse(described.text).inputSchema.properties).toHaveProperty('pattern');
    const called = await mcp.call('call_tool', {
      name: 'search_grep',
      input: { pattern: 'heron' },
    });
    expect(JSON.parse(called.text).matches).toHaveLength(1);
    expect((await mcp.call('call_tool', { name: 'search_grap', input: {} })).text).toContain(
      'search_grep',
    );
  });

  it('serves with --read-only nothing that changes or sends anything', async () => {
    using place = openPlace(files);
    await using mcp = await openMcpClient(place, {
      args: ['--read-only', '--tools', 'file.*', '--tools', 'undo'],
    });
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('file_read');
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    await expect(mcp.call('file_write', { path: 'b', text: 'b' })).rejects.toThrow('file_write');
  });

  it('asks nobody through a client that config.toml does not name', async () => {
    using place = openPlace(files);
    configure(place, '[clients.others]\nanswers = "session"\n');
    const questions: string[] = [];
    const answer = (message: string) => {
      questions.push(message);
      return { answer: 'once' };
    };
    await using mcp = await openMcpClient(place, { args: direct, answer });
    const denied = await mcp.call('file_write', { path: 'b.txt', text: 'new\n' });
    expect(denied).toMatchObject({ isError: true });
    expect(grantOf(denied.text)).toBe('fs-write:work');
    expect(questions).toEqual([]);
    // The control: the same call with the grant.
    await place.cuervo(['plugin', 'grant', 'file', 'fs-write:work']);
    expect(await mcp.call('file_write', { path: 'b.txt', text: 'new\n' })).toMatchObject({
      isError: false,
    });
  });

  it('holds an answer for the session as long as the connection, and writes no grant', async () => {
    using place = openPlace({ ...files, '.vscode/settings.json': '{}' });
    configure(place, '[clients.tests]\nanswers = "session"\n');
    const questions: string[] = [];
    const answer = (message: string) => {
      questions.push(message);
      return { answer: 'session' };
    };
    for (const count of [1, 2]) {
      await using mcp = await openMcpClient(place, { args: direct, answer });
      for (const path of ['b.txt', 'c.txt'])
        expect(await mcp.call('file_write', { path, text: `${count}\n` })).toMatchObject({
          isError: false,
        });
      expect(questions).toHaveLength(count);
    }
    // A file that another program runs is not a matter for a client, whatever was answered.
    await using mcp = await openMcpClient(place, { args: direct, answer });
    const denied = await mcp.call('file_write', {
      path: '.vscode/tasks.json',
      text: '{}\n',
    });
    expect(denied).toMatchObject({ isError: true });
    expect(existsSync(join(place.work, '.vscode/tasks.json'))).toBe(false);
    expect(questions.filter((text) => text.includes('tasks.json'))).toEqual([]);
    expect((await place.cuervo(['plugin', 'grants'])).stdout).not.toContain('fs-write');
  });

  it('undoes no run of a person or of another connection', async () => {
    using place = openPlace(files);
    await place.cuervo([
      'run',
      'file.write',
      'path=mine.txt',
      'text=mine',
      '--allow',
      'fs-write:work',
    ]);
    const [run = ''] = /\w{16,}/.exec((await place.cuervo(['undo', '--list'])).stdout) ?? [];
    await using mcp = await openMcpClient(place, {
      args: [...direct, ...own, '--allow', 'fs-write:work'],
    });
    expect(await mcp.call('undo')).toMatchObject({ isError: true });
    expect(await mcp.call('undo', { run })).toMatchObject({ isError: true });
    expect(existsSync(join(place.work, 'mine.txt'))).toBe(true);
    await mcp.call('file_write', { path: 'own.txt', text: 'own' });
    expect(await mcp.call('undo')).toMatchObject({ isError: false });
    expect(existsSync(join(place.work, 'own.txt'))).toBe(false);
  });

  it('makes runs that a person lists, looks at and undoes', async () => {
    using place = openPlace(files);
    await using mcp = await openMcpClient(place, { args: [...direct, '--allow', 'fs-write:work'] });
    await mcp.call('file_write', { path: 'b.txt', text: 'new\n' });
    const listed = await place.cuervo(['runs', 'list', '--json']);
    const { run, ...row } = listed.rows[0] as Record<string, string>;
    expect(row).toMatchObject({ command: 'mcp', question: 'file.write for tests', status: 'ok' });
    expect((await place.cuervo(['runs', 'diff', run ?? ''])).stdout).toContain('+new');
    const applied = await place.cuervo(['apply', run ?? '', '--yes']);
    expect([applied.code, applied.stderr]).toEqual([4, expect.stringContaining('no dry run')]);
    expect((await place.cuervo(['undo', run ?? '', '--yes'])).stdout).toContain('b.txt');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    expect((await mcp.call('file_read', { path: 'b.txt' })).isError).toBe(true);
  });

  it('works on a copy with --dry-run, of which apply makes all changes at once', async () => {
    using place = openPlace(files);
    const args = [...direct, ...own, '--dry-run', '--allow', 'fs-write:work'];
    await using mcp = await openMcpClient(place, { args });
    const edit = { path: 'a.txt', text: 'the jay\n' };
    for (const input of [edit, { path: 'b.txt', text: 'new\n' }])
      expect(await mcp.call('file_write', input)).toMatchObject({ isError: false });
    expect((await mcp.call('file_read', { path: 'a.txt' })).text).toContain('the jay');
    expect(await mcp.call('undo')).toMatchObject({ isError: true });
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).not.toContain('jay');
    await mcp[Symbol.asyncDispose]();
    const listed = await place.cuervo(['apply', '--list']);
    expect(listed.stdout).toMatch(/^\S+ {2}just now {6}mcp file\.write for tests\n$/);
    const applied = await place.cuervo(['apply', '--yes', '--json']);
    expect(applied.rows).toMatchObject([{ paths: ['a.txt', 'b.txt'], left: [] }]);
    expect(readFileSync(join(place.work, 'a.txt'), 'utf8')).toBe('the jay\n');
    expect((await place.cuervo(['undo', '--yes'])).code).toBe(0);
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
  });

  it('leaves a journal that says so when it is killed in the middle, and no program', async () => {
    using place = openPlace();
    const mcp = await openMcpClient(place, { args: [...direct, '--allow', 'exec:sleep'] });
    const started = Promise.withResolvers<void>();
    const call = mcp.call(
      'shell_run',
      { command: 'sleep 100' },
      { onprogress: () => started.resolve() },
    );
    const failed = expect(call).rejects.toThrow();
    await started.promise;
    process.kill(mcp.pid(), 'SIGKILL');
    await failed;
    const listed = await place.cuervo(['runs', 'list', '--json']);
    const [run] = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(run).toMatchObject({ command: 'mcp', question: 'shell.run for tests' });
    expect(run.status).not.toBe('ok');
  });
});
