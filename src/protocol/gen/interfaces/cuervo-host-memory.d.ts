/** @module Interface cuervo:host/memory@0.1.0 **/
export function search(query: string, k: number): Array<Hit>;
/**
 * Stored in `interact` under the plugin's own name as source.
 */
export function remember(text: string, kind: string, tags: Array<string>): string;
export type HostError = import('./cuervo-host-types.js').HostError;
/**
 * # Variants
 * 
 * ## `"interact"`
 * 
 * ## `"insights"`
 * 
 * ## `"assets"`
 */
export type Layer = 'interact' | 'insights' | 'assets';
export interface Hit {
  id: string,
  text: string,
  layer: Layer,
  kind: string,
  tags: Array<string>,
  score: number,
}
