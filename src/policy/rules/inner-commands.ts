import { splitWords } from '../../lib/text/split-words.ts';
import type { Command } from './command-rule.ts';

const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'dash',
  'zsh',
  'ksh',
  'fish',
  'ash',
  'eval',
]);

const wrappers: ReadonlySet<string> = new Set([
  ...['env', 'nice', 'ionice', 'nohup', 'time', 'timeout', 'command', 'busybox', 'xargs', 'exec'],
  ...['stdbuf', 'setsid', 'watch', 'strace', 'builtin', 'toybox', 'chroot', 'unshare'],
]);

/** Nesting that is followed; nobody writes more by hand. */
const maxDepth = 4;
const maxCommands = 64;

/**
 * The commands that a command would start where it is a wrapper (`timeout 5 rm …`) or a shell
 * (`sh -c "…"`), roughly read: good enough to find a denial in them, and for nothing else.
 */
export function innerCommands(command: Command, depth = 0): Command[] {
  if (depth >= maxDepth) return [];
  const name = command.program.slice(command.program.lastIndexOf('/') + 1);
  const inner = shells.has(name) ? ofScript(command) : wrappers.has(name) ? ofWrapper(command) : [];
  return inner.flatMap((each) => [each, ...innerCommands(each, depth + 1)]).slice(0, maxCommands);
}

function ofWrapper({ args, cwd }: Command): Command[] {
  const at = args.findIndex((arg) => !/^-|^[\d.]+[smhd]?$|^[A-Za-z_]\w*=/.test(arg));
  const program = args[at];
  return program === undefined ? [] : [{ program, args: args.slice(at + 1), cwd }];
}

function ofScript({ program, args, cwd }: Command): Command[] {
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
  const script = program === 'eval' ? args.join(' ') : at < 0 ? '' : (args[at + 1] ?? '');
  return script.split(/[;&|\n(){}]+/).flatMap((part) => {
    const [first, ...rest] = splitWords(part);
    return first === undefined ? [] : [{ program: first, args: rest, cwd }];
  });
}
