/** Names that are devices in every folder, whatever stands behind a dot. */
const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\..*)?$/i;

/**
 * What Windows takes for another file than its name says: streams of a file (`a.txt:s`), short
 * names (`SECRET~1`), dots and spaces at the end, which it drops, and devices. None of them may
 * be reached: a protected name would have a second spelling. A file whose long name happens to
 * look like a short one cannot be reached either.
 *
 * @param name one segment of a path
 */
export function windowsNameFault(name: string): boolean {
  if (name === '' || name === '.') return false;
  return /[<>:"/\\|?*]|[. ]$|~\d/.test(name) || device.test(name);
}
