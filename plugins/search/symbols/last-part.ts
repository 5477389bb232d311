/** `open` of `Store.open()`: lines name what they define or use, not where it belongs. */
export function lastPart(written: string): string {
  return written
    .trim()
    .replace(/\(.*$/s, '')
    .replace(/^.*(?:\.|::|#|->)(?=.)/s, '');
}
