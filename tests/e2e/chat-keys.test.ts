import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastResult, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openPlace } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = tmuxMissing();

it.skipIf(missing)('a chat attaches files, runs commands, changes modes and goes on', async () => {
  using place = openPlace({
    'src/a.js': 'export const one = 1;\nexport const two = 2;\n',
    '.env': 'KEY=secret-of-this-folder\n',
  });
  using terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      NO_COLOR: '1',
    },
  });
  terminal.type(`'${process.execPath}' '${program}' chat; echo ended $?`);
  await terminal.waitFor('no model · asks before changes · Shift+Tab');
  terminal.press('BTab');
  await terminal.waitFor('edits files unasked · Shift+Tab');
  terminal.press('BTab');
  await terminal.waitFor('plans only · Shift+Tab');
  terminal.press('BTab');
  terminal.write('explain @src/a');
  terminal.press('Tab');
  await terminal.waitFor('explain @src/a.js');
  terminal.type(':2-2');
  await terminal.waitFor('export const two = 2;');
  terminal.type('explain @.env');
  await terminal.waitFor('error: ');
  expect(terminal.screen()).not.toContain('secret-of-this-folder');
  terminal.type('! echo it ran');
  await terminal.waitFor('exit code 0; the next question knows this output');
  terminal.type('/reveiw');
  await terminal.waitFor('there is no command /reveiw');
  terminal.type('/status');
  await terminal.waitFor('mode     ask: asks before changes');
  terminal.type('/sessions');
  await terminal.waitFor('explain src/a.js');
  terminal.type('/clear');
  await terminal.waitFor('the next question begins a new session');
  terminal.type('/resume');
  await terminal.waitFor('goes on with ');
  terminal.type('/quit');
  await terminal.waitFor('ended 0');
});

it.skipIf(missing)('a chat with a model follows recipes, plans, and opens sub-tasks', async () => {
  using place = openPlace({ 'a.txt': 'alpha\n' });
  await using server = await startOpenAiServer(
    (body) => {
      const said = JSON.stringify(body.messages);
      const name = ['review', 'commit'].find((each) => said.includes(`The recipe ${each}, `));
      if (name !== undefined) return { type: 'message', text: `Followed ${name}.` };
      const result = lastResult(body);
      if (said.includes('Question: GOAL-1')) {
        const input = { path: 'a.txt' };
        return result === undefined
          ? { type: 'message', toolCalls: [{ name: 'file__read', input }] }
          : { type: 'message', text: 'It says alpha.' };
      }
      if (result !== undefined) return { type: 'message', text: 'So it is.' };
      return said.includes('ask somebody')
        ? { type: 'message', toolCalls: [{ name: 'task', input: { goal: 'GOAL-1' } }] }
        : {
            type: 'message',
            toolCalls: [{ name: 'file__write', input: { path: 'b.txt', text: 'b' } }],
          };
    },
    { models: [{ id: 'test', max_model_len: 200_000 }] },
  );
  await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--local']);
  using terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      NO_COLOR: '1',
    },
  });
  terminal.type(`'${process.execPath}' '${program}' chat -m srv/test; echo ended $?`);
  await terminal.waitFor('Shift+Tab');
  terminal.type('/review');
  await terminal.waitFor('Followed review.');
  terminal.type('/clear');
  await terminal.waitFor('begins a new session');
  terminal.type('/commit');
  await terminal.waitFor('Followed commit.');
  terminal.type('/new');
  await terminal.waitFor('begins a new session', 2);
  terminal.type('/mode plan');
  await terminal.waitFor('plan: ');
  terminal.type('please put b into b.txt');
  await terminal.waitFor('So it is.');
  expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
  expect(terminal.screen()).not.toContain('cuervo asks');
  terminal.type('/open');
  await terminal.waitFor('the last answer began no sub-task');
  terminal.type('/new');
  await terminal.waitFor('begins a new session', 3);
  terminal.type('ask somebody what a.txt says');
  await terminal.waitFor('So it is.', 2);
  const before = terminal.screen();
  expect(before).not.toContain('s1.1');
  expect(before).toMatch(/^ +task .*GOAL-1/m);
  terminal.type('/open');
  await terminal.waitFor(/s1 {2}GOAL-1/);
  await terminal.waitFor(/s1\.1 {2}file\.read/);
  await terminal.waitFor('It says alpha.');
  // The change that a plan did not make.
  terminal.type('/mode ask');
  await terminal.waitFor('ask: asks before changes');
  terminal.type('/new');
  await terminal.waitFor('begins a new session', 4);
  terminal.type('please put b into b.txt');
  await terminal.waitFor('/n/?] ');
  terminal.type('y');
  await terminal.waitFor('So it is.', 3);
  expect(existsSync(join(place.work, 'b.txt'))).toBe(true);
  terminal.type('/quit');
  await terminal.waitFor('ended 0');
});

it.skipIf(missing)('a chat goes on with the model that /init finds', async () => {
  using place = openPlace({ 'a.txt': 'alpha\n' });
  await using server = await startOpenAiServer(() => ({ type: 'message', text: 'By the model.' }));
  using terminal = openTerminal({
    cwd: place.work,
    env: {
      ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: place.dir, CUERVO_HOME: place.home },
      ...{ NO_COLOR: '1', OLLAMA_HOST: new URL(server.url).host },
    },
  });
  terminal.type(`'${process.execPath}' '${program}' chat; echo ended $?`);
  await terminal.waitFor('no model · asks before changes');
  terminal.type('/init');
  await terminal.waitFor('Enter for no model: ');
  terminal.type('1');
  await terminal.waitFor('answers find more? [y/n] ');
  terminal.type('n');
  await terminal.waitFor('to share it: ');
  terminal.type('');
  await terminal.waitFor('ollama/test · asks before changes');
  terminal.type('what is alpha?');
  await terminal.waitFor('By the model.');
  terminal.type('/quit');
  await terminal.waitFor('ended 0');
});
