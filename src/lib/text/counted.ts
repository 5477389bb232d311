/** `1 file`, `3 files`: for words whose plural ends with an `s`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
