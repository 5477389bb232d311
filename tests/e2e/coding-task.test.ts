import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MessagesBody, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { type ChatBody, startOpenAiServer } from '../fixtures/openai-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';
import { lineOf, linesOf, type Ran } from '../support/run-cuervo.ts';
import { treeState } from '../support/tree-state.ts';

const question = 'Find the bug behind the failing test, fix it, test it and commit the fix';
const files = {
  'README.md': '# Shop\n',
  'shop/__init__.py': '',
  'shop/cart.py': `${'# what a cart costs\n'.repeat(400)}def total(prices, discount=0):\n    return sum(prices) * (100 + discount) / 100\n`,
  'tests/__init__.py': '',
  'tests/test_cart.py': `import unittest

from shop.cart import total


class Cart(unittest.TestCase):
    def test_takes_the_discount_off(self):
        self.assertEqual(total([100], 10), 90)
`,
};

type Step = readonly [name: string, input: { [key: string]: unknown }, brings: RegExp];

/** What the model does, round by round; each needs what the one before brought. */
const steps: readonly Step[] = [
  ['file.tree', {}, /cart\.py/],
  ['shell.run-tests', {}, /"failed":1/],
  ['file.read', { path: 'tests/test_cart.py' }, /total\(\[100\], 10\), 90/],
  ['search.grep', { pattern: 'def total', after: 1 }, /shop\/cart\.py/],
  ['file.read', { path: 'shop/cart.py' }, /100 \+ discount/],
  ['search.references', { name: 'total' }, /test_cart/],
  ['file.edit', { path: 'shop/cart.py', old: '100 + discount', new: '100 - discount' }, /cart\.py/],
  ['file.read', { path: 'shop/cart.py', start: 400, end: 402 }, /100 - discount/],
  ['shell.run-tests', {}, /"failed":0/],
  ['git.diff', {}, /100 - discount/],
  ['git.stage', { paths: ['shop/cart.py'] }, /shop\/cart\.py/],
  ['git.commit', { message: 'Take the discount off' }, /Take the discount off/],
];
const done = 'Fixed: the discount was added in shop/cart.py:402.';

type Said = { text: string } | { name: string; input: { [key: string]: unknown } };

/** The next step, or what was not as expected. */
function next(results: readonly string[], offered: readonly string[]): Said {
  const at = results.length;
  const last = results.at(-1);
  if (last !== undefined && steps[at - 1]?.[2].test(last) !== true) {
    return { text: `Step ${at} brought what was not expected: ${last}` };
  }
  const step = steps[at];
  if (step === undefined) return { text: done };
  const [name, input] = step;
  const outward = name.replace('.', '__');
  return offered.includes(outward)
    ? { name: outward, input }
    : { name: 'call_tool', input: { name, input } };
}

function git(place: Place, ...args: string[]): string {
  return execFileSync('git', args, { cwd: place.work, encoding: 'utf8' });
}

function openProject(): Place {
  const place = openPlace(files);
  git(place, 'init', '--quiet', '--initial-branch=main');
  git(place, 'config', 'user.name', 'Ann');
  git(place, 'config', 'user.email', 'ann@example.org');
  git(place, 'add', '.');
  git(place, 'commit', '--quiet', '-m', 'First');
  writeFileSync(join(place.dir, '.gitconfig'), '[user]\n\tname = Bea\n\temail = b@example.org\n');
  return place;
}

const grants = ['exec:python3', 'exec:git', 'fs-write:work'].flatMap((each) => ['--allow', each]);

/** Asks, looks at what was done, and takes it back. */
async function expectTask(
  place: Place,
  ask: (args: readonly string[]) => Promise<Ran>,
  /** prompts as text, in order */
  prompts: () => readonly string[],
): Promise<void> {
  const before = treeState(place.work);
  const ran = await ask(['ask', question, '--json', ...grants]);
  const answer = lineOf(ran, 'answer');
  expect(answer.text, ran.stderr).toBe(done);
  expect(prompts()).toHaveLength(steps.length + 1);
  expect(git(place, 'log', '--format=%an %s')).toBe('Bea Take the discount off\nAnn First\n');
  expect(answer.evidence.map(({ text }) => text).join('\n')).not.toContain('100 + discount');

  // It costs a part of what sending everything uncached would.
  const used = linesOf(ran, 'usage');
  const whole = used.reduce(
    (sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens,
    0,
  );
  const weighed = used.at(-1)?.spent.tokens ?? whole;
  expect(weighed / whole).toBeLessThanOrEqual(0.35);
  expect((ran.stderr.match(/was made shorter/g) ?? []).length).toBeLessThanOrEqual(1);

  const undone = await place.cuervo(['undo', '--yes']);
  expect(undone.code, undone.stderr).toBe(0);
  expect(treeState(place.work)).toEqual(before);
}

const missing =
  existsSync('/usr/bin/bwrap') && existsSync('/usr/bin/python3')
    ? ''
    : ' (needs bubblewrap and python3)';

describe.skipIf(missing !== '')(`a coding task of ${steps.length} rounds${missing}`, () => {
  it('is done over chat completions, and undone', async () => {
    using place = openProject();
    const resultsOf = ({ messages }: ChatBody): string[] =>
      messages.flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []));
    await using server = await startOpenAiServer(
      (body) => {
        const said = next(
          resultsOf(body),
          (body.tools ?? []).map((tool) => tool.function.name),
        );
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', toolCalls: [said] };
      },
      { models: [{ id: 'test', max_model_len: 200_000 }] },
    );
    await place.cuervo(['model', 'add', server.url, '--name', 'srv', '--remote']);
    await expectTask(
      place,
      ([command = '', ...args]) =>
        place.cuervo([command, '-m', 'srv/test', ...args], { env: { HOME: place.dir } }),
      () => server.requests.map((body) => JSON.stringify(body)),
    );
  });

  it('is done over the Messages API, with thoughts, and undone', async () => {
    using place = openProject();
    const apiKey = 'key-of-the-test-server';
    const resultsOf = ({ messages }: MessagesBody): string[] =>
      messages
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap((block) => (block.type === 'tool_result' ? [block.content ?? ''] : []));
    await using server = await startAnthropicServer(
      (body) => {
        const said = next(
          resultsOf(body),
          (body.tools ?? []).map(({ name }) => name),
        );
        const thinking = `I think about step ${resultsOf(body).length + 1}.`;
        return 'text' in said
          ? { type: 'message', text: said.text }
          : { type: 'message', thinking, toolUses: [said] };
      },
      { apiKey },
    );
    await expectTask(
      place,
      ([command = '', ...args]) =>
        place.cuervo([command, '-m', 'claude-test', ...args], {
          env: { HOME: place.dir, ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: server.url },
        }),
      () => server.requests.map((body) => JSON.stringify(body)),
    );
    // Thoughts go back as they came, with their signature.
    const last = JSON.stringify(server.requests.at(-1)?.messages);
    expect(last.match(/"type":"thinking"/g)).toHaveLength(steps.length);
    expect(last).toContain('"signature":"signed:');
  });
});
