/** The names of `isProtectedPath` as patterns of gitattributes(5), in lower case. */
const withheldNames: readonly string[] = [
  ...['*.pem', '*.key', 'id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', '.netrc'],
  ...['credentials.json', '.cuervo', '.env*', '.npmrc'],
  ...['.bashrc', '.zshrc', '.kshrc', '.mkshrc', '.cshrc', '.tcshrc', '.xonshrc', '.profile'],
  ...['.bash_profile', '.zprofile', '.xprofile', '.bash_login', '.bash_logout', '.bash_aliases'],
  ...['.zshenv', '.zlogin', '.zlogout', '.login', '.logout', 'config.fish'],
  ...['profile.ps1', 'microsoft.powershell_profile.ps1'],
];

/**
 * Attributes by which git shows nothing of what a withheld file held in a commit: a difference and
 * a search call it binary. Later lines count more, so a lifted name is shown again.
 *
 * @param entries of the roots, as `protectAlso` takes them
 */
export function withheldAttributes(entries: Readonly<Record<string, readonly string[]>>): string {
  const all = Object.values(entries).flat();
  const tagged = (tag: string): string[] =>
    all.filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length));
  const lines = (patterns: readonly string[], attribute: string): string[] =>
    patterns.flatMap(spellings).map((pattern) => `${quoted(inAnyCase(pattern))} ${attribute}\n`);
  return [
    ...lines([...withheldNames, ...tagged(':add ')], '-diff'),
    ...lines(tagged(':lift '), '!diff'),
  ].join('');
}

/** A pattern of ours names a folder with what lies in it; one of git's does not. */
function spellings(pattern: string): string[] {
  const body = pattern.replace(/^\//, '').replace(/(?:\/\*\*)?\/?$/, '');
  // As for `compilePattern`: a slash before its end ties a pattern to the root.
  const isTied = pattern.replace(/\/$/, '').includes('/');
  return isTied ? [`/${body}`, `/${body}/**`] : [body, `**/${body}/**`];
}

function inAnyCase(pattern: string): string {
  return pattern.replace(/\p{L}/gu, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower === upper ? letter : `[${lower}${upper}]`;
  });
}

/** A pattern with a space would end there. */
function quoted(pattern: string): string {
  return /[\s"#!]/.test(pattern) ? JSON.stringify(pattern) : pattern;
}
