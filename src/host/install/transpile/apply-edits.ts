export type Edit = { start: number; end: number; text: string };

/** @param edits one within another is part of what the outer one takes away */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const outerFirst = (one: Edit, other: Edit): number =>
    one.start - other.start || other.end - one.end;
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort(outerFirst)) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
