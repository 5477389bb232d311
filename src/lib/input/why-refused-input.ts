import { KernelError } from '../../contracts/error.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { checkInput } from './check-input.ts';

/** Why the host would not call a tool with an input; undefined where it would. */
export function whyRefusedInput(
  tool: string,
  schema: JsonObject,
  input: JsonObject,
): string | undefined {
  try {
    checkInput(tool, schema, input);
    return undefined;
  } catch (thrown) {
    return KernelError.from(thrown, 'internal').message;
  }
}
