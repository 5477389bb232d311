import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js';

const folder = new URL('../../../src/contracts/schema/', import.meta.url);
const ajv = new Ajv2020();

/** Commands whose lines are rows, and the committed schema of a row. */
const rows: readonly (readonly [command: string, schema: string])[] = [
  ['tools', 'tool'],
  ['plugin inspect', 'inspect-report'],
  ['plugin install', 'listed-plugin'],
  ['plugin list', 'listed-plugin'],
  ['memory search', 'memory-hit'],
  ['session list', 'session'],
  ['session show', 'message'],
  ['model test', 'model-score'],
];

/**
 * @param value one line of `--json`: an event, or a row of a command that lists
 * @param args of the command, which decides what a line without a type is
 * @throws when the line is not what its committed JSON Schema says
 */
export function checkLine(value: unknown, args: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${value} is no object`);
  const command = args.slice(0, 2).join(' ');
  const row = rows.find(([name]) => command === name || args[0] === name);
  const name = 'type' in value ? 'event' : row?.[1];
  if (name === undefined) return { ...value };
  const check = ajv.getSchema(name) ?? compile(name);
  if (check(value) === true) return { ...value };
  const [first] = (check.errors ?? []) as ErrorObject[];
  throw new Error(`${JSON.stringify(value)}: ${first?.instancePath} ${first?.message}`);
}

function compile(name: string) {
  const text = readFileSync(new URL(`${name}.json`, folder), 'utf8');
  ajv.addSchema(JSON.parse(text) as AnySchemaObject, name);
  const check = ajv.getSchema(name);
  if (check === undefined) throw new Error(`there is no schema ${name}`);
  return check;
}
