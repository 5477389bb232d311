import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../tests/support/runs.ts';
import { createRuleSet, isDeepRule, parseRules } from './rule-set.ts';

const names = ['a', 'b', 'a.js', 'b.min.js', '.js', 'dist', 'A', 'a b'];
const plainRules = ['a', 'a/', '/a', '/b/', '*.js', '*.c', 'dist', 'a.js', 'b.min.js'];
const otherRules = ['a/b', '*.min.js', '**/b', 'd?st', 'a*', '/a/**', '\\#x', '[ab]', '*', 'a b'];
const negations = ['!a', '!*.js', '!dist/', '!/b', '!a/b'];

const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const rules = fc.array(fc.constantFrom(...plainRules, ...otherRules, ...negations), {
  minLength: 1,
  maxLength: 6,
});

/** What the library alone says; its parents count there, so they are asked first. */
function plainVerdict(list: string[], segments: string[], isDirectory: boolean) {
  const matcher = ignore({ ignorecase: false }).add(list);
  for (let depth = 1; depth < segments.length; depth += 1) {
    if (matcher.ignores(`${segments.slice(0, depth).join('/')}/`)) return 'not visited';
  }
  const { ignored, unignored } = matcher.test(segments.join('/') + (isDirectory ? '/' : ''));
  return ignored ? true : unignored ? false : undefined;
}

describe('createRuleSet()', () => {
  it('agrees with the library about every path that a walk reaches', () => {
    let compared = 0;
    fc.assert(
      fc.property(rules, path, fc.boolean(), (list, segments, isDirectory) => {
        const expected = plainVerdict(list, segments, isDirectory);
        if (expected === 'not visited') return;
        compared += 1;
        const verdict = createRuleSet(list).verdict(
          segments.join('/'),
          segments.at(-1)!,
          isDirectory,
        );
        expect(verdict).toBe(expected);
      }),
      { numRuns: runs(5000) },
    );
    expect(compared).toBeGreaterThan(runs(1000));
  });

  it('says the same of rules with several `**` in them', () => {
    const name = fc.constantFrom('a', '*', '[!b]', '**', '***');
    const rule = fc
      .tuple(fc.constantFrom('', '/'), fc.array(name, { minLength: 5, maxLength: 7 }))
      .chain(([start, parts]) =>
        fc.constantFrom('', '/', '  ').map((end) => `${start}${parts.join('/')}${end}`),
      )
      .filter(isDeepRule);
    const long = fc.array(fc.constantFrom('a', 'a', 'ab', 'b'), { minLength: 2, maxLength: 7 });
    let matched = 0;
    fc.assert(
      fc.property(rule, long, fc.boolean(), (each, segments, isDirectory) => {
        const expected = plainVerdict([each], segments, isDirectory);
        if (expected === 'not visited') return;
        if (expected === true) matched += 1;
        const verdict = createRuleSet([each]).verdict(
          segments.join('/'),
          segments.at(-1)!,
          isDirectory,
        );
        expect(verdict).toBe(expected);
      }),
      { numRuns: runs(5000) },
    );
    expect(matched).toBeGreaterThan(runs(100));
  });

  it('asks rules with several `**` in their order, and reopens what they ignore', () => {
    const rules = createRuleSet(['*.log', '!a/**/b/**/keep/**/*.log', 'a/**/b/**/c/**/d/']);
    expect(rules.verdict('a/b/x.log', 'x.log', false)).toBe(true);
    expect(rules.verdict('a/x/b/keep/x.log', 'x.log', false)).toBe(false);
    expect(rules.verdict('a/b/c/d', 'd', true)).toBe(true);
    expect(rules.verdict('a/b/c/d', 'd', false)).toBeUndefined();
    const reopened = rules.reopened('a/b/c/d');
    expect(reopened.verdict('a/b/c/d', 'd', true)).toBeUndefined();
    expect(reopened.verdict('a/b/c/d/x.log', 'x.log', false)).toBe(true);
  });

  it('ends soon with many `**` and a deep path that does not match', () => {
    const deep = Array(120).fill('a').join('/');
    for (const rule of [`${'**/a/'.repeat(20)}b`, `a/${'**/'.repeat(20)}b`, '**/a/'.repeat(800)])
      expect(createRuleSet([rule]).verdict(deep, 'a', true)).toBeUndefined();
  });

  it('knows each of many names of one length, and no other', () => {
    const list = Array.from({ length: 40 }, (_, index) => `name-${index + 10}`);
    const many = createRuleSet([...list, ...list.map((name) => `*.${name}`)]);
    for (const name of list) {
      expect(many.verdict(`d/${name}`, name, false)).toBe(true);
      expect(many.verdict(`x.${name}`, `x.${name}`, false)).toBe(true);
    }
    expect(many.verdict('name-50', 'name-50', false)).toBeUndefined();
    expect(many.verdict('x.name-50', 'x.name-50', false)).toBeUndefined();
  });

  it('reopens a directory that a rule ignores and keeps the other rules', () => {
    const reopened = createRuleSet(['build/', '*.log', 'a/**/build']).reopened('a/build');
    expect(reopened.verdict('a/build/x', 'x', false)).toBeUndefined();
    expect(reopened.verdict('a/build/x.log', 'x.log', false)).toBe(true);
  });
});

describe('parseRules()', () => {
  it('takes a text without rules for none', () => {
    for (const text of ['', '\n\n', '# only\n  \n', '\ufeff'])
      expect(parseRules(text)).toBeUndefined();
    expect(parseRules('?'.repeat(500_000))).toBeUndefined();
    expect(parseRules('\ufeffx\r\n')?.verdict('x', 'x', false)).toBe(true);
  });
});
