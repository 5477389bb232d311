/**
 * Below 0 when a walk comes by the one path first. It goes depth first, in byte order of names:
 * what is in `a` stands before `a.txt`.
 */
export function compareInWalk(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) {
    const unit = one.charCodeAt(at);
    const otherUnit = other.charCodeAt(at);
    if (unit !== otherUnit) return rank(unit) - rank(otherUnit);
  }
  return one.length - other.length;
}

const slash = 0x2f;

/** Bytes of UTF-8 are in the order of code points; surrogates stand for those above all others. */
function rank(unit: number): number {
  if (unit === slash) return 0;
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
