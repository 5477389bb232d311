import * as v from 'valibot';
import { eventSchema } from '../../../src/contracts/parse-events.ts';

/**
 * @param value one line of `--json`: an event, or a row of a command that lists
 * @param args of the command, which decides what a line without a type is
 * @throws when the line is not what its schema says
 */
export function checkLine(value: unknown, _args: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${value} is no object`);
  if (!('type' in value)) return { ...value };
  const parsed = v.safeParse(eventSchema, value);
  if (parsed.success) return parsed.output;
  throw new Error(`${JSON.stringify(value)}: ${parsed.issues[0].message}`);
}
