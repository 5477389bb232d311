import { LineError } from './line-error.ts';

const control: ReadonlySet<string> = new Set([
  ...['if', 'then', 'else', 'elif', 'fi', 'for', 'while', 'until', 'do', 'done', 'case', 'esac'],
  ...['select', 'function', 'coproc', '{', '}', '[[', ']]', 'in'],
]);

/** What only a shell itself could do; `echo`, `test` and others are programs as well. */
const builtins: ReadonlySet<string> = new Set([
  ...['eval', 'exec', 'source', '.', 'alias', 'unalias', 'export', 'set', 'unset', 'shift', 'trap'],
  ...['return', 'exit', 'break', 'continue', 'local', 'declare', 'typeset', 'readonly', 'read'],
  ...['getopts', 'umask', 'ulimit', 'wait', 'jobs', 'fg', 'bg', 'disown', 'history', 'fc', 'let'],
  ...['command', 'builtin', 'type', 'hash', 'pushd', 'popd', 'dirs', 'shopt', 'mapfile', 'time'],
]);

/**
 * Refuses a word in place of a program that would change how a shell reads the rest.
 *
 * @param word as it was written, and again as it was expanded
 * @throws {LineError} with its name
 */
export function refuseWord(word: string): void {
  if (control.has(word)) throw new LineError(`the control structure ${word} is not supported`);
  if (word === '!') throw new LineError('the negation ! is not supported');
  if (word.startsWith('!')) throw new LineError(`there is no history for ${word}`);
  if (word === '') throw new LineError('a program has no name');
}

/** Why a program cannot be run although the line is understood. */
export function builtinProblem(program: string): string | undefined {
  return builtins.has(program)
    ? `${program} is a builtin of a shell, which is not supported`
    : undefined;
}
