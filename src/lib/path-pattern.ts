/** Of one pattern: more of them make a name that does not match dear to try. */
const maxWildcards = 3;
const maxLength = 200;

/** Paths of a tree as a person writes them; both sides are folded alike before they are compared. */
export type PathPattern = {
  /** whether it names this path itself */
  names(path: string): boolean;
  /** whether it names this path or a folder above it */
  covers(path: string): boolean;
};

/**
 * Why a text is no pattern; undefined when it is one: a relative path whose segments may hold `*`
 * and `?`, or be `**`. As in `.gitignore`, a text with no slash before its end is a name wherever it
 * stands, and what lies in a folder belongs to it.
 */
export function patternFault(text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (/[\p{Cc}\\:]/u.test(text) || text.startsWith('!')) {
    return 'holds a backslash, a colon or a control character, or begins with "!"';
  }
  const body = bodyOf(text);
  const segments = body.split('/');
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) {
    return 'is no path relative to the workspace';
  }
  if (segments.every((segment) => /^[*?]+$/.test(segment))) return 'names everything';
  const wildcards = body.match(/\*+|\?/g)?.length ?? 0;
  return wildcards > maxWildcards ? `has more than ${maxWildcards} wildcards` : undefined;
}

/**
 * @param text without a `patternFault`
 * @param fold makes one spelling of all that a file system may take for the same name
 */
export function compilePattern(text: string, fold: (path: string) => string): PathPattern {
  const body = bodyOf(text);
  const segments = fold(body).split('/');
  const source = segments
    .map((segment, index) => {
      const last = index === segments.length - 1;
      if (segment === '**') return last ? '.*' : '(?:[^/]+/)*';
      return `${segmentSource(segment)}${last ? '' : '/'}`;
    })
    .join('');
  // As in .gitignore: a slash before its end ties a pattern to the root.
  const start = text.replace(/\/$/, '').includes('/') ? '' : '(?:.*/)?';
  const exact = new RegExp(`^${start}${source}$`);
  const above = new RegExp(`^${start}${source}(?:/|$)`);
  return {
    names: (path) => exact.test(fold(path)),
    covers: (path) => above.test(fold(path)),
  };
}

function bodyOf(text: string): string {
  return text.replace(/^\//, '').replace(/(?:\/\*\*)?\/?$/, '');
}

function segmentSource(segment: string): string {
  return segment.replace(/\*+|\?|[\\^$.+()[\]{}|]/g, (part) => {
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
}
