/**
 * The installed version that a person means: by its whole name, else the newest one that begins
 * with it, as `3.11` means `3.11.7`; `latest` means the newest of all.
 */
export function newestMatch(wanted: string, installed: readonly string[]): string | undefined {
  if (installed.includes(wanted)) return wanted;
  const plain = wanted.replace(/^v/, '');
  const fits = installed.filter(
    (name) => wanted === 'latest' || name.replace(/^v/, '').startsWith(`${plain}.`),
  );
  return fits.sort((one, other) => one.localeCompare(other, 'en', { numeric: true })).at(-1);
}
