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
      else if (shell === 'zsh')
        print(`#compdef cuervo\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(tree)}`);
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

function bashScript(tree: CommandTree): string {
  const cases = [...tree].map(([path, words]) => `    "${path}") words="${words.join(' ')}" ;;`);
  // Arguments and values of options are no part of the path: it grows by names of commands alone.
  const known = [...tree.keys()].filter(Boolean).map((path) => `"${path}"`);
  return `_cuervo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
      ${known.join('|')}) path="\${path:+$path }$word" ;;
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

function fishScript(tree: CommandTree): string {
  const lines = [...tree].flatMap(([path, words]) => {
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`;
    return words.map((word) =>
      word.startsWith('--')
        ? `complete -c cuervo -n '${seen}' -l ${word.slice(2)}`
        : `complete -c cuervo -n '${seen}' -a ${word}`,
    );
  });
  return lines.join('\n');
}
