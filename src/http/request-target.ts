/** The journal's form of a request, without its query, which may be private. */
export function requestTarget(method: string, { origin, pathname, search }: URL): string {
  return `${method} ${origin}${pathname}${search === '' ? '' : '?…'}`;
}
