import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';

/** Two days, and two units, that only their order tells apart. */
const almanac = `
import { definePlugin, v } from '@cuervo/sdk';

const day = v.pipe(v.string(), v.description('a day, as 2026-01-31'));
const unit = v.picklist(['kilometres', 'miles']);
export default definePlugin({
  name: 'almanac',
  version: '0.1.0',
  description: 'Counts days and converts units.',
  licence: 'MIT',
  wants: [],
  tools: [
    {
      name: 'days-between',
      description: 'Number of days between two dates.',
      effect: 'pure',
      input: v.object({ from: day, to: day }),
      examples: [{ from: '2026-01-01', to: '2026-12-31' }],
      run: ({ from, to }) => {
        const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
        return { content: { days }, summary: days + ' days from ' + from };
      },
    },
    {
      name: 'convert',
      description: 'Converts an amount of one unit into another unit, such as kilometres into miles.',
      effect: 'pure',
      input: v.object({ amount: v.number(), from: unit, to: unit }),
      examples: [{ amount: 5, from: 'kilometres', to: 'miles' }],
      run: (input) => ({ content: input, summary: input.amount + ' ' + input.from + ' in ' + input.to }),
    },
  ],
});
`;

let place: Place;
beforeAll(async () => {
  place = openPlace({ 'notes.md': '# Notes\n\nThe quagga is gone.\n' });
  place.write({ 'almanac/plugin.ts': almanac });
  const built = await place.cuervo(['plugin', 'build', 'almanac']);
  expect({ code: built.code, text: built.stderr }).toMatchObject({ code: 0 });
  const file = join(place.work, 'almanac/dist/almanac.wasm');
  const installed = await place.cuervo(['plugin', 'install', file, '--yes']);
  expect({ code: installed.code, text: installed.stderr }).toMatchObject({ code: 0 });
});
afterAll(() => place[Symbol.dispose]());

const ask = (question: string) => place.cuervo(['ask', '--model', 'none', question]);

it('two fields of one form are filled in the order of the examples', async () => {
  for (const [question, says] of [
    ['days between 2026-01-01 and 2026-03-01', '59 days from 2026-01-01'],
    ['convert 12 miles to kilometres', '12 miles in kilometres'],
    ['convert three kilometres into miles', '3 kilometres in miles'],
  ] as const) {
    const ran = await ask(question);
    expect({ question, code: ran.code }).toEqual({ question, code: 0 });
    expect(ran.stdout, question).toContain(says);
  }
});

it('one line names what a question does not say, by ask, plan and run', async () => {
  const question = 'number of days between 2026-01-01 and today';
  const line =
    /^note: almanac\.days-between fits this question, and the question does not say its to \(as 2026-12-31\); call it with: cuervo run almanac\.days-between to=…$/m;
  expect((await ask(question)).stderr).toMatch(line);
  const planned = await place.cuervo(['plan', question]);
  expect(planned.stderr).toContain('the question does not say its to (as 2026-12-31)');
  expect((await ask('convert miles to kilometres')).stderr).toContain('does not say its amount');
  const ran = await place.cuervo(['run', 'almanac.days-between', 'from=2026-01-01']);
  expect(ran.code).toBe(2);
  expect(twoLines(ran).error).toContain('to');
});

it('plan --why says why no tool was chosen', async () => {
  const { stdout } = await place.cuervo(['plan', '--why', 'where is the quagga of the dates?']);
  expect(stdout).toMatch(/no tool of an installed plugin was chosen: \S/);
});
