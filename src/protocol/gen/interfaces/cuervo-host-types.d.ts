/** @module Interface cuervo:host/types@0.1.0 **/
/**
 * Why a host call did not succeed. Closed: the plugin decides by the case,
 * the text is for people. It never holds a path outside the granted roots,
 * a stack or a secret.
 */
export type HostError = HostErrorDenied | HostErrorNotFound | HostErrorInvalid | HostErrorLimit | HostErrorTimeout | HostErrorConflict | HostErrorIo;
/**
 * Not granted, or outside what was granted.
 */
export interface HostErrorDenied {
  tag: 'denied',
  val: string,
}
export interface HostErrorNotFound {
  tag: 'not-found',
  val: string,
}
export interface HostErrorInvalid {
  tag: 'invalid',
  val: string,
}
/**
 * A byte, item or rate limit was reached; the text names it.
 */
export interface HostErrorLimit {
  tag: 'limit',
  val: string,
}
export interface HostErrorTimeout {
  tag: 'timeout',
  val: string,
}
/**
 * The file changed since the hash the caller gave.
 */
export interface HostErrorConflict {
  tag: 'conflict',
  val: string,
}
export interface HostErrorIo {
  tag: 'io',
  val: string,
}
