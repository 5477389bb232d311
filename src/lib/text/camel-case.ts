/**
 * `first-name` as `firstName`, which is how generated glue names what WIT calls in kebab case; a
 * word in capitals is a word like another, so `get-URL` is `getUrl`.
 */
export function camelCase(kebab: string): string {
  return kebab.toLowerCase().replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
