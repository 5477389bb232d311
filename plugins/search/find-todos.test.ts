import { describe, expect, it } from 'vitest';
import { findTodo, todoTypes } from './find-todos.ts';

const find = (path: string, text: string) => findTodo({ path, line: 3, text }, todoTypes);

describe('findTodo()', () => {
  it.each([
    ['a.ts', 'call(); // TODO: say why', 'TODO', 'say why'],
    ['a.py', '# FIXME(ann) breaks on Windows', 'FIXME', 'breaks on Windows'],
    ['a.rs', '    /* HACK: until 1.0 */', 'HACK', 'until 1.0'],
    ['a.java', ' * XXX not thread safe', 'XXX', 'not thread safe'],
    ['a.html', '<p>x</p> <!-- TODO add a link -->', 'TODO', 'add a link'],
    ['a.sh', 'run # TODO quote', 'TODO', 'quote'],
    ['a.sql', 'select 1 -- TODO: index', 'TODO', 'index'],
    ['a.go', 'url := "http://x" // TODO: config', 'TODO', 'config'],
  ])('finds it in %s: %s', (path, line, type, text) => {
    expect(find(path, line)).toEqual({ path, line: 3, type, text });
  });

  it.each([
    ['a.ts', "const types = ['TODO', 'FIXME'];"],
    ['a.ts', 'print("// TODO: not one")'],
    ['a.ts', 'const TODO = 1;'],
    ['a.py', 'log("# FIXME later")'],
    ['a.ts', "// finds 'TODO' in comments"],
    ['a.ts', '// the word TODO in a sentence'],
    ['a.go', 'url := "http://TODO/x"'],
  ])('finds none in %s: %s', (path, line) => {
    expect(find(path, line)).toBeUndefined();
  });
});
