import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';
import { exactAdder } from '../support/wat-world.ts';

const usageOf = (tool: string) => `See what it takes with: cuervo tools ${tool}`;
const lookAgain = (tool: string) =>
  `Check what it works on; see what it takes with: cuervo tools ${tool}`;

describe('what to type next', () => {
  it.each([
    ['a file that is not there', 'file.read', '{"path":"none"}', 4, usageOf('file.read')],
    ['a path that is absolute', 'file.read', '{"path":"/etc/passwd"}', 2, usageOf('file.read')],
    ['a pattern that is none', 'search.grep', '{"pattern":"("}', 2, usageOf('search.grep')],
    ['a folder without git', 'git.log', '{}', 4, usageOf('git.log')],
    [
      'an edit of what stands there twice',
      'file.edit',
      '{"path":"a.txt","old":"one","new":"two"}',
      8,
      lookAgain('file.edit'),
    ],
  ])('names the tool: %s', async (_, tool, input, code, hint) => {
    using place = openPlace({ 'a.txt': 'one one\n' });
    const allow = ['--allow', 'fs-write:work', '--allow', 'exec:git'];
    const ran = await place.cuervo(['run', tool, '-', ...allow], { stdin: input });
    expect({ code: ran.code, hint: twoLines(ran).hint }, ran.stderr).toEqual({ code, hint });
  });

  it('names the file of a plugin that is cut off', async () => {
    using place = openPlace();
    const file = join(place.work, 'cut.wasm');
    writeFileSync(file, new Uint8Array([0, 0x61, 0x73, 0x6d, 13, 0, 1, 0, 1, 90]));
    const ran = await place.cuervo(['plugin', 'install', 'cut.wasm', '--yes']);
    expect(ran.code).toBe(6);
    expect(twoLines(ran).error).toMatch(/^cut\.wasm is refused: /);
    expect(twoLines(ran).hint).toBe('See all of it with: cuervo plugin inspect cut.wasm');
  });

  it('quotes a path that a shell would take for two words', async () => {
    using place = openPlace({
      'my bad/plugin.ts': 'export const x = 1;\n',
      'a b.wasm': 'no binary',
    });
    const built = await place.cuervo(['plugin', 'build', 'my bad']);
    expect(twoLines(built).hint).toBe("Correct it and run: cuervo plugin build 'my bad'");
    const cut = new Uint8Array([0, 0x61, 0x73, 0x6d, 13, 0, 1, 0, 1, 90]);
    writeFileSync(join(place.work, 'a b.wasm'), cut);
    const installed = await place.cuervo(['plugin', 'install', 'a b.wasm', '--yes']);
    expect(twoLines(installed).hint).toContain("cuervo plugin inspect 'a b.wasm'");
  });

  it.each(['install', 'inspect'])('plugin %s tells an address from a file', async (command) => {
    using place = openPlace();
    const ran = await place.cuervo(['plugin', command, 'https://nowhere.invalid/a.wasm']);
    expect(ran.code).toBe(7);
    expect(twoLines(ran).error).toContain('https://nowhere.invalid was not found');
    expect(twoLines(ran).hint).toContain('HTTPS_PROXY');
  });

  it('says what memory can be imported from', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['memory', 'import', 'nosuch']);
    expect(ran.code).toBe(4);
    expect(twoLines(ran).hint).toContain('a file that cuervo memory export wrote');
  });

  it('is the name that was meant, whatever a command takes by its name', async () => {
    using place = openPlace({
      'md-meta.wasm': await exactAdder(),
      'a.ts': 'export const retryLimit = 3;\n',
    });
    await using server = await startOpenAiServer(() => ({ type: 'message', text: 'Yes.' }));
    expect((await place.cuervo(['plugin', 'install', 'md-meta.wasm', '--yes'])).code).toBe(0);
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
    const env = { CUERVO_SECRETS_PASSPHRASE: 'a passphrase of this test' };
    const forSite = ['secret', 'set', 'API_TOKEN', '--for', 'https://example.com'];
    expect((await place.cuervo(forSite, { stdin: 'long-enough', env })).code).toBe(0);
    expect((await place.cuervo(['ask', 'where is the retry limit set?'])).code).toBe(0);
    const [session] = (await place.cuervo(['session', 'list', '--json'])).rows;
    const id = String(session?.id);
    const slip = `${id.slice(0, -1)}${id.endsWith('x') ? 'y' : 'x'}`;
    const slips: [words: string[], name: string][] = [
      ...['remove', 'info', 'update', 'rollback', 'grants', 'revoke'].map(
        (command): [string[], string] => [['plugin', command, 'md-metta'], 'md-meta'],
      ),
      [['plugin', 'grant', 'serch', 'kv'], 'search'],
      [['run', 'serch.grep', 'x'], 'search.grep'],
      [['tools', 'search.gerp'], 'search.grep'],
      ...['run', 'log', 'pause', 'resume'].map((command): [string[], string] => [
        ['jobs', command, 'prun'],
        'prune',
      ]),
      ...['show', 'export', 'fork', 'delete'].map((command): [string[], string] => [
        ['session', command, slip],
        id,
      ]),
      [['session', 'resume', slip, 'and?'], id],
      [['model', 'use', 'srv/tset'], 'test'],
      [['model', 'show', 'srb/test'], 'srv'],
      [['model', 'remove', 'srvv'], 'srv'],
      [['ask', '--model', 'srv2/test', 'where?'], 'srv'],
      [['add', 'sentense'], 'sentence'],
      [['remove', 'sentense'], 'sentence'],
      [['secret', 'remove', 'API_TOKN'], 'API_TOKEN'],
    ];
    for (const [words, name] of slips) {
      const ran = await place.cuervo(words);
      expect(ran.code, words.join(' ')).toBeGreaterThan(0);
      expect(ran.stderr, words.join(' ')).toContain(`(Did you mean ${name}?)`);
    }
    const other = await place.cuervo(['plugin', 'remove', 'weather']);
    expect(twoLines(other).error).toBe('no plugin "weather" is installed');
  });
});
