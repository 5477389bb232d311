import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createEchoFinder, readings } from './create-echo-finder.ts';
import { disguises } from './secret-forms.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');

it.each([
  ['form of a secret', disguises],
  ['reading of a text', readings],
])('docs/privacy.md lists each %s, and no other', (head, known) => {
  const table = page.split(`| ${head} |\n|---|\n`)[1]?.split('\n\n')[0] ?? '';
  const rows = table.split('\n').map((line) => line.replace(/^\| | \|$/g, ''));
  expect(rows).toEqual(Object.keys(known));
});

it.each(Object.entries(disguises))('finds a secret again: %s', (_, make) => {
  const finder = createEchoFinder();
  const value = 'Zx81-kQ7vbn_52LmWpTr';
  finder.add('key', value);
  const forms = make(value);
  expect(forms.length).toBeGreaterThan(0);
  for (const form of forms) expect(finder.find(`it is ${form}.`)).toHaveLength(1);
});
