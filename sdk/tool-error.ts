import type { ToolError as WitToolError } from 'cuervo:plugin/tools@0.1.0';

export type ToolErrorCode = WitToolError['tag'];

/** What a tool throws to say how it failed; any other error is `failed`. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
