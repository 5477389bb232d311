import { describe, expect, it } from 'vitest';
import { commandOf, readOrder } from './orders.ts';
import { toEnglish } from './words/to-english.ts';

const paths = ['src', 'src/x.py', './go.sh'];
const facts = {
  tasks: new Map([
    ['lint', 'npm run lint'],
    ['test', 'npm run test'],
  ]),
  isProgram: (name: string) =>
    ['npm', 'git', 'test', 'find', 'file', 'sort', 'wc', 'cargo', 'make'].includes(name),
  isSubcommand: (program: string, word: string) => program === 'git' && word === 'status',
  isRunner: (program: string) => program === 'npm',
  hasPath: (path: string) => paths.includes(path),
};

const typed = (text: string) => readOrder(text, text, { facts, isModel: false });
const given = (text: string) => readOrder(text, text, { facts: undefined, isModel: false });

describe('readOrder()', () => {
  it.each([
    ['run the tests', 'cuervo run shell.run-tests'],
    ['Please run all tests.', 'cuervo run shell.run-tests'],
    ['run the tests in src/x.py', 'cuervo run shell.run-tests path=src/x.py'],
    ['commit my changes with message "Add x"', "cuervo run git.commit 'message=Add x'"],
    ['replace a with b in src/x.py', 'cuervo run file.edit path=src/x.py old=a new=b'],
    ['rename a.txt to b.txt', 'cuervo run file.move from=a.txt to=b.txt'],
    ['delete the dist folder', 'cuervo run file.delete path=dist'],
    ['stage src/x.py', `cuervo run git.stage 'paths=["src/x.py"]'`],
    ['can you push it', 'cuervo run git.push'],
    ['run git status', "cuervo run shell.run 'command=git status'"],
    ['git status', "cuervo run shell.run 'command=git status'"],
    ['npm test', "cuervo run shell.run 'command=npm test'"],
    ['lint it', "cuervo run shell.run 'command=npm run lint'"],
    ['run lint', "cuervo run shell.run 'command=npm run lint'"],
    ['wc -l src/x.py', "cuervo run shell.run 'command=wc -l src/x.py'"],
    ['run ./go.sh', 'cuervo run shell.run command=./go.sh'],
    ['grep retryLimit', 'cuervo run search.grep pattern=retryLimit literal=true limit=100'],
    ['tree', 'cuervo run file.tree depth=3 lines=20'],
    ['run `cargo build`', "cuervo run shell.run 'command=cargo build'"],
  ])('makes "%s" the call that it names', (text, command) => {
    const order = typed(text);
    expect(order && commandOf(order)).toBe(command);
  });

  it.each([
    ['renomme a.txt en b.txt', 'cuervo run file.move from=a.txt to=b.txt'],
    ['Benenne die Datei a.txt in b.txt um', 'cuervo run file.move from=a.txt to=b.txt'],
    ['renombra a.txt como b.txt', 'cuervo run file.move from=a.txt to=b.txt'],
    ['déplace a.txt vers docs/a.txt', 'cuervo run file.move from=a.txt to=docs/a.txt'],
    ['verschiebe a.txt nach docs/a.txt', 'cuervo run file.move from=a.txt to=docs/a.txt'],
    ['mueve a.txt a docs/a.txt', 'cuervo run file.move from=a.txt to=docs/a.txt'],
    ["supprime le fichier a.txt s'il te plaît", 'cuervo run file.delete path=a.txt'],
    ['Lösche a.txt bitte', 'cuervo run file.delete path=a.txt'],
    ['borra a.txt', 'cuervo run file.delete path=a.txt'],
    ['lance les tests', 'cuervo run shell.run-tests'],
    ['lass die Tests laufen', 'cuervo run shell.run-tests'],
    ['ejecuta las pruebas', 'cuervo run shell.run-tests'],
  ])('makes "%s" the call that it names in English', (text, command) => {
    const order = readOrder(text, toEnglish(text).text, { facts, isModel: false });
    expect(order && commandOf(order)).toBe(command);
  });

  it.each(['commite les changements', 'mach einen Commit', 'haz un commit de los cambios'])(
    'asks "%s" for the message',
    (text) => {
      const english = toEnglish(text).text;
      expect(() => readOrder(text, english, { facts, isModel: false })).toThrow(
        expect.objectContaining({
          hint: 'Do it yourself with: cuervo run git.commit message=…',
        }),
      );
    },
  );

  it.each([
    ['run the tests', 'cuervo run shell.run-tests'],
    ['delete src/old.ts', 'cuervo run file.delete path=src/old.ts'],
  ])('does not do "%s" where nobody typed it, and names the command', (text, command) => {
    expect(() => given(text)).toThrow(
      expect.objectContaining({ hint: `Do it yourself with: ${command}` }),
    );
  });

  it('makes no command line of one that nobody typed', () => {
    for (const text of ['npm test', 'run git status', 'run ./go.sh', 'lint it'])
      expect(given(text)).toBeUndefined();
  });

  it('names the command that takes a change back', () => {
    expect(() => typed('undo my last change')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('with: cuervo undo;') }),
    );
    expect(typed('undo buffers')).toBeUndefined();
  });

  it.each([
    ...['change MaxRetries to 7', 'set the port to 9000', 'rename A to B in src/x.py'],
    ...['mark the dentist todo as done', 'add milk to my todo list'],
    ...['rename Mux to Router everywhere', 'run rspec for set_spec.rb', 'run only one test'],
    ...[
      'send an email to Ana',
      'turn on multi-line support for me',
      'remind me to call Jonas',
      'make it faster',
      'shut down the server',
    ],
    ...['lösche alle Logs', 'setze den Port auf 9000', 'borra los logs', 'supprime les journaux'],
    ...['write "hello" into hello.txt', 'add logging to src/x.py', 'sort data/x.csv by amount'],
  ])('does not do "%s" without a model', (text) => {
    expect(() => typed(text)).toThrow('doing this needs a model');
    expect(typed(`how do I ${text}`)).toBeUndefined();
  });

  it.each(['which files > 10 KB', 'find functions >50 lines', 'sort >= 8000'])(
    'makes no command line of a comparison: "%s"',
    (text) => {
      expect(typed(text)).toBeUndefined();
      const order = typed('sort src/x.py > out.txt');
      expect(order && commandOf(order)).toContain('sort src/x.py > out.txt');
    },
  );

  it('reads what is to be explained for somebody', () => {
    expect(typed('explain the retry limit for me')).toBeUndefined();
  });

  it('names the tasks where there is none for "build it"', () => {
    expect(() => typed('build it')).toThrow('no task or program is called "build" here');
  });

  it('names the question that finds what a change is about', () => {
    expect(() => typed('fix the retry limit')).toThrow(
      expect.objectContaining({
        hint: "Choose a model with: cuervo model use NAME; find what it is about with: cuervo ask --as how 'the retry limit'",
      }),
    );
  });

  it.each([
    ['commit my changes', 'Do it yourself with: cuervo run git.commit message=…'],
    ['replace mean with average', 'cuervo run file.edit path=… old=mean new=average'],
    ['fix the failing test', 'cuervo model use NAME'],
    ['write a test for the cart', 'cuervo model use NAME'],
    ['rename suggestSimilar to suggestNear', 'cuervo model use NAME'],
    ['run nothing-like-this', 'Tasks: lint, test.'],
  ])('refuses "%s" with the nearest command', (text, hint) => {
    expect(() => typed(text)).toThrow(
      expect.objectContaining({ code: 'not-found', hint: expect.stringContaining(hint) }),
    );
    // A model reads it itself.
    expect(readOrder(text, text, { facts, isModel: true })).toBeUndefined();
  });

  it.each([
    'how do I run the tests?',
    'what does replace do?',
    'Delete action on rollover: if both glob and regex are given',
    'test coverage',
    'file sizes',
    'find the bug',
    'sort imports',
    'npm test?',
    'the port is 80',
    'zeig die letzten 4 Zeilen von a.md',
    'busca los errores',
    'in den Logs',
    'Rita hat den Schlüssel',
    'remind me what the port is',
    'run the tests\nand fix them',
    'add method in cart',
    'please explain the retry limit for me',
    'anything new for me',
  ])('reads no order in "%s"', (text) => {
    expect(typed(text)).toBeUndefined();
  });
});
