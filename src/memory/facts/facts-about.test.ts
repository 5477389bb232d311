import { describe, expect, it } from 'vitest';
import type { MemoryRow } from '../../contracts/memory.ts';
import { factsAbout } from './facts-about.ts';

const fact = (text: string): MemoryRow => ({
  id: text,
  record: { layer: 'interact', text, context: text, kind: 'fact', tags: [], project: '/p', ts: 0 },
});
const facts = [
  'releases happen on Thursdays',
  'hotfix releases happen on Fridays',
  'the port of staging is 8080',
  'the tests run on 9090',
].map(fact);
const about = (words: string) =>
  factsAbout(words, facts, ({ record }) => record.text).map(({ id }) => id);

describe('factsAbout()', () => {
  it.each([
    ['releases happen on Thursdays', ['releases happen on Thursdays']],
    ['hotfix releases', ['hotfix releases happen on Fridays']],
    ['releases', ['releases happen on Thursdays', 'hotfix releases happen on Fridays']],
    ['the port', ['the port of staging is 8080']],
    ['9090', ['the tests run on 9090']],
    ['the weather', []],
    ['the', []],
  ])('finds what is meant by "%s"', (words, found) => expect(about(words)).toEqual(found));
});
