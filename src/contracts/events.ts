import type { InferOutput } from 'valibot';
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
