import { describe, expect, it } from 'vitest';
import { LineError } from './line-error.ts';
import { type LineState, parseLine } from './parse-line.ts';
import { type RunPorts, runPlan } from './run-plan.ts';

const start: LineState = { variables: new Map(), cwd: '' };

/** Programs that do one plain thing each, so that what reaches them can be seen. */
function place() {
  const files = new Map<string, string>([['in.txt', 'from a file\n']]);
  const calls: string[] = [];
  const ports: RunPorts = {
    exec: ({ program, args, cwd, stdin }) => {
      calls.push([`${cwd}>`, program, ...args].join(' '));
      const [code = '0'] = args;
      const answers: Record<string, { exitCode: number; stdout?: string; stderr?: string }> = {
        say: { exitCode: 0, stdout: `${args.join(' ')}\n` },
        complain: { exitCode: 0, stdout: 'out\n', stderr: 'err\n' },
        shout: { exitCode: 0, stdout: (stdin ?? 'nothing').toUpperCase() },
        fail: { exitCode: Number(code) },
      };
      const answer = answers[program] ?? { exitCode: 127 };
      return { stdout: '', stderr: '', truncated: program === 'flood', ...answer };
    },
    expand: (glob) => (glob === '*.txt' ? ['a.txt', 'b.txt'] : []),
    isFolder: (folder) => folder === 'src',
    read: (path) => files.get(path) ?? '',
    write: (path, text, append) => {
      files.set(path, (append ? (files.get(path) ?? '') : '') + text);
    },
    progress: () => {},
  };
  const run = (line: string) => runPlan(parseLine(line, start), start, ports);
  return { files, calls, run };
}

describe('runPlan()', () => {
  it('goes on behind &&, || and ; as a shell does', () => {
    const { run } = place();
    expect(run('fail 1 && say a || say b; say c').stdout).toBe('b\nc\n');
    expect(run('fail 0 && say a || say b').stdout).toBe('a\n');
    expect(run('say x; fail 3').exitCode).toBe(3);
  });

  it('hands the output of a program to the next one', () => {
    const { run } = place();
    expect(run('say hello | shout')).toMatchObject({ stdout: 'HELLO\n', exitCode: 0 });
    expect(run('fail 2 | shout')).toMatchObject({ stdout: '', exitCode: 0 });
    expect(() => run('flood | shout')).toThrow('more than a pipe holds');
  });

  it('puts in what programs print, each run when it is its turn', () => {
    const { run, calls } = place();
    expect(run('say $(say a; say b) "$(say c d)" $(fail 3)').stdout).toBe('a b c d\n');
    expect(calls).toEqual(['> say a', '> say b', '> say c d', '> fail 3', '> say a b c d']);
    expect(run('X=$(say 1 2); say "$X" $X').stdout).toBe('1 2 1 2\n');
    expect(run('X=$(fail 4) || say b')).toMatchObject({ stdout: 'b\n' });
    expect(run('X=$(say `say deep`); say $X').after.variables.get('X')).toBe('deep');
    expect(run("say $(say '*.txt')").stdout).toBe('a.txt b.txt\n');
    expect(run('say "$(say \'*.txt\')"').stdout).toBe('*.txt\n');
    expect(() => run('say $(flood)')).toThrow('more than a line holds');
    expect(() => run('say $(say $HOME)')).toThrow('HOME has no value');
  });

  it('writes output to files, where it is redirected, and reads input from them', () => {
    const { run, files } = place();
    expect(run('say a > x; say b >> x; shout < in.txt').stdout).toBe('FROM A FILE\n');
    expect(files.get('x')).toBe('a\nb\n');
    run('cd src; complain > out.txt 2> ../err.txt');
    expect([files.get('src/out.txt'), files.get('err.txt')]).toEqual(['out\n', 'err\n']);
    run('complain &> both');
    expect(files.get('both')).toBe('out\nerr\n');
    expect(run('complain 2>&1 | shout').stdout).toBe('OUT\nERR\n');
    expect(run('complain 2>/dev/null')).toMatchObject({ stdout: 'out\n', stderr: '' });
  });

  it('ends a line whose cd fails, and keeps the folder of one that does not', () => {
    const { run, calls } = place();
    expect(run('cd src; say a').after.cwd).toBe('src');
    expect(run('cd nowhere; say b')).toMatchObject({ exitCode: 1, stdout: '', after: { cwd: '' } });
    expect(calls).toEqual(['src> say a']);
  });

  it('puts files in place of a pattern, and leaves one that matches none', () => {
    const { run } = place();
    expect(run('say *.txt *.py').stdout).toBe('a.txt b.txt *.py\n');
  });

  it('runs nothing of a line when one part cannot run', () => {
    const { run, calls } = place();
    for (const line of [
      'say a; say ~',
      'say a; say $HOME',
      'say a > ../x',
      'say a; say b > /etc/x',
    ]) {
      expect(() => run(line), line).toThrow(LineError);
    }
    expect(calls).toEqual([]);
  });
});
