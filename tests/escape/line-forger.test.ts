import { join } from 'node:path';
import { expect } from 'vitest';
import { collectFindings } from '../../src/ask/collect-evidence.ts';
import type { StepResult } from '../../src/contracts/plan.ts';
import { valueText } from '../../src/lib/text/value-text.ts';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await buildGuest('line-forger')) });

const ask = (question: string, ...flags: string[]): Promise<Ran> =>
  place.cuervo(['ask', question, '--workspace', place.work, ...flags]);
const call = (tool: string, input: unknown): string => `${tool} ${JSON.stringify(input)}`;

const forms = ['list', 'late', 'blocks', 'whole', 'symbols'] as const;
const claimed = () => ['inside.txt', '../outside/secret.txt', join(place.outside, 'secret.txt')];

escapeCase('lines of a file that a plugin makes up', {
  denied: [
    [
      'they are shown under the name of the plugin, in whatever form they come',
      async () => {
        for (const form of forms) {
          const ran = await ask(call('line-forger.forge', { path: 'inside.txt', form }));
          expect(ran.exitCode).toBe(0);
          expect(ran.stdout).toMatch(/^The plugin line-forger says: found:\\n\\ninside/m);
          // Lines of files stand below a place that begins its line, or behind a mark.
          expect(ran.stdout).not.toMatch(/^(?:inside\.txt:|>)/m);
        }
      },
    ],
    [
      'they are not evidence, neither of a file that there is nor of one outside',
      async () => {
        for (const path of claimed()) {
          const ran = await ask(call('line-forger.forge', { path, form: 'list' }), '--json');
          const answer = ran.events.find(({ type }) => type === 'answer');
          expect(answer).toMatchObject({ evidence: [] });
          expect(answer?.text).toContain('The plugin line-forger says:');
        }
      },
    ],
  ],
  control: [
    'lines that a built-in tool read are shown as such',
    async () => {
      const question = call('search.grep', { pattern: 'inside-' });
      expect((await ask(question)).stdout).toMatch(/^inside\.txt:1$/m);
      const ran = await ask(question, '--json');
      expect(ran.events.find(({ type }) => type === 'answer')).toMatchObject({
        evidence: [{ path: 'inside.txt', line: 1, text: place.inside }],
      });
    },
  ],
});

/** Results of a built-in tool; the score of each row grows. */
function results(count: number, rows: number): StepResult[] {
  const found = Array.from({ length: rows }, (_, at) => ({
    ...{ path: 'a', line: 3 * at + 1, text: 'x', score: at + 1 },
  }));
  const output = { content: JSON.stringify({ found }), summary: 'found' };
  return Array.from({ length: count }, (_, at) => ({
    ...{ step: `s${at}`, tool: 'search.grep', needs: [], input: {}, status: 'ok', output },
    ...{ attempts: 1, durationMs: 0, hostCalls: [] },
  }));
}
const best = (count: number, rows: number) =>
  collectFindings(results(count, rows), { isBuiltin: () => true }).evidence[0];

escapeCase('rows without an end', {
  denied: [
    [
      'of a result the first are looked at, and of many results no more of each',
      () => {
        for (const count of [1, 4, 8]) expect(best(count, 39_000)).toMatchObject({ score: 200 });
      },
    ],
    [
      'a plugin that gives tens of thousands is listed by its first',
      async () => {
        const ran = await ask(call('line-forger.many', { rows: 25_000 }));
        expect(ran.exitCode).toBe(0);
        expect(ran.stdout).toMatch(/\(24962 more lines\)/);
        expect(ran.stdout.split('\n').length).toBeLessThan(60);
      },
    ],
  ],
  control: [
    'of fewer rows each counts',
    () => {
      expect(best(1, 150)).toMatchObject({ score: 150 });
      expect(best(4, 3)).toMatchObject({ score: 3 });
    },
  ],
});

/** As a terminal shows a list of these texts, which are bytes to this schema with many choices. */
const shownBytes = (texts: number): string[] => {
  const choices = [...Array.from({ length: 10_000 }, (_, at) => at), 'AAAA'];
  const schema = { items: { enum: choices, contentEncoding: 'base64' } };
  return valueText(Array(texts).fill('AAAA'), 80, { schema }).split('\n');
};
const nest = (levels: number): Promise<Ran> => ask(call('line-forger.nest', { levels }));

escapeCase('result that is read without an end', {
  denied: [
    [
      'nested deeper than what reads it can follow, it is a text',
      async () => {
        for (const levels of [501, 10_000, 100_000]) {
          const ran = await nest(levels);
          expect(ran.stderr).not.toContain('error');
          expect(ran.exitCode).toBe(0);
          expect(ran.stdout).toContain('The plugin line-forger says: nested');
        }
      },
    ],
    [
      'its schema is looked at so often, and no more',
      () => {
        const lines = shownBytes(2000);
        expect(lines).toHaveLength(2000);
        expect(lines.slice(0, 300)).toEqual(Array(300).fill('3 bytes'));
        expect(lines.slice(500)).toEqual(Array(1500).fill('AAAA'));
      },
    ],
  ],
  control: [
    'a few hundred levels and choices are read to their end',
    async () => {
      expect((await nest(400)).stdout).toContain('The plugin line-forger says: nested');
      expect(shownBytes(300)).toEqual(Array(300).fill('3 bytes'));
    },
  ],
});
