/** Protected names that a short pattern is likely to be aimed at. */
const samples = [
  '.env',
  '.env.local',
  'id_rsa',
  'id_ed25519',
  '.npmrc',
  '.netrc',
  '.bashrc',
  '.zshrc',
  '.profile',
  '.cuervo',
  // Whatever stands before the dot.
  '\u0001.pem',
  '\u0001.key',
];

/**
 * True when a segment with `*`, `?` or `[` may stand for a protected name. A segment that is nothing
 * but `*` does not count: what it stands for is judged when it is known.
 */
export function mayMatchProtected(path: string): boolean {
  if (!/[*?[]|\{.*,/.test(path)) return false;
  const segments = path.toLowerCase().split('/');
  return segments.some((segment, at) => {
    if (!/[*?[]|\{.*,/.test(segment)) return false;
    if (segments[at - 1] === '.git') return true;
    return (
      !/^(?:[*?]|\*\.\*)+$/.test(segment) &&
      samples.some((name) => globToRegExp(segment).test(name))
    );
  });
}

/** Wider than any program's reading of the pattern: a class or braces stand for anything. */
function globToRegExp(segment: string): RegExp {
  const source = segment.replace(/\[[^\]]*\]?|\{[^}]*\}?|[^[{]/g, (part) => {
    if (part === '*' || part.startsWith('{')) return '.*';
    if (part === '?' || part.startsWith('[')) return '.';
    return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  // As in a shell, a pattern without a dot in front does not stand for hidden names.
  return new RegExp(`^${/^[*?]/.test(segment) ? '(?!\\.)' : ''}${source}$`);
}
