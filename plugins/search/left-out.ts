/** What a limit kept from the answer, in words; nothing where there is nothing to say. */
export function leftOut(
  cuts: readonly string[],
  between: string,
  advice: string,
): { cut?: string } {
  return cuts.length === 0 ? {} : { cut: `left out: ${cuts.join(between)}${advice}` };
}
