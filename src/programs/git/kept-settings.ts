/**
 * Settings of a repository that say what its files and branches are, and start nothing: the form
 * of the names, and what the value may look like. git-config(1), "Variables".
 */
const kept: readonly (readonly [RegExp, RegExp])[] = [
  [/^branch\..+\.(?:remote|merge)$/s, /^[\w./@+-]+$/],
  [/^remote\..+\.fetch$/s, /^\^?\+?[\w./*@+-]+(?::[\w./*@+-]+)?$/],
  // Without user and password, which are nobody else's.
  [
    /^remote\..+\.url$/s,
    /^(?:https?:\/\/[\w.:-]+\/|ssh:\/\/|[\w.-]+@[\w.-]+:|\.{0,2}\/)[\w./~+:@-]*$/,
  ],
  [
    /^core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|precomposeunicode|symlinks|quotepath)$/,
    /^\w+$/,
  ],
  [/^(?:diff\.(?:renames|algorithm|noprefix|mnemonicprefix)|merge\.conflictstyle)$/, /^\w+$/],
  [/^status\.(?:relativepaths|renames)$/, /^\w+$/],
];

/** Beyond it a command line gets too long; nobody works on so many branches. */
const maxSettings = 400;
const maxLength = 300;

/**
 * What a repository's configuration says of its files and branches. In the sandbox that file reads
 * as empty, for it may hold secrets and name programs; these are said on the command line.
 *
 * @param listed what `git config --list -z` prints
 * @returns `NAME=VALUE` each, in their order
 */
export function keptSettings(listed: string): string[] {
  return listed
    .split('\0')
    .flatMap((entry) => {
      const end = entry.indexOf('\n');
      if (end < 0 || entry.length > maxLength) return [];
      const [name, value] = [entry.slice(0, end), entry.slice(end + 1)];
      // On a command line the first `=` ends the name.
      const isKept = !/[=\n]/.test(name) && kept.some(([n, v]) => n.test(name) && v.test(value));
      return isKept ? [`${name}=${value}`] : [];
    })
    .slice(0, maxSettings);
}

/** How a repository names its objects; git reads it from the configuration file alone. */
export function isSha256(listed: string): boolean {
  return /(?:^|\0)extensions\.objectformat\nsha256\0/.test(listed);
}

/**
 * The format of a repository, if it is one that cannot be shown to git: git reads it from a file that
 * is empty in the sandbox, and would take the repository for another format.
 *
 * @param listed as of `keptSettings`
 * @returns `refstorage reftable`, for a message
 */
export function unusualFormat(listed: string): string | undefined {
  const found =
    /(?:^|\0)extensions\.(objectformat\n(?!sha(?:1|256)\0)|refstorage\n(?!files\0))([\w-]{1,40})/i.exec(
      listed,
    );
  return found === null ? undefined : `${found[1]?.trim()} ${found[2]}`;
}
