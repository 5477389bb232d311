import { type Command, Option } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { print } from './output.ts';

const examples = `
Examples:
  source <(cuervo completion bash)
  cuervo completion zsh > "\${fpath[1]}/_cuervo"
  cuervo completion fish | source
`;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion [shell]')
    .description('print a completion script for bash, zsh or fish')
    .addOption(new Option('--words <kind>').hideHelp())
    .addHelpText('after', examples)
    .action(async (shell: string | undefined, flags: { words?: string }) => {
      if (flags.words !== undefined) {
        await printWords(flags.words);
        return;
      }
      const tree = commandTree(program);
      if (shell === 'bash') print(bashScript(tree));
      else if (shell === 'zsh') print(zshScript(tree));
      else if (shell === 'fish') print(fishScript(tree));
      else {
        throw new KernelError(
          'invalid-argument',
          shell === undefined ? 'no shell was named' : `there is no completion for "${shell}"`,
          {
            hint: 'Name one, e.g. cuervo completion bash',
          },
        );
      }
    });
}

/** `'plugin install'` -> its subcommands and flags; `''` is the program itself. */
type CommandTree = Map<string, string[]>;

function commandTree(program: Command): CommandTree {
  const tree: CommandTree = new Map();
  const add = (command: Command, path: string): void => {
    const flags = command.options.flatMap(({ hidden, long }) => (hidden ? [] : (long ?? [])));
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
    const names = command.commands.map((child) => child.name());
    tree.set(path, [...names, ...choices, ...flags, '--help']);
    for (const child of command.commands) add(child, `${path} ${child.name()}`.trim());
  };
  add(program, '');
  return tree;
}

/** Only names of commands are part of a path; arguments and values of options are not. */
function pathsOf(tree: CommandTree, between: string): string {
  const paths = [...tree.keys()].filter(Boolean);
  return paths.map((path) => `"${path}"`).join(between);
}

/**
 * A branch for each kind of names: the commands whose argument is one. The program on `PATH` is asked,
 * because a key that completes `./cuervo` must not run what lies in that folder.
 */
function kindCases(caseOf: (paths: string, kind: string) => string): string {
  const byKind = Map.groupBy(Object.entries(argumentKinds), ([, kind]) => kind);
  return [...byKind]
    .map(([kind, rows]) => caseOf(rows.map(([path]) => `"${path}"`).join('|'), kind))
    .join('\n');
}

function bashScript(tree: CommandTree): string {
  const cases = [...tree].map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  return `_cuervo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${pathsOf(tree, '|')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$current" in -*) ;; *)
    case "$path" in
${kindCases((paths, kind) => `      ${paths}) words="$words $(command cuervo completion --words ${kind} 2>/dev/null)" ;;`)}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _cuervo cuervo`;
}

/** zsh looks programs up in `path`, so no variable here may have this name. */
function zshScript(tree: CommandTree): string {
  const cases = [...tree].map(([path, words]) => `    "${path}") found=(${words.join(' ')}) ;;`);
  return `#compdef cuervo
_cuervo() {
  local at="" word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$word" in
      ${pathsOf(tree, '|')}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  case "$at" in
${kindCases((paths, kind) => `    ${paths}) [[ "\${words[CURRENT]}" = -* ]] || found+=("\${(@f)$(command cuervo completion --words ${kind} 2>/dev/null)}") ;;`)}
  esac
  compadd -a found || _files
}
# A file of fpath is the function itself, at its first call; what is sourced is not.
if [[ "\${funcstack[1]}" = _cuervo ]]; then _cuervo "$@"; else compdef _cuervo cuervo; fi`;
}

function fishScript(tree: CommandTree): string {
  const lines = [...tree].flatMap(([path, words]) =>
    words.map((word) => {
      const offer = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c cuervo -n '__cuervo_is "${path}"' ${offer}`;
    }),
  );
  const names = Object.entries(argumentKinds).map(
    ([path, kind]) =>
      `complete -c cuervo -n '__cuervo_is "${path}"' -f -a '(command cuervo completion --words ${kind} 2>/dev/null)'`,
  );
  return `function __cuervo_is
  set -l at
  set -l words (commandline -opc)
  set -e words[1]
  for word in $words
    switch "$at$word"
      case ${pathsOf(tree, ' ')}
        set at "$at$word "
    end
  end
  test "$at" = "$argv[1]" -o "$at" = "$argv[1] "
end
${[...lines, ...names].join('\n')}`;
}

/** Kinds of arguments; completion scripts ask for values by these names. */
const argumentKinds: Readonly<Record<string, 'tools' | 'runs' | 'plugins' | 'sessions'>> = {
  run: 'tools',
  tools: 'tools',
  undo: 'runs',
  apply: 'runs',
  'runs diff': 'runs',
  'runs guard': 'runs',
  'runs output': 'runs',
  'session show': 'sessions',
  'plugin grants': 'plugins',
  'plugin grant': 'plugins',
  'plugin revoke': 'plugins',
  'plugin remove': 'plugins',
};

const maxWords = 200;
/** Words that need no quotes in a shell. Other names are not offered. */
const plain = /^[\w.@:-]+$/;

/** For completion scripts alone: the words that an argument may be, one a line, and no error. */
async function printWords(kind: string): Promise<void> {
  const words = await wordsOf(kind).catch(() => []);
  for (const word of words.filter((each) => plain.test(each))) process.stdout.write(`${word}\n`);
}

async function wordsOf(kind: string): Promise<string[]> {
  const { openKernel } = await import('../kernel.ts');
  await using kernel = await openKernel();
  if (kind === 'tools') return (await kernel.tools()).map(({ name }) => name);
  if (kind === 'plugins') return [...new Set((await kernel.tools()).map(({ plugin }) => plugin))];
  if (kind === 'runs') return (await kernel.undo.allRuns(maxWords)).map(({ run }) => run);
  if (kind !== 'sessions') return [];
  const store = await kernel.store();
  return store.sessions({ project: kernel.config.workspace, limit: maxWords }).map(({ id }) => id);
}
