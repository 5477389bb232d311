import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { schemaOfCommand } from '../../src/contracts/output/json-commands.ts';

const folder = resolve(import.meta.dirname, '../../src/contracts/schema');
const ajv = new Ajv2020({ strict: false, allErrors: true });
const known = new Map<string, ValidateFunction>();

/**
 * Checks one line of `--json` against the committed schema of what it claims to be.
 *
 * @param args of the command, which decides what a line without a type is
 * @throws when the line is not what its schema says
 */
export function checkLine(value: unknown, args: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${value} is not an object`);
  const name = 'type' in value ? eventSchemaFor(value.type, args) : rowSchema(args);
  const validate = validatorOf(name);
  if (validate(value)) return { ...value };
  throw new Error(`${JSON.stringify(value)} is no ${name}: ${ajv.errorsText(validate.errors)}`);
}

function eventSchemaFor(type: unknown, args: readonly string[]): string {
  return args[0] === 'plan' && type === 'plan' ? 'plan' : 'event';
}

/** What the rows of a command are. */
function rowSchema(args: readonly string[]): string {
  const schema = schemaOfCommand(args);
  if (schema === undefined) throw new Error(`no schema is known for cuervo ${args.join(' ')}`);
  return schema;
}

function validatorOf(name: string): ValidateFunction {
  const compiled =
    known.get(name) ??
    ajv.compile(JSON.parse(readFileSync(resolve(folder, `${name}.json`), 'utf8')));
  known.set(name, compiled);
  return compiled;
}
