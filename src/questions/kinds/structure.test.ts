import { describe, expect, it } from 'vitest';
import { askedText } from '../asked-text.ts';
import { readIntent } from '../read-intent.ts';
import { complexity } from './complexity.ts';
import { imports } from './imports.ts';
import { outline } from './outline.ts';
import { references } from './references.ts';

const readStructure = (question: string) =>
  [complexity, outline, imports, references]
    .map((kind) => kind.form?.(askedText(question)))
    .find((reading) => reading !== undefined);

describe('kinds about the structure of code', () => {
  it.each([
    ['what does MIMEBase inherit from?', 'definition'],
    ['what does the Parser class extend?', 'definition'],
    ['which classes inherit from MIMEBase?', 'references'],
    ['what extends Parser?', 'references'],
  ])('reads "%s" in its direction', (question, kind) => {
    const { readings } = readIntent(question, []) as { readings: readonly { kind: string }[] };
    expect(readings[0]?.kind).toBe(kind);
  });

  it.each([
    ['who calls createPluginHost?', 'createPluginHost'],
    ['Which functions use `retry`?', 'retry'],
    ['where is max_retries used?', 'max_retries'],
    ['show me all callers of openFile()', 'openFile'],
    ['references to LruCache', 'LruCache'],
  ])('takes "%s" as one about who uses %s', (question, name) => {
    expect(readStructure(question)).toEqual({ kind: 'references', name });
  });

  it.each([
    ['what does src/index.ts import?', 'imports', 'src/index.ts'],
    ['dependencies of store.py', 'imports', 'store.py'],
    ['what imports src/store.ts?', 'importedBy', 'src/store.ts'],
    ['Which files depend on src/store.ts', 'importedBy', 'src/store.ts'],
    ['list the dependents of src/store.ts', 'importedBy', 'src/store.ts'],
  ])('takes "%s" as one about imports', (question, direction, path) => {
    expect(readStructure(question)).toEqual({ kind: 'imports', direction, path });
  });

  it('reads no word of a path as one of the question', () => {
    expect(readStructure('what does include/kit/color.h do?')).toBeUndefined();
    expect(readStructure('what is in src/import/longest/code.ts?')).toBeUndefined();
  });

  it.each([
    ['list functions in cookie.go', 'cookie.go', 'function'],
    ['which classes are defined in src/shop.py?', 'src/shop.py', 'class'],
    ['what methods does src/shop.py have?', 'src/shop.py', 'function'],
    ['show me all the exports of index.ts', 'index.ts', undefined],
    ['what does index.ts export?', 'index.ts', undefined],
    ['outline src/shop.py', 'src/shop.py', undefined],
  ])('takes "%s" as one about what a file defines', (question, path, defines) => {
    expect(readStructure(question)).toEqual({ kind: 'outline', path, ...(defines && { defines }) });
  });

  it.each([
    ['which functions are the most complex?', undefined],
    ['what are the longest functions in src/parse.ts?', 'src/parse.ts'],
    ['cyclomatic complexity of src/parse.ts', 'src/parse.ts'],
  ])('takes "%s" as one about complexity', (question, path) => {
    expect(readStructure(question)).toEqual({
      kind: 'complexity',
      ...(path === undefined ? {} : { path }),
      ...(question.includes('longest') ? { by: 'lines' } : {}),
    });
  });

  it.each([
    'where is the retry limit set?',
    'who uses the cache?',
    'how does createPluginHost start a process?',
    'where is createPluginHost defined?',
    'who reads openFile and closeFile?',
    'what does src/index.ts do?',
    'why is parsing so complex?',
  ])('leaves "%s" to the other rules', (question) => {
    expect(readStructure(question)).toBeUndefined();
  });
});
