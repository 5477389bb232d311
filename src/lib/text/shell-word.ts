/**
 * A path as one word of a POSIX shell or zsh, for a command that a person is to type. A path that
 * begins with `-` gets a `./`: quotes do not keep a program from taking it for an option.
 */
export function shellWord(text: string): string {
  const path = text.startsWith('-') ? `./${text}` : text;
  // zsh takes a word that begins with = for the place of a program
  const isPlain = /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(path);
  return isPlain ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
