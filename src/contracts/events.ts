import type { InferOutput } from 'valibot';
import { KernelError } from './error.ts';
import type { eventSchema, eventSchemas } from './output/parse-events.ts';

/** Everything that `ask` and `run` tell, in order. */
export type RunEvent = InferOutput<typeof eventSchema>;

export type EventOf<Type extends RunEvent['type']> = InferOutput<(typeof eventSchemas)[Type]>;

/** An event before the kernel stamps it with time and run. */
export type UnstampedEvent = RunEvent extends infer Event
  ? Event extends RunEvent
    ? Omit<Event, 'ts' | 'run'>
    : never
  : never;

/** Lines of a file that were read in this run. */
export type Evidence = {
  /** relative to the workspace */
  path: string;
  /** 1-based, inclusive */
  line: number;
  endLine: number;
  /** of a document that has pages, whose lines are those of its text; 1-based */
  page?: number;
  /** the text of those lines */
  text: string;
  /** higher is better; comparable within one answer only */
  score: number;
};

/** Longer texts are documents, not questions. */
export const maxQuestionLength = 32_768;

/** Bytes of a text that is handed over with a question; only its relevant pieces are used. */
export const maxGivenBytes = 64 * 1024 * 1024;

/** @param size what it has, with its unit */
export function questionTooLong(size: string): KernelError {
  const detail = `the question has ${size}, limit ${maxQuestionLength}`;
  return new KernelError('invalid-argument', detail, {
    hint: 'Put the question first and the long text behind it: cuervo ask "QUESTION" - < FILE',
  });
}

/** A text that a person attached to a question: lines of a file, or what a command printed. */
export type AttachedText = { path: string; line: number; text: string };
