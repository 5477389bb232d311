/** What is looked at of a schema; valibot's own types hide it. */
export type Part = {
  kind: string;
  type: string;
  '~run': (this: Part, dataset: { value: unknown }, config: object) => object;
  requirement?: unknown;
  entries?: Readonly<Record<string, unknown>>;
  wrapped?: unknown;
  options?: readonly unknown[];
  pipe?: readonly unknown[];
};

export function isSchema(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && (value as Part).kind === 'schema';
}
