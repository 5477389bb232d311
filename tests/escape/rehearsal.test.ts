import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  lastToolResult,
  type Script,
  startAnthropicServer,
} from '../fixtures/anthropic-server/server.ts';
import { runInTerminal, type Typed } from '../fixtures/terminal/run-in-terminal.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { cuervo } from './support/paths.ts';
import { expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    await made.install(await buildGuest('program-runner'));
  },
});
const apiKey = 'test-key-of-the-local-server';
const input = { program: 'sh', args: ['-c', 'echo ran >> count.txt'] };
const allowed = ['fs:work', 'fs-write:work'];

/** What each run of the program left, taken away again. */
function takeCount(): number {
  const path = join(place.work, 'count.txt');
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, 'utf8').split('\n').length - 1;
  rmSync(path);
  return lines;
}

/** A model calls the guest twice in one round, where a person sits at a terminal. */
async function ask(typed: readonly Typed[], grants: readonly string[]) {
  const script: Script = (body) => {
    if (lastToolResult(body) !== undefined) return { type: 'message', text: 'Done.' };
    const use = { name: 'program-runner__go', input };
    return { type: 'message', toolUses: [use, use] };
  };
  await using server = await startAnthropicServer(script, { apiKey });
  const allow = grants.flatMap((grant) => ['--allow', grant]);
  const args = ['ask', '--model', 'claude-test', '-w', place.work, ...allow];
  const question = 'go with the program-runner: run whatever it is told to';
  return await runInTerminal([process.execPath, cuervo, ...args, question], typed, {
    cwd: place.dir,
    env: {
      ...{ PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
      ...{ ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
    },
  });
}

escapeCase('effects while a plan is looked at', {
  needs: {
    file: '/usr/bin/python3 and bwrap',
    install: 'sudo apt-get install python3 bubblewrap',
    isThere: () => existsSync('/usr/bin/python3') && existsSync('/usr/bin/bwrap'),
  },
  denied: [
    [
      'what is granted is done by its call and not ahead of it',
      async () => {
        const ran = await ask([], [...allowed, 'exec:sh']);
        expect(ran.code).toBe(0);
        expect(ran.screen).not.toContain('cuervo asks:');
        expect(takeCount()).toBe(2);
      },
    ],
    [
      'what a person refuses is done neither before nor after',
      async () => {
        const ran = await ask([['/n/?] ', 'n\r']], allowed);
        expect(ran.screen.match(/^cuervo asks: 2 steps/gm)).toHaveLength(1);
        expect(takeCount()).toBe(0);
      },
    ],
  ],
  control: [
    'a call by itself does it once',
    async () => {
      const ran = await place.run('program-runner.go', input, { allow: [...allowed, 'exec:sh'] });
      expectSuccess(ran);
      expect(takeCount()).toBe(1);
    },
  ],
});
