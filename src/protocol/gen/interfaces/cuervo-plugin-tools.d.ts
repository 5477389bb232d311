/** @module Interface cuervo:plugin/tools@0.1.0 **/
export function describe(): Array<Tool>;
export function call(name: string, input: string): ToolOutput;
/**
 * What a call can do to the world, at most. The kernel orders, confirms and
 * caches calls by it, and denies host calls above it while the call runs; a
 * plugin may mix tools of different effects.
 * # Variants
 * 
 * ## `"pure"`
 * 
 * same input, same output; no host call but log
 * ## `"read"`
 * 
 * also host calls that only read, such as fs and clock
 * ## `"write"`
 * 
 * also host calls that change something here, such as fs-write and kv.set
 * ## `"external"`
 * 
 * also host calls that reach other programs and computers: exec and http
 */
export type Effect = 'pure' | 'read' | 'write' | 'external';
export interface Tool {
  /**
   * `verb` or `noun-verb` in kebab-case, unique in the plugin
   */
  name: string,
  /**
   * one sentence for the model that chooses, then details
   */
  description: string,
  /**
   * JSON Schema 2020-12 of the input object
   */
  inputSchema: string,
  /**
   * JSON Schema of the output, when it is JSON
   */
  outputSchema?: string,
  effect: Effect,
  /**
   * example inputs, JSON, used for choosing and for tests
   */
  examples: Array<string>,
}
export type ToolError = ToolErrorInvalidInput | ToolErrorDenied | ToolErrorNotFound | ToolErrorConflict | ToolErrorLimit | ToolErrorTimeout | ToolErrorUnavailable | ToolErrorFailed;
/**
 * the caller can mend the input; says what was wrong
 */
export interface ToolErrorInvalidInput {
  tag: 'invalid-input',
  val: string,
}
/**
 * a host call was denied; says which
 */
export interface ToolErrorDenied {
  tag: 'denied',
  val: string,
}
export interface ToolErrorNotFound {
  tag: 'not-found',
  val: string,
}
/**
 * what was read before is no longer there
 */
export interface ToolErrorConflict {
  tag: 'conflict',
  val: string,
}
/**
 * a byte, item or rate limit; says which
 */
export interface ToolErrorLimit {
  tag: 'limit',
  val: string,
}
export interface ToolErrorTimeout {
  tag: 'timeout',
  val: string,
}
/**
 * worth trying again
 */
export interface ToolErrorUnavailable {
  tag: 'unavailable',
  val: string,
}
export interface ToolErrorFailed {
  tag: 'failed',
  val: string,
}
export interface ToolOutput {
  /**
   * JSON, or text when the tool has no output schema
   */
  content: string,
  /**
   * a line for the person, e.g. "3 matches in 2 files"
   */
  summary: string,
}
