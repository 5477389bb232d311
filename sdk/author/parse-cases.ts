import * as v from 'valibot';
import { BuildError } from '../build/build-error.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

const json = v.custom<Json>(() => true);
const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'is not an object',
);
const fileContent = v.union([v.string(), v.strictObject({ base64: v.string() })]);
const files = v.record(v.string(), fileContent);

const hostErrors = [
  'denied',
  'not-found',
  'invalid',
  'limit',
  'timeout',
  'conflict',
  'io',
] as const;

/** `answer` is what the call gives; bytes as a text or as `{"base64": …}`. */
const recorded = v.union([
  v.strictObject({ answer: json }),
  v.strictObject({ error: v.picklist(hostErrors), message: v.exactOptional(v.string()) }),
]);

const failure = (codes: readonly string[]) =>
  v.strictObject({ code: v.picklist(codes), message: v.exactOptional(v.string()) });

/** `code`, or `code: words`. */
function parseFailure(text: string): { code: string; message?: string } {
  const [code = '', ...words] = text.split(': ');
  return words.length === 0 ? { code } : { code, message: words.join(': ') };
}

const expectation = (codes: readonly string[]) =>
  v.strictObject({
    content: v.exactOptional(json),
    has: v.exactOptional(json),
    summary: v.exactOptional(v.string()),
    error: v.exactOptional(
      v.pipe(
        v.unknown(),
        v.transform((value) => (typeof value === 'string' ? parseFailure(value) : value)),
        failure(codes),
      ),
    ),
    files: v.exactOptional(v.record(v.string(), v.nullable(fileContent))),
  });

const caseSchema = (codes: readonly string[]) =>
  v.strictObject({
    name: v.pipe(v.string(), v.minLength(1)),
    tool: v.string(),
    input: v.optional(jsonObject, {}),
    grants: v.optional(v.array(v.string()), []),
    files: v.optional(files, {}),
    commits: v.optional(
      v.array(v.strictObject({ message: v.string(), files, tag: v.exactOptional(v.string()) })),
      [],
    ),
    host: v.optional(v.record(v.string(), v.array(recorded)), {}),
    expect: v.exactOptional(expectation(codes)),
  });

export type FileContent = v.InferOutput<typeof fileContent>;
export type Expectation = v.InferOutput<ReturnType<typeof expectation>>;
export type PluginCase = v.InferOutput<ReturnType<typeof caseSchema>>;

/**
 * @param codes of errors that a case may expect
 * @throws {BuildError} that names the file, the case and the field
 */
export function parseCases(value: unknown, file: string, codes: readonly string[]): PluginCase[] {
  const schema = caseSchema(codes);
  const fail = (reason: string): never => {
    throw new BuildError(`${file}: ${reason}`, {
      hint: 'A case has name, tool, input, and what to expect: docs/write-plugins.md has some.',
    });
  };
  if (!Array.isArray(value)) return fail('it is not a list of cases');
  const names = new Set<string>();
  return value.map((item: unknown, index) => {
    const name = (item as { name?: unknown } | null)?.name;
    const parsed = v.safeParse(schema, item, { abortEarly: true });
    const who = typeof name === 'string' ? `case "${name}"` : `case ${index + 1}`;
    if (!parsed.success) {
      const [issue] = parsed.issues;
      const path = v.getDotPath(issue) ?? '(all)';
      const what = issue.expected === 'never' ? 'is not a field of a case' : issue.message;
      return fail(`${who}: "${path}" ${what}`);
    }
    if (names.has(parsed.output.name)) return fail(`two cases are called "${parsed.output.name}"`);
    names.add(parsed.output.name);
    return parsed.output;
  });
}
