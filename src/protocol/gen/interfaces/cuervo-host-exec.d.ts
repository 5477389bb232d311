/** @module Interface cuervo:host/exec@0.1.0 **/
export function run(command: Command): Output;
export type HostError = import('./cuervo-host-types.js').HostError;
export interface Command {
  program: string,
  args: Array<string>,
  /**
   * `root:relative/path`
   */
  cwd: string,
  stdin?: string,
  timeoutMs: number,
  maxOutputBytes: number,
}
export interface Output {
  /**
   * absent when a signal ended it
   */
  exitCode?: number,
  signal?: string,
  stdout: string,
  stderr: string,
  truncated: boolean,
  durationMs: number,
}
