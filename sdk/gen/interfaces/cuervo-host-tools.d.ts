/// <reference path="./cuervo-host-types.d.ts" />
declare module 'cuervo:host/tools@0.1.0' {
  /**
   * Tools that this plugin may call, for a goal in plain words, best first, at most 8.
   */
  export function find(query: string): Array<Found>;
  export function call(name: string, input: string): ToolOutput;
  /**
   * At most 100 calls: reads side by side, what writes alone and in order. A call
   * that fails fails alone.
   */
  export function callAll(calls: Array<ToolCall>): Array<Result<ToolOutput, HostError>>;
  export type HostError = import('cuervo:host/types@0.1.0').HostError;
  export interface Found {
    /**
     * `plugin.tool`
     */
    name: string,
    description: string,
    /**
     * `pure`, `read`, `write` or `external`
     */
    effect: string,
    /**
     * JSON Schema of the input object
     */
    inputSchema: string,
  }
  export interface ToolCall {
    name: string,
    /**
     * a JSON object
     */
    input: string,
  }
  export interface ToolOutput {
    /**
     * JSON or text
     */
    content: string,
    summary: string,
  }
  export type Result<T, E> = { tag: 'ok', val: T } | { tag: 'err', val: E };
}
