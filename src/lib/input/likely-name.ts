/**
 * The one of some names that a model means: `file_read`, `functions.file__read` and `file.read()`
 * are `file.read`, where no other name could be meant.
 */
export function likelyName(given: string, names: readonly string[]): string | undefined {
  if (names.includes(given)) return given;
  const form = formOf(given);
  const only = (found: string[]) => (found.length === 1 ? found[0] : undefined);
  return (
    only(names.filter((name) => formOf(name) === form)) ??
    only(names.filter((name) => form.endsWith(`_${formOf(name)}`)))
  );
}

/** The words of a name alone, without what a template left behind it. */
function formOf(name: string): string {
  return name
    .replace(/<\|.*$|:\d+$/s, '')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
    .join('_');
}
