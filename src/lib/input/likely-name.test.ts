import { describe, expect, it } from 'vitest';
import { likelyName } from './likely-name.ts';

const names = ['file.read', 'file.read-all', 'files.list', 'search.grep', 'a.files_list'];

describe('likelyName()', () => {
  it.each([
    ['file.read', 'file.read'],
    ['file_read', 'file.read'],
    ['file__read', 'file.read'],
    ['fileRead', 'file.read'],
    ['file.read()', 'file.read'],
    ['functions.file__read', 'file.read'],
    ['functions.file__read:0', 'file.read'],
    ['file__read<|channel|>commentary', 'file.read'],
    ['default_api.search_grep', 'search.grep'],
  ])('takes %s for %s', (given, name) => {
    expect(likelyName(given, names)).toBe(name);
  });

  it.each(['read', 'file', 'profile_reads', '', 'b.a.files_list', 'weather'])(
    'does not guess what %j means',
    (given) => {
      expect(likelyName(given, names)).toBeUndefined();
    },
  );
});
