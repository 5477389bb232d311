/** What stands behind a name for a version of the same model: a date, or `latest`. */
const version = /(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)|:latest)$/;
const maxName = 200;

/**
 * The model that a server says it was, where it is another one than was asked.
 *
 * @param said as it stands in the reply; some servers say nothing, or a path of a file
 */
export function otherModel(asked: string, said: unknown): string | undefined {
  if (typeof said !== 'string' || said === '') return undefined;
  const plain = (name: string): string => name.replace(version, '').toLowerCase();
  return plain(said) === plain(asked) ? undefined : said.slice(0, maxName);
}
