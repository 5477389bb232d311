/**
 * Below 0 when a walk comes by the one path first. It goes depth first, in byte order of names, and
 * of a folder before what is in it; bytes of text are in the order of its code points.
 */
export function compareInWalk(one: string, other: string): number {
  return Buffer.compare(keyOf(one), keyOf(other));
}

/** No name holds a NUL, so what is in `a` stands before `a.txt`. */
function keyOf(path: string): Buffer {
  return Buffer.from(path.replaceAll('/', '\0'));
}
