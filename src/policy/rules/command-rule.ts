import { splitWords } from '../../lib/text/words.ts';

/** What a rule says of a command that it matches. */
export type CommandDecision = 'allow' | 'ask' | 'deny';

/**
 * The kind of a value, which decides how it is checked before a rule allows it: `pattern` is searched for and
 * never opened, `text` and `path` must not lead outside the workspace, and a `RegExp` alone says what may stand there.
 */
export type ValueKind = 'pattern' | 'text' | 'path' | RegExp;

/** How an option is written: alone, with a value behind `=` or nothing, or with a value. */
export type OptionKind = 'flag' | 'optional' | Exclude<ValueKind, RegExp>;

/** Each option that a rule knows, as it is typed (`-n`, `--lines`); no other is allowed. */
export type OptionTable = ReadonlyMap<string, OptionKind>;

export type Operands = {
  /** of the first operands, in order */
  kinds: readonly ValueKind[];
  /** of all that follow; undefined when none may follow */
  rest: ValueKind | undefined;
};

/** What the arguments of a program look like. */
export type ArgumentShape =
  | { form: 'any' }
  /** whole words: literal, `*` for any one of them, and `...` at the end for any number */
  | { form: 'words'; words: readonly string[] }
  | {
      form: 'options';
      /**
       * `gnu`: `-abc`, `-n5`, `--name=value`; `words`: `-name value` as `find` reads it; `plain`:
       * nothing is an option
       */
      style: 'gnu' | 'words' | 'plain';
      /** options between the program and its subcommand */
      before: OptionTable;
      subcommand: readonly string[];
      options: OptionTable;
      operands: Operands;
      /** options that give the pattern; with one of them the first operand is a path, too */
      patternGivenBy: readonly string[];
      /** at least one of these options is required; empty: none is */
      requires: readonly string[];
    };

export type CommandRule = {
  name: string;
  decision: CommandDecision;
  reason: string;
  source: 'shipped' | 'user';
  /** the rule counts only in a run that names this set */
  set?: string;
  /** plain names of programs */
  programs: ReadonlySet<string>;
  shape: ArgumentShape;
  /** each must match some argument */
  with: readonly RegExp[];
  /** none may match any argument */
  without: readonly RegExp[];
};

/** A program with its arguments, no shell in between. */
export type Command = {
  program: string;
  args: readonly string[];
  /** where it runs: `work:src`, `src`, or empty for the workspace itself */
  cwd: string;
};

/** What is known of the paths that a command may name. */
export type Places = {
  /** folders that a command may name by absolute path */
  roots?: readonly string[];
  /** of a path relative to the workspace; the default list when absent */
  isProtected?(path: string): boolean;
};

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
