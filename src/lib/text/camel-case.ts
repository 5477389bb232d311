/** `first-name` as `firstName`, which is how generated glue names what WIT calls in kebab case. */
export function camelCase(kebab: string): string {
  return kebab.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
