/** @module Interface cuervo:host/log@0.1.0 **/
export function write(level: Level, message: string): void;
/**
 * shown to the person who waits; `done` and `total` in the unit of `label`
 */
export function progress(label: string, done: number, total: number | undefined): void;
/**
 * # Variants
 * 
 * ## `"debug"`
 * 
 * ## `"info"`
 * 
 * ## `"warn"`
 * 
 * ## `"error"`
 */
export type Level = 'debug' | 'info' | 'warn' | 'error';
