import { describe, expect, it } from 'vitest';
import { findPassages, findWide } from './find-passages.ts';
import type { PassageFs } from './passage-fs.ts';
import { treeOf } from './tree-fixture.ts';

/** As a `HostError` of the SDK, which loads in a guest alone. */
const failed = (code: string) => Object.assign(new Error(code), { code });

const filler = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `  step(${at});`).join('\n');

const tree: Record<string, string> = {
  'src/http/backoff.ts': [
    "import { sleep } from '../sleep.ts';",
    filler(30),
    '/** Waits longer after each attempt. */',
    'export function retryDelay(attempt: number): number {',
    '  if (attempt > maxRetries) return 0;',
    '  return 2 ** attempt * 100;',
    '}',
    filler(30),
  ].join('\n'),
  'src/http/index.ts': "export { retryDelay } from './backoff.ts';",
  'src/names.ts': 'export const names = ["delay"];',
  'tests/backoff.test.ts':
    'it("retryDelay() grows with each attempt", () => retryDelay(1));\n// retry delay attempt',
  'docs/retry.md': '# Retries\n\nThe delay of a retry grows with each attempt.',
};

const find = (question: string, limit = 12) => findPassages(treeOf(tree), 'work:', question, limit);

describe('findPassages()', () => {
  it('puts the definition first, before tests, docs and what only exports it again', () => {
    const { passages } = find('How long is the delay before a retry?');
    expect(passages[0]).toMatchObject({ path: 'src/http/backoff.ts' });
    expect(passages[0]?.text).toContain('export function retryDelay');
  });

  it('reads and names a file by its root whose folder holds a colon', () => {
    const odd = treeOf({ 'd:x/f.txt': 'the zanzibar quota is 7\n' });
    const { passages } = findPassages(odd, 'work:', 'what is the zanzibar quota?', 5);
    expect(passages.map(({ path }) => path)).toEqual(['work:d:x/f.txt']);
  });

  it('cuts to the lines around the hits, from the comment above, and names the lines hit', () => {
    const { passages } = find('Where is the retry delay?');
    const first = passages.find(({ path }) => path === 'src/http/backoff.ts');
    const lines = (tree['src/http/backoff.ts'] ?? '').split('\n');
    expect(first?.text.split('\n')[0]).toBe('/** Waits longer after each attempt. */');
    expect(first?.text).toBe(lines.slice((first?.line ?? 0) - 1, first?.endLine).join('\n'));
    expect(first?.text.split('\n').length).toBeLessThanOrEqual(14);
    expect(first?.hits).toContain((first?.line ?? 0) + 1);
  });

  it('counts less what stands in the tests of the file itself', () => {
    const code = 'pub fn line_changes(file: &Path) {\n    compare(file)\n}\n';
    const tests = 'fn changes() {\n    let changes = line_changes(file); // line changes\n}\n';
    const ask = (before: string) =>
      findPassages(
        treeOf({ 'src/diff.rs': `${code}\n${filler(20)}\n\n${before}\nmod tests {\n${tests}}\n` }),
        'work:',
        'how are line changes found?',
        1,
      ).passages[0]?.text;
    expect(ask('#[cfg(test)]')).toContain('pub fn line_changes');
    expect(ask('#[cfg(unix)]')).toContain('mod tests');
  });

  it('takes a test when the question asks for tests', () => {
    const { passages } = find('Which tests cover the retry delay of each attempt?');
    expect(passages[0]?.path).toBe('tests/backoff.test.ts');
  });

  it('gives at most as many passages as asked for, best first', () => {
    const { passages } = find('retry delay attempt', 2);
    const scores = passages.map(({ score }) => score);
    expect(passages).toHaveLength(2);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  it('finds who says a message whose words stand everywhere, by the message as it stands', () => {
    const others = Array.from({ length: 40 }, (_, at) => [
      `src/lamp-${at}.ts`,
      `/** There was a lamp that asks what was there. */\nexport const lamp${at} = 'no lamp';\n`,
    ]);
    const files = treeOf({
      ...Object.fromEntries(others),
      'src/run.ts': `${filler(30)}\n  throw new Error(\`there was no lamp "\${name}"\`);\n`,
    });
    const first = (question: string) => findPassages(files, 'work:', question, 5).passages[0]?.path;
    expect(first('error: there was no lamp "bleu"; there is blue')).toBe('src/run.ts');
    expect(first('which lamp was there when no blue is')).not.toBe('src/run.ts');
  });

  it('reads no more files for a message, and finds it behind a log full of it', () => {
    const others = Array.from({ length: 40 }, (_, at) => [
      `src/lamp-${at}.ts`,
      `/** There was a lamp that asks what was there. */\nexport const lamp${at} = 'no lamp';\n`,
    ]);
    const files = treeOf({
      'debug.txt': 'there was no lamp "red"\n'.repeat(900),
      ...Object.fromEntries(others),
      'src/run.ts': `${filler(30)}\n  throw new Error(\`there was no lamp "\${name}"\`);\n`,
    });
    const question = 'error: there was no lamp "bleu"; there is blue';
    const wide = findWide(files, 'work:', question);
    expect(wide.files.map(({ path }) => path).slice(0, 2)).toContain('src/run.ts');
    const { length } = findWide(files, 'work:', 'there was no lamp, was there?').files;
    expect(wide.files).toHaveLength(length);
  });

  it('reads more files than it hands on to be ranked by meaning', () => {
    const lamps = Array.from({ length: 40 }, (_, at) => [
      `src/lamp-${at}.ts`,
      `export const lamp${at} = 'lamp';\n`,
    ]);
    const files = treeOf(Object.fromEntries(lamps));
    const read: string[] = [];
    const readAnyText: PassageFs['readAnyText'] = (path, maxBytes) => {
      read.push(path);
      return files.readAnyText(path, maxBytes);
    };
    expect(findWide({ ...files, readAnyText }, 'work:', 'where is the lamp?').files).toHaveLength(
      17,
    );
    expect(read).toHaveLength(26);
  });

  it('names the files that hold the words in no encoding it knows, and not those that went away', () => {
    const others = ['latin.txt', 'binary.txt', 'wide.txt', 'gone.txt'];
    const files = treeOf({
      ...tree,
      ...Object.fromEntries(others.map((path) => [path, 'retry delay'])),
    });
    const readAnyText: PassageFs['readAnyText'] = (path, maxBytes) => {
      if (path === 'binary.txt') throw failed('invalid');
      if (path === 'gone.txt') throw failed('not-found');
      const found = files.readAnyText(path, maxBytes);
      if (path === 'latin.txt') return { ...found, encoding: 'unknown' };
      return path === 'wide.txt' ? { ...found, encoding: 'utf-16le' } : found;
    };
    for (const search of [findPassages, findWide]) {
      const found = search({ ...files, readAnyText }, 'work:', 'retry delay', 5);
      expect(found.notText?.toSorted()).toEqual(['binary.txt', 'latin.txt']);
      expect(search(files, 'work:', 'retry delay', 5)).not.toHaveProperty('notText');
    }
  });

  it('shows the line with a message, however many other words of the question stand elsewhere', () => {
    const files = {
      'lamp.go': [
        'import (',
        '\t"harbour/lamp/wrong/oil"',
        ')',
        'func light(lamp, oil) { wrong(lamp, oil) }',
        filler(60),
        'var errOil = errors.New("wrong lamp for oil")',
        filler(60),
        'func wrongLamp(lamp, oil) { if lamp.wrong { oil(lamp) } }',
      ].join('\n'),
    };
    const { passages } = findPassages(
      treeOf(files),
      'work:',
      'I get the error wrong lamp for oil, what is that?',
      1,
    );
    expect(passages[0]?.text).toContain('errors.New');
  });

  it('shows what a long text names where that is defined, and no imports', () => {
    const files = {
      'src/pier.go': [
        'import (',
        '\t"example.org/harbour/pier"',
        '\t"example.org/harbour/pier/lamp"',
        ')',
        filler(60),
        'func (p *pier) LightAll() {',
        '\tstep()',
        '}',
      ].join('\n'),
    };
    const trace =
      'panic at the pier\n\ngoroutine 7 [running]:\nexample.org/harbour/pier.(*pier).LightAll(0xc000123456, {0x1f2e3d})\n\t/harbour/src/pier.go:66 +0x1c5\ncreated by example.org/harbour/pier.lamp in goroutine 1, which is long ago and far away from here and now, so that this is a text of more characters';
    const { passages } = findPassages(treeOf(files), 'work:', trace, 1);
    expect(passages[0]?.text).toContain('LightAll');
  });

  it('begins at the line that a trace names or quotes, whatever words stand elsewhere', () => {
    const lines = [
      '# light the lamp, light it',
      'def light():',
      filler(60),
      '  burn(the, oil)',
      filler(60),
    ];
    const files = { 'src/lamp.py': [...lines, 'def douse():', '  pass()'].join('\n') };
    const trace = (line: number, code: string) =>
      `Traceback (most recent call last):\n  File "/app/src/lamp.py", line ${line}, in light\n    ${code}\nValueError: no light`;
    const at = (line: number, code = 'x()') =>
      findPassages(treeOf(files), 'work:', trace(line, code), 1).passages[0]?.line;
    expect(at(90)).toBe(90);
    expect(at(90, 'burn(the, oil)')).toBe(63);
    expect(at(4000)).toBe(1);
    expect(at(125)).toBe(1);
  });

  it('finds something where the tree cannot be searched for a message', () => {
    const files = treeOf(tree);
    const scan = () => {
      throw new Error('no');
    };
    const asked = 'what says "retry delay" of an attempt?';
    const { passages } = findPassages({ ...files, scan }, 'work:', asked, 5);
    expect(passages.map(({ path }) => path)).toContain('src/http/backoff.ts');
  });

  it.each([
    ['in another script', 'повтор запроса 再試行の間隔'],
    ['of signs only', '?!… —'],
    ['with signs in a message', 'who says "no (lamp)-post? [x] {1} a|b/c" of it'],
    ['of 100 KB', 'retry delay attempt '.repeat(5000)],
    ['with half of a surrogate pair', 'retry \ud800 delay'],
  ])('takes a question %s', (_, question) => {
    expect(() => find(question)).not.toThrow();
  });

  it('gives nothing for words that stand nowhere', () => {
    expect(find('zebra crossing').passages).toEqual([]);
  });
});

describe('findPassages() among documents', () => {
  const prose = (lines: number) =>
    Array.from({ length: lines }, (_, at) => `The harbour has ${at} ropes.`).join('\n');
  const documents = {
    'docs/guide.md': `# Guide\n\n${prose(900)}\n\n## Lamps of a pier\n\nGive each lamp a wick.\n`,
    'docs/writing.md': '# Writing\n\nHow to write a text, and how to write it well: write.\n',
    'CHANGELOG.md': '# Changes\n\n- Fixed a lamp of a pier.\n',
  };
  const asked = 'how do I write a lamp of a pier?';
  const placesIn = (files: Record<string, string>, question = asked) =>
    findPassages(treeOf(files), 'work:', question, 5, 'documents').passages.map(
      ({ path, text }) => `${path}: ${text.split('\n')[0]}`,
    );

  it('begins at the heading that speaks of it, however long the document is', () => {
    expect(placesIn(documents)[0]).toBe('docs/guide.md: ## Lamps of a pier');
  });

  it('knows headings by the signs below them', () => {
    const underlined = {
      'docs/guide.rst': `Guide\n=====\n\n${prose(60)}\n\nLamps of a pier\n***************\n\nA wick.\n`,
      'docs/other.rst': `Other\n=====\n\n${prose(60)}\n\nIt has a lamp of a pier, and lamps.\n`,
    };
    expect(placesIn(underlined)[0]).toBe('docs/guide.rst: Lamps of a pier');
  });

  it('shows a copy of a document once', () => {
    const copies = { 'docs/v1/a.md': documents['docs/writing.md'], ...documents };
    const places = placesIn(copies, 'how do I write well?');
    expect(places.filter((place) => place.endsWith('# Writing'))).toHaveLength(1);
  });

  it('does not read comments of Markdown', () => {
    const hidden = { 'README.md': '<!-- the lamp of a pier -->\n\nA kit.\n' };
    expect(placesIn(hidden, 'lamp of a pier')).toEqual([]);
    const plain = { 'README.md': 'the lamp of a pier\n\nA kit.\n' };
    expect(placesIn(plain, 'lamp of a pier')).toEqual(['README.md: the lamp of a pier']);
  });
});

it('begins at the line with a version, where a log of changes has no word of the question', () => {
  const log =
    '# Lamps\n\n## 4.7.0 (2020-10-12)\n\n- Red ones.\n\n## 4.6.0 (2020-03-27)\n\n- Blue ones.\n';
  const files = treeOf({ 'CHANGES.md': log, 'src/fix.ts': 'const fix = 1;\n'.repeat(9) });
  const { passages } = findPassages(files, 'work:', 'what did 4.6.0 fix?', 3);
  expect(passages).toContainEqual(expect.objectContaining({ path: 'CHANGES.md', line: 7 }));
});
