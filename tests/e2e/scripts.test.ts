import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { openMcpClient } from '../support/mcp-client.ts';
import { openPlace } from '../support/place.ts';

const files = { 'a.txt': 'the heron nests in the quarry\n', 'b.txt': 'one colour\n' };
const write = 'tools.file.write({ path: "new.txt", text: "new" })';

describe('cuervo script', () => {
  it('makes calls as steps below its own, and undo takes all of their changes back', async () => {
    using place = openPlace(files);
    const code = `
      const [a, b] = await tools.all([
        { tool: 'file.read', input: { path: 'a.txt' } },
        await tools.file.read({ path: 'b.txt' }),
      ]);
      console.log('heard', input.name);
      ${write};
      tools.file.editLines({ path: 'b.txt', start: 1, end: 1, text: 'one color' });
      return [a.lines, b.lines, tools.find('list files').length > 0];`;
    place.write({ 's.js': code });
    const planned = await place.cuervo(['plan', '--script', 's.js', '{"name":"Ann"}', '--json']);
    const { steps, capabilities } = JSON.parse(planned.stdout);
    expect(steps.map(({ tool }: { tool: string }) => tool)).toEqual([
      'file.read',
      'file.read',
      'file.write',
    ]);
    expect(capabilities).toContainEqual({ capability: 'fs-write', decision: 'ask' });
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);

    const allow = ['--allow', 'fs-write:work'];
    const dry = await place.cuervo(['script', 's.js', '{"name":"Ann"}', '--dry-run', ...allow]);
    expect(dry.stdout).toContain('new.txt');
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);

    const ran = await place.cuervo(['script', 's.js', '{"name":"Ann"}', '--json', ...allow]);
    const events = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ended = events.filter(({ type }) => type === 'step-finished');
    expect(ended.map(({ step }) => step)).toEqual(['s1.1', 's1.2', 's1.3', 's1.4', 's1']);
    const { content } = events.find(({ type }) => type === 'result');
    expect(JSON.parse(content)).toEqual(['the heron nests in the quarry', 'one colour', true]);
    expect(existsSync(join(place.work, 'new.txt'))).toBe(true);
    expect((await place.cuervo(['undo', '--yes'])).stdout).toContain('b.txt');
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
  });

  const one = (code: string) => ({ stdin: code });
  it.each([
    ['an endless loop', 'for (;;);', ['--timeout', '2'], 5, /no answer after 2000 ms/],
    [
      'a million calls',
      'for (let i = 0; i < 1e6; i += 1) tools.find("x")',
      ['--timeout', '120'],
      5,
      /more than 2000 host calls/,
    ],
    [
      'a thousand calls of tools and one more',
      'for (let i = 0; i < 1001; i += 1) tools.shell.parse({ command: "ls" })',
      [],
      5,
      /called 1000 others, limit 1000/,
    ],
    ['itself', 'return tools.script.run({ code: "return 1" })', [], 3, /script.run → script.run/],
    [
      'itself by another tool',
      'return tools.script.read({ code: "return tools.script.run({ code: \'1\' })" })',
      [],
      3,
      /script.run → script.read → script.run/,
    ],
    ['a megabyte of code', `return "${'x'.repeat(1e6)}"`, [], 2, /code: longer than 262144|262144/],
    [
      'two megabytes of result',
      'return "x".repeat(2e6)',
      [],
      5,
      /returned 2000\d+ bytes, limit 1048576/,
    ],
    ['a cycle', 'const a = {}; a.a = a; return a', [], 1, /returned what is not JSON/],
    ['a function', 'return () => 1', [], 1, /returned a function, which is not JSON/],
    ['a thrown text', 'throw "no"', [], 1, /the script threw "no"/],
    [
      'an input that is no object',
      'tools.file.read("a.txt")',
      [],
      2,
      /the input of file.read is not a JSON object/,
    ],
    [
      'no such tool',
      'tools.file.reed({})',
      [],
      4,
      /there is no tool "file.reed" \(Did you mean file.read\?\)/,
    ],
    ['an import', 'await import("node:fs")', [], 1, /no modules to import/],
    [
      'a file',
      'return [typeof require, typeof process, typeof fetch, typeof fs].join()',
      [],
      0,
      /^undefined,undefined,undefined,undefined$/,
    ],
    ['a promise that nothing settles', 'await new Promise(() => {})', [], 1, /nothing can settle/],
  ])('ends %s with one clear error', async (_, code, args, exit, says) => {
    using place = openPlace(files);
    const ran = await place.cuervo(['script', '-', ...args], one(code));
    expect(ran.exitCode).toBe(exit);
    expect(exit === 0 ? ran.stdout.trim() : ran.stderr).toMatch(says);
    expect(ran.stderr.split('\n').filter((line) => line.startsWith('error:'))).toHaveLength(
      exit === 0 ? 0 : 1,
    );
  });

  it('gains nothing by a denial that it tries a thousand times', async () => {
    using place = openPlace(files);
    const tries = `let denied = 0;
      for (let i = 0; i < 1000; i += 1) try { ${write} } catch { denied += 1; }
      return denied;`;
    const ran = await place.cuervo(['script', '-', '--timeout', '100'], one(tries));
    expect([ran.exitCode, ran.stdout]).toEqual([0, '1000\n']);
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    expect((await place.cuervo(['plugin', 'list', '--json'])).stdout).not.toContain(
      'fs-write:work',
    );
  });

  it('gains nothing by games with what it is given, and leaves nothing to the next one', async () => {
    using place = openPlace(files);
    const games = `
      const told = [];
      const attempt = (name, run) => { try { run(); told.push(name); } catch {} };
      attempt('set', () => { 'use strict'; tools.file = 1; });
      attempt('define', () => Object.defineProperty(tools, 'file', { value: 1 }));
      attempt('prototype', () => Object.setPrototypeOf(tools, {}));
      attempt('constructor', () => tools.constructor.constructor('return 1')());
      Object.prototype.granted = true;
      Array.prototype.includes = () => true;
      JSON.stringify = () => '{"path":"new.txt","text":"new"}';
      attempt('write', () => ${write});
      attempt('proto', () => tools.call('__proto__', {}));
      attempt('name', () => tools.call({ toString: () => 'file.write' }, {}));
      return told.join();`;
    const ran = await place.cuervo(['script', '-'], one(games));
    expect(ran).toMatchObject({ exitCode: 0, stdout: '\n' });
    expect(existsSync(join(place.work, 'new.txt'))).toBe(false);
    const next = await place.cuervo(['script', '-'], one('return [{}.granted, [1].includes(2)]'));
    expect(next.stdout).toBe('[null,false]\n');
    // control: the same write with the grant
    const granted = await place.cuervo(['script', '-', '--allow', 'fs-write:work'], one(write));
    expect(granted.exitCode).toBe(0);
    expect(existsSync(join(place.work, 'new.txt'))).toBe(true);
  });
});

