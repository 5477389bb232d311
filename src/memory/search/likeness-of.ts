/** The meaning of an embedder's cosines, measured on questions and facts in other words. */
export type CosineUse = {
  /** cosines up to this one count as 0 */
  cosineFloor: number;
  /** a fact as near as this to a question perhaps answers it, where both share no word */
  perhapsCosine: number;
  /** a fact as near as this mostly answers it */
  sureCosine: number;
};

/**
 * A cosine on a scale that embedders share: 0 at the floor, 0.5 for what perhaps answers, 1 for what
 * mostly does, more above. It rises with the cosine, so that it changes no order.
 */
export function likenessOf(cosine: number | undefined, use: CosineUse | undefined): number {
  if (cosine === undefined || use === undefined) return 0;
  const { cosineFloor: floor, perhapsCosine: perhaps, sureCosine: sure } = use;
  if (cosine <= floor) return 0;
  if (cosine <= perhaps) return (0.5 * (cosine - floor)) / (perhaps - floor);
  return 0.5 + (0.5 * (cosine - perhaps)) / (sure - perhaps);
}

/**
 * Cosine of two vectors of length 1.
 *
 * @returns undefined where one is missing or says nothing (all zeros)
 */
export function cosineOf(
  left: Float32Array | undefined,
  right: Float32Array | undefined,
): number | undefined {
  if (left === undefined || right === undefined || left.length !== right.length) return undefined;
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < left.length; at += 1) {
    const value = right[at] as number;
    sum += (left[at] as number) * value;
    squares += value * value;
  }
  return squares === 0 ? undefined : sum;
}
