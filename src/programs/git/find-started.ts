import { subcommandAt } from './harden-git.ts';

/** Parts of a git command that would start a program, or lead it elsewhere, unasked. */
export type StartedProgram = { text: string; hint: string };

/**
 * Settings that a command line may bring along: none names a program, a file or another
 * configuration. git-config(1), "Variables".
 */
const plainSettings: readonly RegExp[] = [
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^(?:advice|color|column|status|rerere|pull|push|fetch|checkout|stash|apply|pack)\.[a-z.]+$/,
  /^core\.(?:abbrev|autocrlf|checkstat|commentchar|compression|eol|filemode|ignorecase)$/,
  /^core\.(?:logallrefupdates|precomposeunicode|preloadindex|quotepath|safecrlf|symlinks)$/,
  /^core\.(?:untrackedcache|warnambiguousrefs|whitespace)$/,
  /^diff\.(?:algorithm|colormoved|colormovedws|context|dirstat|indentheuristic)$/,
  /^diff\.(?:interhunkcontext|mnemonicprefix|noprefix|relative|renamelimit|renames)$/,
  /^merge\.(?:autostash|conflictstyle|directoryrenames|ff|log|renamelimit|renames|stat)$/,
  /^rebase\.(?:abbreviatecommands|autosquash|autostash|missingcommitscheck|stat|updaterefs)$/,
  /^log\.(?:abbrevcommit|date|decorate|follow|mailmap|showroot)$/,
  /^blame\.(?:blankboundary|coloring|date|showemail|showroot)$/,
  /^(?:branch|tag)\.sort$|^versionsort\.[a-z]+$|^branch\.autosetup(?:merge|rebase)$/,
  /^commit\.(?:cleanup|status|verbose)$|^init\.defaultbranch$|^protocol\.version$/,
  /^(?:gc|maintenance)\.auto$|^safe\.directory$/,
];

type Start = {
  subcommands: readonly string[];
  /** of an option: its name, and the shortest part of it that git takes for it */
  option?: readonly [name: string, least: string];
  /** of an option: its letter, also behind others that take no value */
  letter?: RegExp;
  /** what stands first behind the subcommand */
  words?: readonly string[];
};

/** Options by which subcommands of git start a program on their command line. */
const starts: readonly Start[] = [
  { subcommands: ['clone', 'ls-remote'], option: ['upload-pack', 'u'] },
  { subcommands: ['clone'], letter: /^-[46lnqsv]*u/ },
  { subcommands: ['fetch', 'pull'], option: ['upload-pack', 'upl'] },
  { subcommands: ['push'], option: ['receive-pack', 'rece'] },
  { subcommands: ['archive', 'ls-remote', 'push', 'rebase'], option: ['exec', 'e'] },
  { subcommands: ['archive'], option: ['remote', 're'] },
  { subcommands: ['rebase'], letter: /^-[fikmnqrv]*x/ },
  { subcommands: ['grep'], option: ['open-files-in-pager', 'op'], letter: /^-[^efABCm]*O/ },
  { subcommands: ['bisect'], words: ['run', 'view', 'visualize'] },
  { subcommands: ['submodule'], words: ['foreach'] },
];

const hint = 'Run the program by itself, with a grant of its own.';

/**
 * Finds what would have git start another program, or read its settings from elsewhere. That
 * program would run as git does, which sees what is withheld from all others.
 *
 * @param args of git
 * @returns undefined where git starts nothing but itself
 */
export function findStarted(args: readonly string[]): StartedProgram | undefined {
  const at = subcommandAt(args);
  const before = at < 0 ? args : args.slice(0, at);
  for (const [index, arg] of before.entries()) {
    if (/^--(?:exec-path=|config-env)/.test(arg)) {
      return { text: `git ${arg} brings along what git starts`, hint };
    }
    if (/^--(?:git-dir|work-tree)(?:=|$)/.test(arg)) {
      const text = `git ${arg} works on a repository that cuervo did not check`;
      return { text, hint: 'Run git in its folder, or name that with -C.' };
    }
    if (arg !== '-c') continue;
    const name = (before[index + 1] ?? '').replace(/=.*$/s, '');
    if (plainSettings.some((plain) => plain.test(name.toLowerCase()))) continue;
    return { text: `git -c ${name} may name a program, or open what is withheld`, hint };
  }
  const subcommand = args[at] ?? '';
  const after = args.slice(at + 1);
  const end = after.indexOf('--');
  const options = end < 0 ? after : after.slice(0, end);
  for (const { subcommands, option, letter, words = [] } of starts) {
    if (!subcommands.includes(subcommand)) continue;
    const found =
      options.find((arg) => isOption(arg, option) || letter?.test(arg)) ??
      words.find((word) => word === after.find((arg) => !arg.startsWith('-')));
    if (found !== undefined) return { text: `git ${subcommand} ${found} starts a program`, hint };
  }
  return undefined;
}

function isOption(arg: string, option: Start['option']): boolean {
  if (option === undefined) return false;
  const name = /^--([a-z-]+)(?:=|$)/.exec(arg)?.[1] ?? '';
  return option[0].startsWith(name) && name.startsWith(option[1]);
}
