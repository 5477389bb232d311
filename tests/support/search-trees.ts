import fc from 'fast-check';
import type { Files } from './place.ts';

/** Words that files and queries are made of, so that queries find something. */
export const words = [
  ...['retry', 'Retry', 'limit', 'parse', 'parseConfig', 'config', 'error', 'Error', 'queue'],
  ...['TODO', 'return', 'const', 'x1', 'x22', 'foo_bar', 'HTTP', 'maxRetries', 'value', 'in', 'a'],
];

/** A project as people have it: rules at several levels, hidden files, what `!` keeps. */
const project: Files = {
  '.gitignore':
    '# built\n/dist/\n*.log\n!keep.log\nbuild/\ndocs/*.tmp\n**/cache/\nwith space.txt\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/info/exclude': 'excluded.txt\n',
  '.git/config': '[core]\n\tretry = limit\n',
  '.github/workflows/ci.yml': 'on: push\njobs:\n  retry: limit\n',
  '.editorconfig': 'root = true\n# retry\n',
  'README.md': '# Retry\n\nThe limit of `retry` is in src/config.ts.\n',
  'src/config.ts': 'export const maxRetries = 5;\nexport const limit = 10; // TODO: config\n',
  'src/retry.ts':
    "import { maxRetries } from './config.ts';\n\nexport function retry(value: number) {\n  if (value > maxRetries) throw new Error('limit');\n  return value + 1;\n}\n",
  'src/queue/queue.py':
    'class Queue:\n    def retry(self):\n\t\treturn self.limit  # TODO\n\n    def parse(self): pass\n',
  'src/queue/.ignore': 'secret-notes.txt\n',
  'src/queue/secret-notes.txt': 'retry limit\n',
  'src/queue/.gitignore': '!../*.log\nlocal.*\n!local.ts\n',
  'src/queue/local.py': 'retry = 1\n',
  'src/queue/local.ts': 'const retry = 1;\n',
  'src/build/out.ts': 'const retry = 1;\n',
  'src/cache/entry.ts': 'const retry = 1;\n',
  'src/deep/a/b/c/d/e/f.go': 'package retry\n\nfunc Retry() error { return nil }\n',
  'dist/index.js': 'const retry = 1;\n',
  'lib/dist/index.js': 'const retry = 1;\n',
  'docs/guide.md': '# Guide\n\nRetry: see config.\n\n- retry\n- limit\n',
  'docs/guide.tmp': 'retry\n',
  'docs/more/guide.tmp': 'retry limit\n',
  'keep.log': 'retry limit error\n',
  'server.log': 'retry limit error\n',
  'excluded.txt': 'retry\n',
  'with space.txt': 'retry\n',
  'other name.txt': 'retry and limit\n',
  '-dash.txt': 'retry\n',
  '[odd](name).txt': 'retry {limit}\n',
  'quote\'".txt': 'retry "limit"\n',
  Makefile: 'retry:\n\techo limit\n',
};

