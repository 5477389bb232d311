/**
 * How rare each piece of a question is among the texts at hand: ln(1 + (n − f + .5) / (f + .5))
 * where f of n texts have it, as in BM25. A name that is in every turn of a conversation says
 * little, whatever it says elsewhere.
 *
 * @param pieces as the model's tokenizer cut the question
 */
export function pieceWeights(pieces: readonly string[], pool: readonly string[]): number[] {
  const texts = pool.map((text) => text.toLowerCase());
  const known = new Map<string, number>();
  return pieces.map((piece) => {
    const wanted = piece
      .replace(/^##|^▁|^Ġ/u, '')
      .trim()
      .toLowerCase();
    if (wanted === '' || !/[\p{L}\p{N}]/u.test(wanted)) return 0.1;
    let weight = known.get(wanted);
    if (weight === undefined) {
      const holders = texts.filter((text) => text.includes(wanted)).length;
      weight = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
      known.set(wanted, weight);
    }
    return weight;
  });
}
