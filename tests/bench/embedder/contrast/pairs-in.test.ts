import { expect, it } from 'vitest';
import { pairsIn } from './pairs-in.ts';

const body = '  const path = join(folder, name);\n  return readFileSync(path, options).toString();';

it('pairsIn() takes the first paragraph above a definition and the lines of its body', () => {
  const text = `/**\n * Reads the file that was asked for.\n *\n * It may be large.\n * @param name of it\n */\n@memoized\nexport function read(name) {\n${body}\n}\n\nconst other = 1;\n`;
  expect(pairsIn(text, 'other')).toEqual([
    {
      comment: 'Reads the file that was asked for.',
      code: `export function read(name) {\n${body}\n}`,
    },
  ]);
});

it('pairsIn() reads comments of several lines, and braces that open again', () => {
  const text = `// Read gives back the bytes\n// of one file.\nfunc Read(name string) ([]byte, error) {\n${body}\n} else {\n  return nil\n}\n`;
  expect(pairsIn(text, 'other')).toEqual([
    {
      comment: 'Read gives back the bytes of one file.',
      code: `func Read(name string) ([]byte, error) {\n${body}\n} else {\n  return nil\n}`,
    },
  ]);
});

it('pairsIn() takes a docstring out of the code that it stands in', () => {
  const text =
    'class Store:\n    def read(\n        self, name\n    ):\n        """Gives the bytes of one file back.\n\n        Args:\n            name: of it\n        """\n        path = self.folder / name\n        return path.read_bytes()\n\n    x = 1\n';
  expect(pairsIn(text, 'python')).toEqual([
    {
      comment: 'Gives the bytes of one file back.',
      code: '    def read(\n        self, name\n    ):\n        path = self.folder / name\n        return path.read_bytes()\n',
    },
  ]);
});

it('pairsIn() leaves what says nothing, says it too briefly, or stands above nothing', () => {
  const code = `function read() {\n${body}\n}\n`;
  expect(pairsIn(`// Copyright by those who wrote it.\n${code}`, 'other')).toEqual([]);
  expect(pairsIn(`// Reads it.\n${code}`, 'other')).toEqual([]);
  expect(pairsIn('// All that follows is about files.\n\nconst a = 1;\n', 'other')).toEqual([]);
  expect(pairsIn('def read(name):\n    return open(name).read()\n', 'python')).toEqual([]);
});
