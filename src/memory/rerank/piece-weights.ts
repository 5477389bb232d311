/** Weight of a comma or bracket: less than that of a piece in nearly every text. */
const signWeight = 0.16;

/**
 * What each piece of a question weighs: ln(1 + (n − f + .5) / (f + .5))^.75 where f of n texts at
 * hand have it, as in BM25, and less steep, because these texts were chosen for the pieces. A name
 * that is in every turn of a conversation says little, whatever it says elsewhere.
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
    if (wanted === '' || !/[\p{L}\p{N}]/u.test(wanted)) return signWeight;
    let weight = known.get(wanted);
    if (weight === undefined) {
      const holders = texts.filter((text) => text.includes(wanted)).length;
      weight = Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5)) ** 0.75;
      known.set(wanted, weight);
    }
    return weight;
  });
}
