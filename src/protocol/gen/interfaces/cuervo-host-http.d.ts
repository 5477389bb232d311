/** @module Interface cuervo:host/http@0.1.0 **/
export function send(request: Request): Response;
export function secretExists(name: string): boolean;
export type HostError = import('./cuervo-host-types.js').HostError;
export interface Request {
  method: string,
  url: string,
  headers: Array<[string, string]>,
  body?: Uint8Array,
  timeoutMs: number,
  maxResponseBytes: number,
}
export interface Response {
  status: number,
  headers: Array<[string, string]>,
  body: Uint8Array,
}
