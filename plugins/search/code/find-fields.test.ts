import { describe, expect, it } from 'vitest';
import { findDefinitions } from './find-definition.ts';
import { treeHost } from './tree-host.ts';

function found(files: Readonly<Record<string, string>>, name: string) {
  const { definitions } = findDefinitions(treeHost(files), { name, place: 'work:', limit: 5 });
  return definitions.map(({ path, line, text, doc }) => ({
    at: `${path.slice(5)}:${line}`,
    text: text.trim(),
    ...(doc === undefined ? {} : { doc: doc.text.trim() }),
  }));
}

describe('findDefinitions() of what nothing defines', () => {
  it('finds a field of a type, with its comment', () => {
    const go = 'type Dialer struct {\n\t// Limits the handshake.\n\tTimeout time.Duration\n}\n';
    expect(found({ 'a.go': go }, 'Timeout')).toEqual([
      { at: 'a.go:3', text: 'Timeout time.Duration', doc: '// Limits the handshake.' },
    ]);
    const comment = '  /**\n  Ends it.\n\n  @default 5000\n  */';
    const type = `export type Options<\n  Sync,\n> = {\n${comment}\n  readonly killDelay?: number;\n};\n`;
    expect(found({ 'types/a.d.ts': type }, 'killDelay')).toEqual([
      { at: 'types/a.d.ts:9', text: 'readonly killDelay?: number;', doc: comment.trim() },
    ]);
    const rust = 'pub struct Config {\n    pub max_size: usize,\n}\n';
    expect(found({ 'a.rs': rust }, 'max_size')).toMatchObject([{ at: 'a.rs:2' }]);
    const test = { 'test/a.test.ts': 'export const killDelay = 1;\n' };
    expect(found({ ...test, 'a.ts': type }, 'killDelay')).toMatchObject([{ at: 'a.ts:9' }]);
  });

  it.each([
    ['a.go', 'func dial() {\n\td := Dialer{\n\t\tTimeout: 3,\n\t}\n}\n'],
    ['a.ts', 'const {\n  Timeout,\n} = options;\nsend({\n  message,\n  Timeout: 3,\n});\n'],
    ['a.ts', 'type Options = {\n  // Timeout: number;\n};\n'],
    ['test/a.ts', 'type Options = {\n  Timeout: number;\n};\n'],
  ])('takes nothing for a field in %s: %j', (path, text) => {
    expect(found({ [path]: text }, 'Timeout')).toEqual([]);
  });

  it('finds what is said of a parameter', () => {
    const python =
      '    """A field.\n\n    :param load_only: If `True`, skip it\n        in dumps.\n    :param many: More.\n    """\n';
    expect(found({ 'a.py': `def f(load_only):\n${python}` }, 'load_only')).toEqual([
      { at: 'a.py:4', text: ':param load_only: If `True`, skip it\n        in dumps.' },
    ]);
    const script =
      '/**\n * @param {number} loadOnly  If set,\n *   skips it.\n * @param many\n */\n';
    expect(found({ 'a.js': script }, 'loadOnly')).toMatchObject([
      { at: 'a.js:2', text: expect.stringMatching(/If set,\n \* {3}skips it\.$/) },
    ]);
  });
});