describe('a script of a model', () => {
  it('asks before something leaves behind what it read, whatever is granted', async () => {
    using place = openPlace(files);
    const origin = 'http:http://127.0.0.1:9';
    expect((await place.cuervo(['plugin', 'grant', 'web', origin])).exitCode).toBe(0);
    await using kernel = await openKernel({ home: place.home, workspace: place.work });
    const fetch = 'tools.web.fetch({ url: "http://127.0.0.1:9/" })';
    const errorOf = async (code: string, client?: { name: string }) => {
      const options = client === undefined ? {} : { client };
      const said: string[] = [];
      for await (const event of kernel.run('script.run', { code }, options))
        if (event.type === 'error') said.push(event.message);
      return said.join();
    };
    const agent = { name: 'agent' };
    const denial = /a model that read what file.read gave asks for this/;
    const reading = `tools.file.read({ path: 'a.txt' }); return ${fetch}`;
    expect(await errorOf(reading, agent)).toMatch(denial);
    // controls: nothing was read before, or a person wrote the script
    for (const other of [await errorOf(`return ${fetch}`, agent), await errorOf(reading)]) {
      expect(other).not.toMatch(denial);
      expect(other).toContain('127.0.0.1:9');
    }
  });

  it('is one call of an agent, which makes what the connection is served', async () => {
    using place = openPlace(files);
    const args = ['--compact', '--tools', 'script.*', '--tools', 'file.*'];
    await using mcp = await openMcpClient(place, { args });
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'call_tool',
      'describe_tool',
      'find_tools',
      'run_script',
    ]);
    const run = async (code: string) => await mcp.call('run_script', { code });
    const read = await run('return tools.file.read({ path: "a.txt" }).lines');
    expect(read).toMatchObject({ isError: false, text: 'the heron nests in the quarry' });
    const denied = await run(`return ${write}`);
    expect(denied.isError).toBe(true);
    expect(denied.text).toContain('cuervo plugin grant file fs-write:work');
    const unserved = await run('return tools.shell.parse({ command: "ls" })');
    expect(unserved.text).toContain('shell.parse is not served over this connection');
    await using reader = await openMcpClient(place, { args: ['--compact', '--read-only'] });
    const above = await reader.call('run_script', { code: `return ${write}` });
    expect(above.text).toContain('above the effect "read" of script.read');
  });
});
