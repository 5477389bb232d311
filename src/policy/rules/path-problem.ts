import { createContentGate } from '../../contracts/content-gate.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { compileGlob } from '../../lib/text/glob.ts';
import type { Places } from './command-rule.ts';

/**
 * Why an argument may name something that no rule opens: a place outside the roots, or a protected
 * name. Parts behind `=`, `:` and `,` are looked at, too, because programs take them apart.
 *
 * @param cwd folder below the workspace, empty for the workspace itself
 * @returns a clause without a full stop; undefined when there is nothing to say
 */
export function pathProblem(value: string, cwd: string, places: Places): string | undefined {
  if (value.includes('\0')) return `${quoteText(value)} has a NUL character`;
  for (const part of new Set([value, ...value.split(/[=:,]/)])) {
    if (leadsOutside(part, places)) {
      return `${quoteText(value)} may name a path outside the workspace`;
    }
    if (isProtected(part, places) || isProtected(`${cwd}/${part}`, places)) {
      return `${quoteText(value)} may name a protected file`;
    }
  }
  return undefined;
}

/** As `pathProblem`, for a text to search for: only what reads like a protected name counts. */
export function patternProblem(value: string, places: Places): string | undefined {
  if (value.includes('\0')) return `${quoteText(value)} has a NUL character`;
  const isName = value.startsWith('.') && !/[\\*+()[\]|^$]/.test(value);
  if (isName && isProtected(value, places)) return `${quoteText(value)} may name a protected file`;
  return undefined;
}

/**
 * As `pathProblem`, for an argument of unknown meaning: a path may be glued to an option
 * (`-I/path`) or follow an `@`.
 */
export function anyArgumentProblem(value: string, cwd: string, places: Places): string | undefined {
  const glued = /^-+[^=/~.@]*/.exec(value)?.[0].length ?? 0;
  const parts = [value, value.slice(2), value.slice(glued), value.replace(/^[^@]*@/, '')];
  for (const part of value.startsWith('-') ? parts : [parts[0], parts[3]]) {
    const problem = part === undefined ? undefined : pathProblem(part, cwd, places);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Why no rule allows a command to run in a folder. */
export function cwdProblem(cwd: string, places: Places): string | undefined {
  return pathProblem(relativeFolder(cwd), '', places);
}

/** `work:src` and `./src` as `src`. */
export function relativeFolder(cwd: string): string {
  return cwd.replace(/^[a-z][a-z0-9-]*:(?!\/\/)/, '').replace(/^(?:\.\/+)+|^\.$/, '');
}

function leadsOutside(part: string, { roots = [] }: Places): boolean {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(part)) return true;
  const segments = part.split(/[/\\]/);
  if (segments.includes('..')) return true;
  if (part.startsWith('~') || /^[a-z]:[/\\]/i.test(part) || part.startsWith('\\')) return true;
  if (!part.startsWith('/') || part === '/dev/null') return false;
  return !roots.some((root) => part === root || part.startsWith(`${root.replace(/\/$/, '')}/`));
}

const byDefault = createContentGate({});

function isProtected(path: string, places: Places): boolean {
  const plain = path.replace(/\/+(?:\.?\/+)*/g, '/').replace(/^(?:\.?\/)+/, '');
  const isNamed = places.isProtected?.(plain) ?? byDefault.isProtected(plain, '');
  return isNamed || mayMatchProtected(plain);
}

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
 * True when a segment with `*`, `?` or `[` may stand for a protected name. A bare `*` does not
 * count: its names are judged when they are known.
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
