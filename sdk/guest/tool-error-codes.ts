import type { ToolErrorCode } from '../tool-error.ts';

/** All codes of a `ToolError`, for those whose code no compiler has checked. */
export const toolErrorCodes: readonly string[] = Object.keys({
  'invalid-input': true,
  'not-found': true,
  denied: true,
  limit: true,
  timeout: true,
  conflict: true,
  unavailable: true,
  failed: true,
} satisfies Record<ToolErrorCode, true>);

/** @param code of an author, which may be anything */
export function unknownCode(code: unknown): string {
  return `ToolError has no code ${JSON.stringify(code)}; it has ${toolErrorCodes.join(', ')}`;
}
