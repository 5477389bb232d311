import { describe, expect, it } from 'vitest';
import { diffOf, kindOf, locationsOf, shownInput, titleOf } from './tool-calls.ts';

const step = (tool: string, input: Record<string, unknown> = {}) => ({
  ...{ tool, input },
  effect: 'read' as const,
});
const asIs = (text: string): string => text;
const view = { workspace: '/w', shown: asIs, shows: (path: string) => path !== '.env' };

describe('kindOf()', () => {
  it.each([
    ['file.read', 'read', 'read'],
    ['file.edit', 'write', 'edit'],
    ['file.delete', 'write', 'delete'],
    ['file.move', 'write', 'move'],
    ['search.grep', 'read', 'search'],
    ['shell.run', 'external', 'execute'],
    ['git.commit', 'external', 'execute'],
    ['git.diff', 'read', 'read'],
    ['web.fetch', 'external', 'fetch'],
    ['strange.tool', 'external', 'other'],
  ] as const)('%s that may %s is %s', (tool, effect, kind) => {
    expect(kindOf({ tool, effect })).toBe(kind);
  });
});

describe('titleOf()', () => {
  it('names what the call is about, on one line and not too long', () => {
    expect(titleOf(step('file.read', { path: 'a\nb' }), asIs)).toBe('file.read a\\nb');
    expect(titleOf(step('file.tree'), asIs)).toBe('file.tree');
    expect(titleOf(step('file.read', { path: 'x'.repeat(500) }), asIs)).toHaveLength(120);
  });
});

describe('locationsOf()', () => {
  it('names the file and its line, and nothing outside of the workspace', () => {
    expect(locationsOf(step('file.read', { path: 'a.ts', start: 3 }), '/w')).toEqual([
      { path: '/w/a.ts', line: 3 },
    ]);
    for (const path of ['/etc/passwd', '../x', '', { $from: 's1', path: '/0' }])
      expect(locationsOf(step('file.read', { path }), '/w')).toEqual([]);
  });
});

describe('shownInput()', () => {
  it('stays JSON where it can, and is a text where a key took its quotes along', () => {
    expect(
      shownInput(step('x', { a: 'secret' }), (text) => text.replace('secret', '[key]')),
    ).toEqual({ a: '[key]' });
    expect(
      shownInput(step('x', { a: 'secret' }), (text) => text.replace('"secret"', '[key]')),
    ).toEqual({ shown: '{"a":[key]}' });
  });
});

describe('diffOf()', () => {
  it('is both texts, without the one that there was not', () => {
    const [before, after] = [Buffer.from('1\n'), Buffer.from('2\n')];
    expect(diffOf({ path: 'a', before, after }, view)).toEqual({
      ...{ type: 'diff', path: '/w/a', oldText: '1\n', newText: '2\n' },
    });
    expect(diffOf({ path: 'a', after }, view)).toMatchObject({ oldText: null });
  });

  it.each([
    ['protected', '.env', Buffer.from('KEY=1')],
    ['no text', 'a.bin', Buffer.from([1, 0, 2])],
    ['too long', 'a.txt', Buffer.alloc(300_000, 'x')],
  ])('names a file alone that is %s', (_, path, after) => {
    const text = `changed ${path}`;
    expect(diffOf({ path, after }, view)).toEqual({
      type: 'content',
      content: { type: 'text', text },
    });
  });
});
