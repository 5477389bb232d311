import type { ToolError as WitToolError } from 'cuervo:plugin/tools@0.1.0';

export type ToolErrorCode = WitToolError['tag'];

/** All of them, for those whose code no compiler has checked. */
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

/** What a tool throws to say how it failed; any other error is `failed`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** @param code of an author, which may be anything */
export function unknownCode(code: unknown): string {
  return `ToolError has no code ${JSON.stringify(code)}; it has ${toolErrorCodes.join(', ')}`;
}
