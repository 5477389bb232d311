import { describe, expect, it } from 'vitest';
import { operandNames } from './operand-names.ts';

const names = (operand: string) => operandNames(operand).map(({ name }) => name);
const inTree = (operand: string) => operandNames(operand)[0]?.inTree;

describe('operandNames()', () => {
  it.each([
    ['HEAD', ['HEAD']],
    ['a..b', ['a..b', 'a', 'b']],
    ['a...b', ['a...b', 'a', 'b']],
    ['..b', ['..b', 'b']],
    ['^a', ['a']],
    ['a^!', ['a^!', 'a']],
    ['a^@', ['a^@', 'a']],
    ['a^-2', ['a^-2', 'a']],
  ])('reads %s as %j', (operand, expected) => {
    expect(names(operand)).toEqual(expected);
  });

  it.each([
    ['HEAD:a/b', { before: 'HEAD', path: 'a/b' }],
    [':a', { before: '', path: 'a' }],
    [':2:a', { before: '', path: 'a' }],
    ['HEAD^{/x:y}:a', { before: 'HEAD^{/x:y}', path: 'a' }],
    ['main@{12:30}:a:b', { before: 'main@{12:30}', path: 'a:b' }],
    ['HEAD^{tree}', { before: 'HEAD', path: '' }],
    ['HEAD:', { before: 'HEAD', path: '' }],
    ['HEAD^{/x:y}', undefined],
    [':/a:b', undefined],
    ['HEAD', undefined],
  ])('finds the path in %s', (operand, expected) => {
    expect(inTree(operand)).toEqual(expected);
  });
});
