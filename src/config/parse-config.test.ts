import { expect, it } from 'vitest';
import { parseConfig } from './parse-config.ts';

const path = '/home/config.toml';
const refused = (text: string) => {
  try {
    parseConfig(text, path);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
};

it('parseConfig() reads every key', () => {
  const text = `
model = "none"
model-role = "auto"
[anthropic]
base-url = "http://127.0.0.1:1/"
[limits]
max-result-bytes = 10
[budget]
tokens = 5
`;
  expect(parseConfig(text, path)).toEqual({
    model: 'none',
    'model-role': 'auto',
    anthropic: { 'base-url': 'http://127.0.0.1:1/' },
    limits: { 'max-result-bytes': 10 },
    budget: { tokens: 5 },
  });
  expect(parseConfig('', path)).toEqual({});
});

it.each([
  ['model = \n', 'line 1'],
  ['\n\n[budget\n', 'line 3'],
  ['modell = "x"', '"modell" is not a key of the configuration'],
  ['[budget]\nround = 1', '"budget.round" is not a key'],
  ['[budget]\nrounds = "many"', '"budget.rounds"'],
  ['[budget]\nrounds = 0', '"budget.rounds"'],
  ['[budget]\nrounds = 1.5', '"budget.rounds"'],
  ['[limits]\nmax-host-calls = 2000', '"limits.max-host-calls"'],
  ['[limits]\nmax-result-bytes = 8000000', '"limits.max-result-bytes"'],
  ['model-role = "king"', '"model-role"'],
  ['[anthropic]\napi-key = "secret"', '"anthropic.api-key" is not a key'],
])('parseConfig() names the file and what is wrong in %j', (text, words) => {
  expect(refused(text)).toMatchObject({
    code: 'invalid-argument',
    message: expect.stringContaining(words),
    hint: `Correct ${path}.`,
  });
  expect((refused(text) as Error).message).toMatch(/^\/home\/config\.toml: ?.+$/);
});
