import { expect, it } from 'vitest';
import { findMentioned } from './find-mentioned.ts';
import { treeOf } from './tree-fixture.ts';

const tree = treeOf({
  'src/harbour/lamps/flame.py': 'import x\n\ndef relight(lamp):\n    pass\n',
  'src/harbour/lamps/__init__.py': 'class Lamp:\n    pass\n',
  'src/harbour/flame.py': 'def douse():\n    pass\n',
  'src/pier.ts': 'export class Lamp {\n  moor(rope: Rope) {\n  }\n}\n',
  'tests/test_flame.py': 'def relight():\n    pass\n',
});
const mentioned = (names: string[], places: string[] = [], lines = new Map<string, number>()) =>
  Object.fromEntries(findMentioned(tree, 'work:', { names, places, lines }, []));

it('findMentioned() gives files that define a name, less where many do, and no test', () => {
  const { 'src/harbour/lamps/flame.py': flame, ...others } = mentioned(['relight']);
  expect(flame).toEqual({ line: 3, place: 0, names: 1 });
  expect(others).toEqual({});
  const shared = mentioned(['Lamp']);
  expect(shared['src/pier.ts']?.names).toBe(0.5);
  expect(shared['src/harbour/lamps/__init__.py']?.names).toBe(0.5);
});

it('findMentioned() finds methods by their braces', () => {
  expect(mentioned(['moor'])['src/pier.ts']).toMatchObject({ line: 2, names: 1 });
});

it('findMentioned() takes the file whose path ends like the mentioned one, in two parts at least', () => {
  const found = mentioned([], ['usr/lib/harbour/lamps/flame.py']);
  expect(Object.keys(found)).toEqual(['src/harbour/lamps/flame.py']);
  expect(found['src/harbour/lamps/flame.py']).toEqual({ line: 1, place: 1, names: 0 });
  const place = 'lib/harbour/lamps/flame.py';
  const framed = mentioned([], [place], new Map([[place, 4]]));
  expect(framed['src/harbour/lamps/flame.py']?.frame).toBe(4);
  expect(Object.keys(mentioned([], ['harbour/lamps']))).toEqual(['src/harbour/lamps/__init__.py']);
  expect(mentioned([], ['elsewhere/flame.py'])).toEqual({});
});

it('findMentioned() looks for nothing where nothing is mentioned', () => {
  expect(mentioned([])).toEqual({});
  expect(mentioned(['a b', '(['])).toEqual({});
});
