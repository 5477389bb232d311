/** Letters of a piece; shorter ones stand in any text. */
const minPiece = 4;
/** Places at which one piece is tried. */
const maxPlaces = 64;

/**
 * Whether a form of a secret stands in a text piece by piece, in its order, with anything between.
 *
 * @param form letters and digits alone, as the text
 */
export function isSpelled(form: string, text: string): boolean {
  /** Letters of the form that are found -> where the text goes on behind them, at the earliest. */
  const behind = new Map<number, number>([[0, 0]]);
  for (let known = 0; known + minPiece <= form.length; known += 1) {
    const from = behind.get(known);
    if (from === undefined) continue;
    const piece = form.slice(known, known + minPiece);
    let at = text.indexOf(piece, from);
    for (let place = 0; at >= 0 && place < maxPlaces; place += 1) {
      for (let length = minPiece; ; length += 1) {
        const end = known + length;
        behind.set(end, Math.min(behind.get(end) ?? text.length, at + length));
        if (end === form.length) return true;
        if (form[end] !== text[at + length]) break;
      }
      at = text.indexOf(piece, at + 1);
    }
  }
  // The rest is shorter than a piece.
  return Math.max(...behind.keys()) > form.length - minPiece;
}
