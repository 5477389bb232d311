/**
 * The user's own `safe.directory` for git in a sandbox, where a root has another path: entries that
 * name a root or what lies below it. Others are of no use there.
 *
 * @param folders root name -> absolute directory
 * @param placeOf where a root stands for git
 * @returns `safe.directory=…` each
 */
export function safeFolders(
  entries: readonly string[],
  folders: Readonly<Record<string, string>>,
  placeOf: (name: string) => string,
): string[] {
  return entries.flatMap((entry) => {
    if (entry === '*' || entry === '') return [`safe.directory=${entry}`];
    return Object.entries(folders).flatMap(([name, folder]) => {
      const covers = entry.endsWith('/*') && `${folder}/`.startsWith(entry.slice(0, -1));
      // Whatever lies below the folder is trusted, and so all of the root is.
      if (covers) return [`safe.directory=${placeOf(name)}`, `safe.directory=${placeOf(name)}/*`];
      if (entry !== folder && !entry.startsWith(`${folder}/`)) return [];
      return [`safe.directory=${placeOf(name)}${entry.slice(folder.length)}`];
    });
  });
}
