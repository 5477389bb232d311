/// <reference path="./cuervo-host-types.d.ts" />
declare module 'cuervo:host/clock@0.1.0' {
  /**
   * milliseconds since the Unix epoch; the recorded value during replay
   */
  export function nowMs(): number;
  export type HostError = import('cuervo:host/types@0.1.0').HostError;
}
