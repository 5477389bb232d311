import type { Command } from 'commander';
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
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText('after', examples)
    .action((shell: string) => {
      const tree = commandTree(program);
      if (shell === 'bash') print(bashScript(tree));
      else if (shell === 'zsh') print(zshScript(tree));
      else if (shell === 'fish') print(fishScript(tree));
      else {
        throw new KernelError('invalid-argument', `there is no completion for "${shell}"`, {
          hint: 'Use bash, zsh or fish.',
        });
      }
    });
}

/** `'plugin install'` -> its subcommands and flags; `''` is the program itself. */
type CommandTree = Map<string, string[]>;

function commandTree(program: Command): CommandTree {
  const tree: CommandTree = new Map();
  const add = (command: Command, path: string): void => {
    const flags = command.options.flatMap((option) => option.long ?? []);
    tree.set(path, [...command.commands.map((child) => child.name()), ...flags, '--help']);
    for (const child of command.commands) add(child, `${path} ${child.name()}`.trim());
  };
  add(program, '');
  return tree;
}

/** Arguments and values of options are no part of a path: it grows by names of commands alone. */
function pathsOf(tree: CommandTree, between: string): string {
  const paths = [...tree.keys()].filter(Boolean);
  return paths.map((path) => `"${path}"`).join(between);
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
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _cuervo cuervo`;
}

/** `path` is what zsh looks programs up in, and must not be the name of a variable here. */
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
${lines.join('\n')}`;
}
