import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { EventOf, RunEvent } from '../../src/contracts/events.ts';
import type { ModelRequest } from '../../src/contracts/model.ts';
import { openScriptedKernel } from '../bench/open-scripted-kernel.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf } from '../support/run-cuervo.ts';

const source = `import { definePlugin, fs, v } from '@cuervo/sdk';
export default definePlugin({
  name: 'letters',
  version: '0.1.0',
  description: 'Counts letters of files.',
  wants: [{ capability: 'fs', why: 'reads the files whose letters it counts' }],
  tools: [
    {
      name: 'count-letters',
      description: 'Number of letters in a file.',
      effect: 'read',
      input: v.object({ path: v.string() }),
      examples: [{ path: 'README.md' }],
      run: ({ path }) => {
        const letters = fs.readText('work:' + path).text.length;
        return { content: { letters }, summary: letters + ' letters in ' + path };
      },
    },
  ],
});
`;

const stepsOf = (plans: readonly EventOf<'plan'>[]) =>
  plans.map(({ steps }) => steps.map(({ id, tool, insteadOf }) => [id, tool, insteadOf]));

/** How the steps of a tool ended, as the journal has them. */
function journaled({ home }: Place, tool: string): unknown[] {
  const database = new Database(join(home, 'cuervo.db'), { readonly: true });
  return database.prepare('SELECT status FROM steps WHERE tool = ? ORDER BY seq').pluck().all(tool);
}

describe('a step that failed', () => {
  it('is planned anew once with a file of that name, in a question without a model', async () => {
    using place = openPlace({ ...fixtureRepository, 'plugin.ts': source });
    expect(await place.cuervo(['plugin', 'build', '.'])).toMatchObject({ code: 0 });
    const install = ['plugin', 'install', 'dist/letters.wasm', '--yes', '--grant', 'fs:work'];
    expect(await place.cuervo(install)).toMatchObject({ code: 0 });
    const ran = await place.cuervo(['ask', 'count the letters of retry-policy.ts', '--json']);
    expect(ran.code, ran.stderr).toBe(0);
    const plans = linesOf(ran, 'plan');
    const [failed] = plans[0]?.steps.filter(({ tool }) => tool === 'letters.count-letters') ?? [];
    expect(plans).toHaveLength(2);
    // The passages of that file are searched anew, too.
    expect(stepsOf(plans)[1]).toEqual(
      expect.arrayContaining([
        [expect.any(String), 'file.find', undefined],
        [expect.any(String), 'letters.count-letters', failed?.id],
      ]),
    );
    expect(lineOf(ran, 'answer').text).toMatch(/\d+ letters in src\/retry\/retry-policy\.ts/);
    expect(ran.stderr).toMatch(
      /retry-policy\.ts" does not exist; src\/retry\/retry-policy\.ts was taken instead/,
    );
    expect(journaled(place, 'letters.count-letters')).toEqual(['error', 'ok']);
    // A name that nothing has is looked for once, and told.
    const none = await place.cuervo(['ask', 'count the letters of no-such-file.ts', '--json']);
    const asked = linesOf(none, 'plan').flatMap(({ steps }) => steps);
    const calls = asked.filter(({ tool }) => tool === 'letters.count-letters').map(({ id }) => id);
    const skipped = linesOf(none, 'step-finished').filter(({ status }) => status === 'skipped');
    expect(skipped.filter(({ step }) => calls.includes(step))).toHaveLength(1);
    expect(lineOf(none, 'error').message).toContain('no-such-file.ts" does not exist');
  });

  it('is planned anew for a model with few rounds, and not for one that can do it itself', async () => {
    for (const [mustCall, mended] of [
      [true, 1],
      [false, 0],
    ] as const) {
      using place = openPlace(fixtureRepository);
      mkdirSync(place.home, { mode: 0o700 });
      writeFileSync(join(place.home, 'config.toml'), 'model-role = "choose"\n');
      const requests: ModelRequest[] = [];
      await using kernel = await openScriptedKernel({
        ...{ home: place.home, workspace: place.work },
        reach: { mustCall, rounds: 1 },
        reply: (request) => {
          requests.push(request);
          if (request.tools.length === 0) return { text: 'It is there.' };
          return { calls: [{ name: 'search.grep', input: { pattern: 'maxRetries = (' } }] };
        },
      });
      const events: RunEvent[] = [];
      for await (const event of kernel.ask('find maxRetries = (')) events.push(event);
      const anew = events.flatMap((event) =>
        event.type === 'plan' ? event.steps.filter(({ insteadOf }) => insteadOf !== undefined) : [],
      );
      expect(anew).toMatchObject(
        Array.from({ length: mended }, () => ({
          ...{ tool: 'search.grep', input: { pattern: 'maxRetries = (', literal: true } },
        })),
      );
      expect(requests.length).toBeGreaterThan(1);
    }
  });
});
