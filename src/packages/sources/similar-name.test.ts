import { describe, expect, it } from 'vitest';
import { similarName } from '../../lib/text/did-you-mean.ts';

describe('similarName()', () => {
  it.each([
    ['searh', 'search'],
    ['serach', 'search'],
    ['seaarch', 'search'],
    ['sea-rch', 'search'],
    ['f1le', 'file'],
    ['corn-kit', 'com-kit'],
    ['vvordcount', 'wordcount'],
  ])('finds that %s looks like %s', (name, other) => {
    expect(similarName(name, ['git', other])).toBe(other);
  });

  it.each([
    ['weather', ['search', 'file']],
    ['go', ['git']],
    ['search', ['search']],
    ['search-notes', ['search']],
  ])('takes %s for another name than %s', (name, others) => {
    expect(similarName(name, others)).toBeUndefined();
  });
});
