import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInTerminal, terminalMissing } from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = terminalMissing();

describe.skipIf(missing !== undefined)(
  `a folder whose name a terminal would obey (${missing ?? 'at a terminal'})`,
  () => {
    it.each([
      [['index', '--status'], 'has no index'],
      [['ask', 'remember that the heron is grey'], 'Remembered for '],
      [['memory', 'stats'], 'quantised'],
    ])('is named by %j on one line, with visible escapes', async (args, said) => {
      using place = openPlace();
      const name = 'x\u001b[31m\ny';
      const [cwd, home] = [join(place.dir, name), join(place.dir, `home${name}`)];
      for (const folder of [cwd, home]) mkdirSync(folder);
      const { screen } = await runInTerminal([process.execPath, program, ...args], [], {
        cwd,
        env: { PATH: process.env.PATH ?? '', CUERVO_HOME: home },
      });
      const line = screen.split('\n').find((each) => each.includes(said));
      expect(line).toContain('x\\x1b[31m\\ny');
      expect(screen).not.toContain('\u001b[31m');
    });
  },
);
