import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startOpenAiServer } from '../fixtures/openai-server/server.ts';
import {
  runInTerminal,
  type Typed,
  terminalMissing,
} from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const isMissing = terminalMissing();
const silent = () => ({ type: 'message', text: '' }) as const;

const typing = (place: Place, typed: readonly Typed[], env: Record<string, string>) =>
  runInTerminal([process.execPath, program, 'init'], typed, {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, ...env },
  });

describe('cuervo init', () => {
  it('says without a terminal what it found and what to type, and writes nothing', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    await using server = await startOpenAiServer(silent);
    const host = new URL(server.url).host;
    const env = { OLLAMA_HOST: host, ANTHROPIC_API_KEY: 'k' };
    const ran = await place.cuervo(['init'], { env, ownProcess: true });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`cuervo model add http://${host}/v1 --name ollama\n`);
    expect(ran.stdout).toContain('cuervo model use ollama/test\n');
    expect(ran.stdout).toContain('claude-sonnet-4-5  (remote, by ANTHROPIC_API_KEY)');
    expect(existsSync(place.home)).toBe(false);
  });

  it('asks nothing of an address that is not on this machine', async () => {
    using place = openPlace();
    const env = { OLLAMA_HOST: 'http://192.0.2.1:1' };
    const ran = await place.cuervo(['init'], { env, ownProcess: true });
    expect(ran).toMatchObject({ code: 0, stdout: expect.not.stringContaining('192.0.2.1') });
  });

  it.skipIf(isMissing !== undefined)(
    'asks three things, and keeps the answers and nothing else',
    async () => {
      using place = openPlace({ 'a.txt': 'a\n' });
      await using server = await startOpenAiServer(silent);
      const typed: Typed[] = [
        ['Enter for no model: ', '1\r'],
        ['answers find more? [y/n] ', 'n\r'],
        ['to share it: ', '\r'],
      ];
      const { code, screen } = await typing(place, typed, {
        OLLAMA_HOST: new URL(server.url).host,
      });
      expect({ code, screen }).toMatchObject({
        code: 0,
        screen: expect.stringContaining('ollama/test is used where no other is named'),
      });
      const listed = await place.cuervo(['model', 'list']);
      expect(listed.stdout).toContain('* ollama/test  32768 tokens  on this machine');
      expect(existsSync(join(place.home, 'config.toml'))).toBe(false);
      const index = await place.cuervo(['index', '--status']);
      expect(index.stdout).toContain('has no index');
    },
  );

  it.skipIf(isMissing !== undefined)('says what is wrong with an answer, and ends', async () => {
    using place = openPlace({ 'a.txt': 'a\n' });
    await using server = await startOpenAiServer(silent);
    const typed: Typed[] = [
      ['Enter for no model: ', '\r'],
      ['answers find more? [y/n] ', 'y\r'],
      ['to share it: ', 'bucket/x\r'],
    ];
    const { code, screen } = await typing(place, typed, { OLLAMA_HOST: new URL(server.url).host });
    expect({ code, screen }).toMatchObject({
      code: 2,
      screen: expect.stringContaining('is not an address like s3://bucket/folder'),
    });
  });
});
