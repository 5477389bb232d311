import { expect, it } from 'vitest';
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
