import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { editToml } from './change-config.ts';

const text = `# mine
model = "a"   # the small one
list = [
  "one", # first
  "two",
]

[limits] # of calls
# slow disk
call-timeout-ms = 5

[jobs."night job"]
every-minutes = 3
`;

const changed = (path: string[], value: unknown, from = text) => {
  const after = editToml(from, path, value).split('\n');
  const before = from.split('\n');
  return [
    before.filter((line) => !after.includes(line)),
    after.filter((line) => !before.includes(line)),
  ];
};

describe('editToml()', () => {
  it.each([
    [['model'], 'b', ['model = "a"   # the small one'], ['model = "b"   # the small one']],
    [['model'], 'x # y', ['model = "a"   # the small one'], ['model = "x # y"   # the small one']],
    [['limits', 'call-timeout-ms'], 7, ['call-timeout-ms = 5'], ['call-timeout-ms = 7']],
    [['limits', 'max-log-bytes'], 7, [], ['max-log-bytes = 7']],
    [['jobs', 'night job', 'every-minutes'], 4, ['every-minutes = 3'], ['every-minutes = 4']],
    [['model-role'], 'word', [], ['model-role = "word"']],
    [['budget', 'usd'], 0.5, [], ['[budget]', 'usd = 0.5']],
    [['jobs', 'a b', 'every-minutes'], 4, [], ['[jobs."a b"]', 'every-minutes = 4']],
    [['limits', 'call-timeout-ms'], undefined, ['call-timeout-ms = 5'], []],
  ])('changes %j to %j and no other line', (path, value, gone, come) => {
    expect(changed(path, value)).toEqual([gone, come]);
  });

  it('replaces a list of many lines', () => {
    expect(parse(editToml(text, ['list'], ['three']))).toEqual({ ...parse(text), list: ['three'] });
  });

  it('finds a key that is written with its table', () => {
    expect(editToml('limits.max-log-bytes = 1\n', ['limits', 'max-log-bytes'], 2)).toBe(
      'limits.max-log-bytes = 2\n',
    );
  });

  it('keeps the ends of lines, and begins an empty file', () => {
    expect(editToml('a = 1\r\nb = 2\r\n', ['a'], 3)).toBe('a = 3\r\nb = 2\r\n');
    expect(editToml('', ['budget', 'usd'], 1)).toBe('[budget]\nusd = 1\n');
    expect(editToml('', ['model'], 'm')).toBe('model = "m"\n');
    expect(editToml('a = 1', ['b'], 2)).toBe('a = 1\nb = 2');
    expect(editToml('#:schema x\n\n# calls\n[limits]\n', ['a'], 1)).toBe(
      '#:schema x\na = 1\n\n# calls\n[limits]\n',
    );
  });

  it('leaves a text alone where the key is not there to be taken out', () => {
    expect(editToml(text, ['budget', 'usd'], undefined)).toBe(text);
  });

  it.each([
    ['limits = { max-log-bytes = 1 }\n', ['limits', 'max-log-bytes']],
    ['model = """\nlimits = 1\n[limits]\nmax-log-bytes = 3\n"""\n', ['limits', 'max-log-bytes']],
  ])('changes the right place in %j, or refuses', (from, path) => {
    let after: string;
    try {
      after = editToml(from, path, 9);
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'conflict' });
      return;
    }
    expect(parse(after)).toEqual({ ...parse(from), limits: { 'max-log-bytes': 9 } });
  });
});
