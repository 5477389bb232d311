import { describe, expect, it } from 'vitest';
import { requireAgain } from './require-again.ts';

describe('requireAgain()', () => {
  it.each([
    [
      "const require = createRequire(import.meta.url);\nrequire('./a.json');",
      "\nrequire('./a.json');",
    ],
    [
      'const require = createRequire ? createRequire(import.meta.url) : undefined;\nrequire(a);',
      '\nrequire(a);',
    ],
    [
      "const data = createRequire(import.meta.url)('./a.json');",
      "const data = require('./a.json');",
    ],
    [
      "const load = module.createRequire(import.meta.url);\nx.load('b'); load('./a.json');",
      "const load = module.createRequire(import.meta.url);\nx.load('b'); require('./a.json');",
    ],
    ["createRequire(new URL('./', base))('a');", "createRequire(new URL('./', base))('a');"],
  ])('lets the bundler see what %j requires', (source, expected) => {
    expect(requireAgain(source)).toBe(expected);
  });
});
