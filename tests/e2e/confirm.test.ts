import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  runInTerminal,
  type Typed,
  terminalMissing,
} from '../fixtures/terminal/run-in-terminal.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const missing = terminalMissing();
const input = JSON.stringify({ path: 'a.txt', text: 'two\n' });
const write = ['run', 'file.write', input, '--allow', 'fs-write:work'];

const commands: {
  args: string[];
  before: string[];
  question: string;
  otherwise: string;
  done: string;
}[] = [
  {
    args: ['undo'],
    before: write,
    question: 'Undo this run? [y/n] ',
    otherwise: 'nothing was undone',
    done: 'restored a.txt',
  },
  {
    args: ['apply'],
    before: [...write, '--dry-run'],
    question: 'Change these? [y/n] ',
    otherwise: 'nothing was applied',
    done: 'changed a.txt',
  },
  {
    args: ['memory', 'forget', '--before', '2100-01-01'],
    before: ['memory', 'add', 'a.txt'],
    question: 'for good? [y/n] ',
    otherwise: 'nothing was forgotten',
    done: 'forgot ',
  },
];

function at(place: Place, args: readonly string[], typed: readonly Typed[]) {
  return runInTerminal([process.execPath, program, ...args], typed, {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
  });
}

describe(`a question for leave${missing === undefined ? '' : `, skipped: ${missing}`}`, () => {
  for (const { args, before, question, otherwise, done } of commands) {
    it.skipIf(missing)(`of ${args.join(' ')} ends with 130 without a yes`, async () => {
      using place = openPlace({ 'a.txt': 'one\n' });
      expect((await place.cuervo(before)).code).toBe(0);
      const text = () => readFileSync(join(place.work, 'a.txt'), 'utf8');
      const was = text();
      for (const key of ['n\r', '\r', '\u0003']) {
        const ran = await at(place, args, [[question, key]]);
        expect({ key, code: ran.code }).toEqual({ key, code: 130 });
        expect(ran.screen).toContain(`error: ${otherwise}\n`);
        expect(text()).toBe(was);
      }
      const agreed = await at(place, args, [[question, 'y\r']]);
      expect(agreed.code).toBe(0);
      expect(agreed.screen).toContain(done);
    });
  }

  it.skipIf(missing)('of undo --last lists all of the runs first', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const other = JSON.stringify({ path: 'b.txt', text: 'new\n' });
    await place.cuervo(write);
    await place.cuervo(['run', 'file.write', other, '--allow', 'fs-write:work']);
    const typed: Typed = ['Undo these 2 runs? [y/n] ', 'y\r'];
    const { code, screen } = await at(place, ['undo', '--last', '2'], [typed]);
    expect(code).toBe(0);
    const [asked = '', done] = screen.split(typed[0]);
    expect(asked).toMatch(/ {2}remove +b\.txt\n.* {2}restore +a\.txt\n/s);
    expect(done).toMatch(/removed b\.txt\n.*restored a\.txt\n/s);
  });
});
