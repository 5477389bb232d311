import { compileGlob } from '../../lib/text/glob.ts';

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
  if (!isPattern(path)) return false;
  const segments = path.toLowerCase().split('/');
  return segments.some((segment, at) => {
    if (!isPattern(segment)) return false;
    if (segments[at - 1] === '.git') return true;
    return !/^(?:[*?]|\*\.\*)+$/.test(segment) && mayStandForSample(segment);
  });
}

function isPattern(text: string): boolean {
  const brace = text.indexOf('{');
  return /[*?[]/.test(text) || (brace >= 0 && text.includes(',', brace));
}

/** Wider than any program's reading of the pattern: a class or braces stand for anything. */
function mayStandForSample(segment: string): boolean {
  const matches = compileGlob(
    segment.replace(/\[[^\]]*\]?|\{[^}]*\}?/g, (part) => (part.startsWith('[') ? '?' : '*')),
  );
  // As in a shell, a pattern without a dot in front does not stand for hidden names.
  const hidden = !/^[*?]/.test(segment);
  return samples.some((name) => (hidden || !name.startsWith('.')) && matches(name));
}
