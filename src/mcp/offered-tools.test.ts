import { describe, expect, it } from 'vitest';
import type { Tool } from '../contracts/tool.ts';
import { annotationsOf, clientName, offerTools } from './offered-tools.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  ...{ name, plugin: name.split('.', 1)[0] ?? '', pluginVersion: '1.0.0', digest: '' },
  ...{ effect: 'read', description: 'Does it.', inputSchema: {}, examples: [] },
  ...more,
});

describe('clientName()', () => {
  it.each([
    ['search.grep', 'search_grep'],
    ['file.edit-lines', 'file_edit-lines'],
    ['A.B c', 'a_b_c'],
  ])('of %s is %s', (name, expected) => expect(clientName(name)).toBe(expected));

  it('is short, and another one for each long name', () => {
    const names = ['a', 'b'].map((end) => clientName(`plugin.${'x'.repeat(60)}${end}`));
    for (const name of names) expect(name).toMatch(/^[a-z0-9_-]{1,40}$/);
    expect(new Set(names).size).toBe(2);
  });
});

describe('offerTools()', () => {
  it('refuses two with one name, and names both', () => {
    const tools = [tool('a.b_c'), tool('a_b.c')];
    expect(() => offerTools(tools, () => [], [])).toThrow(/a\.b_c.*a_b\.c|a_b\.c.*a\.b_c/);
    const [own] = offerTools([tool('ask')], () => [], []);
    if (own === undefined) throw new Error('nothing was offered');
    expect(() => offerTools([tool('ask')], () => [], [own.offered])).toThrow('ask');
  });

  it('offers an output schema of objects alone, and shows what is hidden in a description', () => {
    const [list, object] = offerTools(
      [
        tool('a.list', { outputSchema: { type: 'array' }, description: 'a\u202eb\n' }),
        tool('a.object', { outputSchema: { type: 'object' } }),
      ],
      () => [],
      [],
    );
    expect(list?.offered).not.toHaveProperty('outputSchema');
    expect(list?.offered.description).toBe('a\\u{202e}b\\n');
    expect(object?.offered).toHaveProperty('outputSchema');
  });
});

describe('annotationsOf()', () => {
  it('goes by effect and label', () => {
    expect(annotationsOf('read', ['fs'])).toMatchObject({
      readOnlyHint: true,
      openWorldHint: false,
    });
    expect(annotationsOf('read', ['http'])).toMatchObject({
      readOnlyHint: true,
      openWorldHint: true,
    });
    expect(annotationsOf('write', [])).toMatchObject({
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(annotationsOf('external', [])).toMatchObject({ openWorldHint: true });
  });
});
