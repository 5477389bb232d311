import * as host from 'cuervo:host/log@0.1.0';
import { asNumber, asText } from './argument.ts';

export type Level = host.Level;

const levels: readonly string[] = ['debug', 'info', 'warn', 'error'];

export function write(level: host.Level, message: string): void {
  if (!levels.includes(level)) {
    throw new TypeError(`log.write: "level" has to be one of ${levels.join(', ')}`);
  }
  host.write(level, asText(message, 'log.write: "message"'));
}

/** Shown to the person who waits; `done` and `total` in the unit of `label`. */
export function progress(label: string, done: number, total?: number): void {
  host.progress(
    asText(label, 'log.progress: "label"'),
    asNumber(done, 'log.progress: "done"'),
    total == null ? undefined : asNumber(total, 'log.progress: "total"'),
  );
}