/** What files are besides LF and ASCII. */
const encodings: Files = {
  'crlf.txt': 'retry one\r\n\r\nlimit two\r\nretry limit\r\n',
  'mixed.txt': 'retry\r\nretry\nlimit\r\nlimit',
  'no-end.txt': 'retry limit\nlast retry',
  'only-ends.txt': '\n\n\n',
  'only-crlf.txt': '\r\n\r\n',
  'empty.txt': '',
  'mark.txt': '\ufeffretry first\nlimit second\n',
  'mark-crlf.txt': '\ufeffretry first\r\nlimit second\r\n',
  'latin1.txt': Buffer.from('caf\xe9 retry\nna\xefve limit\n\xff\xfe\xfd config\n', 'latin1'),
  'cut.txt': Buffer.from([...Buffer.from('retry é'), 0xc3, 0x0a, ...Buffer.from('limit\n')]),
  'utf16le.txt': Buffer.from('\ufeffretry in UTF-16\nlimit é\n', 'utf16le'),
  'utf16be.txt': Buffer.from('\ufeffretry in UTF-16\nlimit é\n', 'utf16le').swap16(),
  'binary.bin': Buffer.from('retry\0retry\nlimit\n'),
  'image.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x72, 0x65]),
  'long.txt': `${'x'.repeat(5000)}retry\n${'limit '.repeat(3000)}\nvalue\n`,
  'longer.json': `{"retry":"${'ab'.repeat(10_000)}","limit":1}\n{"value":2}\n`,
  'grüße.txt': 'Größe retry\nGRÖSSE LIMIT\nstraße Straße STRASSE\n',
  'cyrillic.txt': 'повтор Повтор ПОВТОР\nпредел retry\n',
  'greek.txt': 'όριο ΌΡΙΟ σίγμα ΣΊΓΜΑς\n',
  '漢字.txt': '再試行 retry\n限界\n',
  'emoji 💡.txt': 'retry 💡 limit 🇩🇪\n👩‍👩‍👧 value\n',
  'combining.txt': 'e\u0301 café cafe\u0301 retry\n',
  'separators.txt': 'retry\u2028limit\u2029value\u0085config\nerror\u00a0parse\n',
  'tabs.txt': '\tretry\t\tlimit\n \t value\n',
  'controls.txt': 'retry \u001b[31mlimit\u001b[0m\u0007\n\u000bvalue\u000cconfig\n',
  'turkish.txt': 'İstanbul ıstanbul ISTANBUL istanbul retry\n',
};

const fileNames = ['a', 'b', 'c', 'notes', 'index', 'x1', 'Retry', 'Ünï'];
const suffixes = ['.ts', '.js', '.md', '.log', '.txt', ''];
const folders = ['', 'src/', 'lib/', 'src/lib/', 'src/lib/deep/', '.cfg/', 'docs/', 'docs/a b/'];

const rule = fc
  .tuple(
    fc.constantFrom('', '', '', '!'),
    fc.constantFrom('', '/', '**/'),
    fc.constantFrom(
      '*.log',
      '*.md',
      'src',
      'lib',
      'docs',
      'a.*',
      'b*',
      'notes.t?t',
      'x[0-9].*',
      'deep',
      'src/lib',
      '*.[jt]s',
      'c',
    ),
    fc.constantFrom('', '', '/', '/**', '/*'),
  )
  .map((parts) => parts.join(''));

const line = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom('(', ')', '=', '.', '+', '"', "'")), {
    maxLength: 6,
  })
  .map((parts) => parts.join(' '));

/** Files of plain text at chance, with rules at chance at three levels. */
const random = fc
  .record({
    files: fc.uniqueArray(
      fc.tuple(
        fc.constantFrom(...folders),
        fc.constantFrom(...fileNames),
        fc.constantFrom(...suffixes),
      ),
      { minLength: 60, maxLength: 60, selector: (parts) => parts.join('') },
    ),
    texts: fc.array(fc.array(line, { maxLength: 12 }), { minLength: 60, maxLength: 60 }),
    rules: fc.tuple(
      fc.array(rule, { minLength: 2, maxLength: 5 }),
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      fc.array(rule, { minLength: 1, maxLength: 3 }),
      fc.array(rule, { maxLength: 2 }),
    ),
  })
  .map(({ files, texts, rules }): Files => {
    const [top, source, docs, dot] = rules.map((list) => `${list.join('\n')}\n`);
    return {
      ...Object.fromEntries(
        files.map((parts, at) => [parts.join(''), `${texts[at]?.join('\n') ?? ''}\n`]),
      ),
      '.gitignore': top ?? '',
      'src/.gitignore': source ?? '',
      'docs/.ignore': docs ?? '',
      'src/lib/.gitignore': dot ?? '',
    };
  });

/** @param seed of the third tree */
export function searchTrees(seed: number): { project: Files; encodings: Files; random: Files } {
  const [made = {}] = fc.sample(random, { seed, numRuns: 1 });
  return { project, encodings, random: made };
}
