import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readComments, readPairs } from './read-pairs.ts';

const code = (name: string, comment: string) =>
  `// ${comment}\nexport function ${name}(text) {\n  const parts = text.split('\\n');\n  return parts.map((part) => part.trim());\n}\n\n`;

it('readPairs() takes sources that people wrote of each package, and no comment twice', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'cuervo-pairs-'));
  const write = (path: string, text: string) => {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('one/lib/lines.ts', code('lines', 'Cuts a text into lines.'));
  write('one/lib/same.ts', code('same', 'Cuts a text into lines.'));
  write('one/lib/words.js', code('words', 'Cuts a text into its words.'));
  write('one/lib/made.js', `// Generated file.\n${code('made', 'Cuts a text as a program says.')}`);
  for (const left of ['one/tests/a.ts', 'one/vendor/b.ts', 'one/c.min.js', 'one/README.md'])
    write(left, code('left', `Cuts a text within ${left} here.`));
  write('two/index.mjs', code('pages', 'Cuts a text into its pages.'));
  write('alone.ts', code('alone', 'Cuts a text outside of all packages.'));
  const one = { most: 1, apart: new Set<string>() };
  const comments = readPairs(folder.path, { most: 10, apart: new Set() }).map((pairs) =>
    pairs.map((pair) => pair.comment).toSorted(),
  );
  expect(comments).toEqual([
    ['Cuts a text into its words.', 'Cuts a text into lines.'],
    ['Cuts a text into its pages.'],
  ]);
  expect(readPairs(folder.path, one).map(({ length }) => length)).toEqual([1, 1]);
  expect(readPairs(folder.path, one)).toEqual(readPairs(folder.path, one));
  const apart = new Set(readComments(join(folder.path, 'two')));
  expect(readPairs(folder.path, { most: 10, apart }).map(({ length }) => length)).toEqual([2, 0]);
});
