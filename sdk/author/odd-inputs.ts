import type { Json, JsonObject } from './parse-cases.ts';

/** Texts that have broken tools before. */
const oddTexts: readonly [string, string][] = [
  ['nothing', ''],
  ['a space', ' '],
  ['NUL', 'a\0b'],
  ['a path above', '../../../../etc/passwd'],
  ['an absolute path', '/etc/passwd'],
  ['a path above a root', 'work:../outside'],
  ['an unknown root', 'nowhere:file'],
  ['a link of the workspace', 'out-link'],
  ['a line break', 'a\nb'],
  ['terminal escapes', '\u001b[2J\u001b]0;x\u0007'],
  ['half a surrogate pair', 'x\ud800y'],
  ['right to left', '\u202efdp.exe'],
  ['a regular expression that explodes', '(a+)+$'],
  ['a name of the prototype', '__proto__'],
  ['a megabyte', 'ab '.repeat(350_000)],
];

const wrongValues: readonly Json[] = [null, true, 7, -1, 1e308, 'text', [], {}, [[[[]]]]];

export type OddInput = { what: string; input: JsonObject; group: string };

/** @param good an input that the tool takes */
export function oddInputs(schema: JsonObject, good: JsonObject): OddInput[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const made: OddInput[] = [
    { group: 'inputs of a wrong shape', what: 'nothing at all', input: {} },
    { group: 'inputs of a wrong shape', what: 'a field more', input: { ...good, zzz: 1 } },
  ];
  for (const [name, field] of Object.entries(properties)) {
    const { [name]: _, ...without } = good;
    made.push({ group: 'inputs of a wrong shape', what: `without ${name}`, input: without });
    for (const value of wrongValues) {
      made.push({
        group: 'inputs of a wrong shape',
        what: `${name} is ${JSON.stringify(value)}`,
        input: { ...good, [name]: value },
      });
    }
    if (!takesText(field)) continue;
    for (const [what, text] of oddTexts) {
      made.push({
        group: 'odd texts and paths',
        what: `${name} is ${what}`,
        input: { ...good, [name]: text },
      });
    }
  }
  return made;
}

function takesText(schema: JsonObject): boolean {
  const { type, anyOf, oneOf } = schema;
  const types = Array.isArray(type) ? type : [type];
  const inner = [anyOf, oneOf].filter(Array.isArray).flat() as JsonObject[];
  return types.includes('string') || inner.some(takesText);
}

/** An input that a schema takes, where the author gave no example. */
export function inputFor(schema: JsonObject): JsonObject {
  const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    required.map((name) => [String(name), valueFor(properties[String(name)] ?? {})]),
  );
}

function valueFor({ type, enum: choices }: JsonObject): Json {
  if (Array.isArray(choices)) return choices[0] ?? null;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (type === 'object') return {};
  return 'text';
}
