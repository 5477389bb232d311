import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const folder = resolve(import.meta.dirname, '../../../src/contracts/schema');
const ajv = new Ajv2020({ strict: false, allErrors: true });
const known = new Map<string, ValidateFunction>();

/**
 * Checks one line of `--json` against the committed schema of what it claims to be.
 *
 * @param args of the command, which decides what a line without a type is
 * @throws when the line is not what its schema says
 */
export function checkLine(value: unknown, args: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${value} is no object`);
  const name = 'type' in value ? eventSchemaFor(value.type, args) : rowSchema(args);
  const validate = validatorOf(name);
  if (validate(value)) return { ...value };
  throw new Error(`${JSON.stringify(value)} is no ${name}: ${ajv.errorsText(validate.errors)}`);
}

function eventSchemaFor(type: unknown, args: readonly string[]): string {
  return args[0] === 'plan' && type === 'plan' ? 'plan' : 'event';
}

function indexSchema(args: readonly string[]): string {
  if (args.includes('--remove')) return 'memory-rows';
  return args.includes('--status') ? 'index-state' : 'index-done';
}

/** What the rows of a command are. */
function rowSchema(args: readonly string[]): string {
  const words = args.filter((word) => !word.startsWith('-'));
  const rows: readonly [command: string, schema: string][] = [
    ['tools', 'tool'],
    ['plugin inspect', 'inspect-report'],
    ['plugin install', 'listed-plugin'],
    ['plugin list', 'listed-plugin'],
    ['plugin grants', 'listed-grant'],
    ['plugin grant', 'listed-grant'],
    ['secret', 'listed-secret'],
    ['doctor', 'finding'],
    ['memory search', 'memory-hit'],
    ['memory list', 'memory-row'],
    ['memory show', 'memory-row'],
    ['memory explain', 'memory-explanation'],
    ['memory export', 'memory-row'],
    ['memory stats', 'memory-stats'],
    ['memory add', 'memory-added'],
    ['index', indexSchema(args)],
    ['memory forget', 'memory-counts'],
    ['memory promote', 'memory-promoted'],
    ['memory import', 'memory-rows'],
    ['memory reembed', 'memory-rows'],
    ['memory compact', 'memory-layers'],
    ['session list', 'session'],
    ['session show', 'message'],
    ['undo', args.includes('--list') ? 'changed-run' : 'undone'],
    ['runs list', 'listed-run'],
    ['runs guard', 'event'],
    ['jobs list', 'listed-job'],
    ['jobs', 'job-run'],
    ['scheduler run', 'job-run'],
    ['apply', args.includes('--list') ? 'dry-run' : 'applied'],
    ['model test', 'model-score'],
    ['policy test', 'tested-command'],
    ['policy rules', 'listed-rule'],
  ];
  const found = rows.find(([command]) => words.join(' ').startsWith(command));
  if (found === undefined) throw new Error(`no schema is known for cuervo ${args.join(' ')}`);
  return found[1];
}

function validatorOf(name: string): ValidateFunction {
  const compiled =
    known.get(name) ??
    ajv.compile(JSON.parse(readFileSync(resolve(folder, `${name}.json`), 'utf8')));
  known.set(name, compiled);
  return compiled;
}
