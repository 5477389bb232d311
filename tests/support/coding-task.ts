import { execFileSync } from 'node:child_process';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace, type Place } from './place.ts';

export const question = 'Find the bug behind the failing test, fix it, test it and commit the fix';
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
export const steps: readonly Step[] = [
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
export const done = 'Fixed: the discount was added in shop/cart.py:402.';

type Said = { text: string } | { name: string; input: { [key: string]: unknown } };

/** The next step, or what was not as expected. */
export function nextStep(results: readonly string[], offered: readonly string[]): Said {
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

export function git(place: Place, ...args: string[]): string {
  return execFileSync('git', args, { cwd: place.work, encoding: 'utf8' });
}

export function openProject(): Place {
  const place = openPlace(files);
  // Python tells a changed file by its size and the second: these are not of this one.
  for (const path of Object.keys(files)) utimesSync(join(place.work, path), 0, 0);
  git(place, 'init', '--quiet', '--initial-branch=main');
  git(place, 'config', 'user.name', 'Ann');
  git(place, 'config', 'user.email', 'ann@example.org');
  git(place, 'add', '.');
  git(place, 'commit', '--quiet', '-m', 'First');
  writeFileSync(join(place.dir, '.gitconfig'), '[user]\n\tname = Bea\n\temail = b@example.org\n');
  return place;
}

export const grants = ['exec:python3', 'exec:git', 'fs-write:work'].flatMap((each) => [
  '--allow',
  each,
]);
