import * as host from 'cuervo:host/log@0.1.0';

export type Level = host.Level;

export function write(level: host.Level, message: string): void {
  host.write(level, message);
}

/** Shown to the person who waits; `done` and `total` in the unit of `label`. */
export function progress(label: string, done: number, total?: number): void {
  host.progress(label, done, total);
}
