import type { ToolErrorCase } from '../../../contracts/tool.ts';

/** A failure of a call, thrown as the glue throws those of a plugin's own tools. */
export function toolError(tag: ToolErrorCase, val: string): Error {
  return Object.assign(new Error(val), { payload: { tag, val } });
}
