import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineError } from './line-error.ts';
import { parseLine } from './parse-line.ts';
import type { PlannedCommand } from './plan.ts';

const empty = { variables: new Map<string, string>(), cwd: '' };

type Program = Extract<PlannedCommand, { kind: 'program' }>;

function programs(line: string, state = empty): Program[] {
  return parseLine(line, state)
    .pipelines.flatMap(({ commands }) => commands)
    .filter((each): each is Program => each.kind === 'program');
}

function vectors(line: string): string[][] {
  return programs(line).map(({ program, args }) => [program, ...args]);
}

/** Quoting that every POSIX shell reads back as the same word. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

describe('parseLine()', () => {
  it('reads quotes and escapes as a POSIX shell', () => {
    expect(vectors(`echo 'a b' "c d" e\\ f ""`)).toEqual([['echo', 'a b', 'c d', 'e f', '']]);
    expect(vectors(String.raw`echo "a\"b\\c\d\$x" '\n' a'b'"c"`)).toEqual([
      ['echo', String.raw`a"b\c\d$x`, String.raw`\n`, 'abc'],
    ]);
    expect(vectors('echo a\\\nb "c\\\nd" # rest')).toEqual([['echo', 'ab', 'cd']]);
    expect(vectors('echo a#b "$" $')).toEqual([['echo', 'a#b', '$', '$']]);
  });

  it('reads here-documents and here-strings as a POSIX shell', () => {
    const state = { ...empty, variables: new Map([['X', 'a  b']]) };
    const given = (line: string) => programs(line, state).map(({ redirects }) => redirects);
    expect(given('cat <<END\n$X "q" \\$X\nEND\necho')).toEqual([
      [{ text: 'a  b "q" $X\n', fd: 0 }],
      [],
    ]);
    expect(given("cat <<'E' | wc\n$X $(id) `id`\nE")).toEqual([
      [{ text: '$X $(id) `id`\n', fd: 0 }],
      [],
    ]);
    expect(given('cat <<-E\n\t\ta\n\tE')).toEqual([[{ text: 'a\n', fd: 0 }]]);
    expect(given('cat <<A <<B\na\nA\nb\nB\necho')).toEqual([
      [
        { text: 'a\n', fd: 0 },
        { text: 'b\n', fd: 0 },
      ],
      [],
    ]);
    expect(given('cat <<<$X; cat <<< "x"')).toEqual([
      [{ text: 'a  b\n', fd: 0 }],
      [{ text: 'x\n', fd: 0 }],
    ]);
    // What stands behind the end is a command again.
    expect(vectors('cat <<E\nrm a\nE\nls')).toEqual([['cat'], ['ls']]);
  });

  it('tells conditions and pipes apart', () => {
    const { pipelines } = parseLine('a | b && c || d; e\nf', empty);
    expect(pipelines.map(({ when, commands }) => [when, commands.length])).toEqual([
      ['always', 2],
      ['success', 1],
      ['failure', 1],
      ['always', 1],
      ['always', 1],
    ]);
  });

  it('keeps redirections in their order', () => {
    expect(programs('a <in >out 2>>err')[0]?.redirects).toEqual([
      { from: 'in', fd: 0 },
      { to: 'out', append: false, fd: 1 },
      { to: 'err', append: true, fd: 2 },
    ]);
    expect(programs('a 2>&1 &>both')[0]?.redirects).toEqual([
      { fd: 2, like: 1 },
      { to: 'both', append: false, fd: 'both' },
    ]);
    expect(programs('a 12 >x')[0]?.args).toEqual(['12']);
  });

  it('fills in the variables that the line set, split where they were not quoted', () => {
    expect(vectors(`X="a  b"; echo $X "$X" $\{X}c`)).toEqual([
      ['echo', 'a', 'b', 'a  b', 'a', 'bc'],
    ]);
    expect(vectors('X=; echo $X "$X"')).toEqual([['echo', '']]);
    expect(vectors('X=1; Y=$X$X; echo $Y')).toEqual([['echo', '11']]);
  });

  it('leaves the variables of earlier lines and the folder behind', () => {
    const { after } = parseLine('X=$Y; cd a/b; cd ..', {
      variables: new Map([['Y', '2']]),
      cwd: 'src',
    });
    expect([...after.variables]).toEqual([
      ['Y', '2'],
      ['X', '2'],
    ]);
    expect(after.cwd).toBe('src/a');
  });

  it('marks patterns, and not what was quoted', () => {
    expect(programs(`ls *.ts '*.js' \\*.md a"*"b?`)[0]?.patterns).toEqual([
      { arg: 0, glob: '*.ts' },
      { arg: 3, glob: 'a\\*b?' },
    ]);
    expect(programs('[ -f x ]')[0]).toMatchObject({ program: '[', args: ['-f', 'x', ']'] });
  });

  it('plans what a substitution runs, and leaves the argument as it was written', () => {
    const inner = (line: string) => parseLine(line, { variables: new Map(), cwd: '' }).pipelines;
    expect(programs('echo a"$(cd src && ls \')\')" `id`')[0]).toMatchObject({
      args: ["a$(cd src && ls ')')", '$(id)'],
      late: [
        {
          arg: 0,
          parts: [
            { text: 'a', quoted: false },
            { text: '', quoted: true },
            { pipelines: inner("cd src && ls ')'"), quoted: true },
          ],
        },
        { arg: 1, parts: [{ pipelines: inner('id'), quoted: false }] },
      ],
    });
    expect(programs('X=$(id); X=1; echo $X')[0]).not.toHaveProperty('late');
  });

  it('keeps ~, variables without a value and builtins, and says that they cannot run', () => {
    expect(programs('rm ~/x')[0]).toMatchObject({ args: ['~/x'], unknown: /home/ });
    expect(programs('cat "$HOME/x"')[0]).toMatchObject({ args: ['$HOME/x'], unknown: /HOME/ });
    expect(programs('eval ls')[0]).toMatchObject({ program: 'eval', unknown: /builtin/ });
    expect(programs(`cat '~/x' a~`)[0]?.unknown).toBeUndefined();
  });

  it.each([
    ['echo $(id', 'a substitution $( is not closed'],
    ['echo `id', 'a substitution ` is not closed'],
    ['echo $()', 'a substitution $() has no command'],
    ['$(which ls) -l', 'the name of a program cannot be what $(which ls) prints'],
    ['cd $(id)', '$(id) is known only when the line runs'],
    ['ls > $(id)', '$(id) is known only when the line runs'],
    ['echo $(eval $((1)))', 'arithmetic'],
    [`${'echo $('.repeat(9)}id${')'.repeat(9)}`, 'more than 8 substitutions'],
    ['echo $((1+1))', 'arithmetic'],
    [`echo \${X:-1}`, 'only the form'],
    ["echo $'a'", 'quoting by'],
    ['echo $1', 'the variable $1'],
    ['cat <<EOF', 'the here-document << has no line "EOF"'],
    ['cat <<EOF\n$(id)\nEOF', 'is known only when the line runs'],
    ['cat <<EOF\n`id`\nEOF', 'is known only when the line runs'],
    ['cat <<EOF\n$HOME\nEOF', 'the variable HOME has no value'],
    ['cat <<$X\na\n', 'no plain word'],
    ['cat <<', 'no plain word'],
    ['cat 3<<A\nA', '3<< is not supported'],
    ['cat <<< ~', '~ is a home'],
    ['diff <(ls) x', 'process substitution'],
    ['(ls)', 'a subshell or function ('],
    ['f() { ls; }', 'a subshell or function ('],
    ['{ ls; }', 'the control structure {'],
    ['ls & pwd', 'the background &'],
    ['if ls; then pwd; fi', 'the control structure if'],
    ['ls; done', 'the control structure done'],
    ['! ls', 'the negation !'],
    ['!!', 'there is no history for !!'],
    ['echo {a,b}', 'braces'],
    ['echo {1..3}', 'braces'],
    ["echo 'a", "a quote ' is not closed"],
    ['echo "a', 'a quote " is not closed'],
    ['echo \\', 'a \\ is at the end of the line'],
    ['ls &&', 'nothing follows &&'],
    ['ls |', 'nothing follows'],
    ['| ls', '| is in the wrong place'],
    ['X=1 ls', 'X=… before a program'],
    ['a[0]=1', 'a[0]= is not supported'],
    ['ls || X=1', 'a variable that is set after'],
    ['X=1 | ls', 'setting a variable in a pipe'],
    ['cd ..', 'cd .. leads out of the workspace'],
    ['cd /etc', 'cd /etc leads out of the workspace'],
    ['ls && cd a; rm x', 'after && cd FOLDER only && may follow'],
    ['ls || cd a', 'cd after ||'],
    ['ls > *.txt', 'exactly one file has to follow >'],
    ['ls 3> x', '3> is not supported'],
    ['ls >&x', '>&x is not supported'],
    ['*.sh', 'a pattern takes the place of a program'],
    ['ls \u0007', 'the control character U+0007'],
    ['ls \0', 'the control character U+0000'],
  ])('refuses %j by name', (line, named) => {
    const parse = () => parseLine(line, empty);
    expect(parse).toThrow(LineError);
    expect(parse).toThrow(named);
  });

  it('refuses a line above its limits', () => {
    expect(() => parseLine(`echo ${'x'.repeat(16 * 1024)}`, empty)).toThrow('limit 16384');
    expect(() => parseLine('a;'.repeat(101), empty)).toThrow('more than 100 commands');
  });

  it('gives back every vector that was quoted', () => {
    const word = fc.string({ unit: 'grapheme' }).filter((text) => !/[^\P{Cc}\t\n]/u.test(text));
    const program = fc.stringMatching(/^[a-z][a-z0-9-]{0,9}$/).filter((name) => name !== 'cd');
    fc.assert(
      fc.property(program, fc.array(word, { maxLength: 6 }), (name, args) => {
        const [found] = vectors([name, ...args].map(quote).join(' '));
        expect(found).toEqual([name, ...args]);
      }),
      { seed: 20261122 },
    );
  });

  it('ends with a plan or its refusal, whatever the line', () => {
    const piece = fc.oneof(
      fc.constantFrom(...['$', '(', ')', '{', '}', '`', '"', "'", '\\', '&', '|', ';', '<', '>']),
      fc.constantFrom(
        ...['\n', ' ', '#', '~', '!', '*', '[', ']', '=', 'X', 'cd', 'ls', '2', '=1'],
      ),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          for (const { program } of programs(pieces.join(''))) expect(program).not.toBe('');
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(LineError);
        }
      }),
      { seed: 20261122, numRuns: 2000 },
    );
  });
});
