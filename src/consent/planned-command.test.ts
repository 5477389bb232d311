import { expect, it } from 'vitest';
import { plannedCommand } from './planned-authority.ts';

const run = (command: string, more = {}) =>
  plannedCommand({ tool: 'shell.run', input: { command, ...more } });

it('plannedCommand() knows the program of a tool of git, and of a line of plain words', () => {
  const cwd = 'work:';
  expect(plannedCommand({ tool: 'git.status', input: {} })).toEqual({
    program: 'git',
    args: ['status'],
    cwd,
  });
  expect(plannedCommand({ tool: 'git.stage', input: { paths: ['a'] } })).toBeUndefined();
  expect(run('git status')).toEqual({ program: 'git', args: ['status'], cwd });
  expect(run('ls  -la --color=never src/a.ts')).toEqual({
    program: 'ls',
    args: ['-la', '--color=never', 'src/a.ts'],
    cwd,
  });
  expect(run('pwd')).toEqual({ program: 'pwd', args: [], cwd });
});

it.each([
  ['ls | wc'],
  ['ls; rm x'],
  ['ls && ls'],
  ['ls > x'],
  ['ls *.ts'],
  ['ls a?'],
  ['ls {a,b}'],
  ['ls ~'],
  ['cat $HOME'],
  ['cat "a b"'],
  ["cat 'a'"],
  ['cat a\\ b'],
  ['A=1 ls'],
  ['cd src'],
  ['cd'],
  ['ls\nrm x'],
  ['ls\trm'],
  ['ls # x'],
  [' '],
  [''],
])('plannedCommand() knows nothing of %j', (command) => {
  expect(run(command)).toBeUndefined();
});

it('plannedCommand() ignores lines elsewhere and in sessions', () => {
  expect(run('ls', { cwd: 'src' })).toBeUndefined();
  expect(run('ls', { session: 'x' })).toBeUndefined();
  expect(run('ls', { command: { $from: 's1', path: '/x' } })).toBeUndefined();
});
