/** What the journal keeps of a request: a query may hold what is nobody's business. */
export function requestTarget(method: string, { origin, pathname, search }: URL): string {
  return `${method} ${origin}${pathname}${search === '' ? '' : '?…'}`;
}
