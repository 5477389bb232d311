import { describe, expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import type { UnstampedEvent } from '../contracts/events.ts';
import { runEvents } from './run-events.ts';

const clock = { nowMs: () => 1 };
const text: UnstampedEvent = { type: 'text', delta: 'x' };

async function* one() {
  yield text;
}

async function* failing() {
  yield text;
  throw new KernelError('conflict', 'changed');
}

/** What a run says it ended with, where its reader stops behind an event of this type. */
async function endOf(body: typeof one, last: string): Promise<(string | undefined)[]> {
  const ends: (string | undefined)[] = [];
  const scope = { id: 'r', toolMs: 0, modelMs: 0 };
  for await (const event of runEvents(scope, clock, body, (error) => ends.push(error?.code))) {
    if (event.type === last) break;
  }
  return ends;
}

describe('runEvents()', () => {
  it('tells once how the run ended, read to its end or not', async () => {
    expect(await endOf(one, 'run-finished')).toEqual([undefined]);
    expect(await endOf(one, 'text')).toEqual(['canceled']);
    expect(await endOf(failing, 'run-finished')).toEqual(['conflict']);
    expect(await endOf(failing, 'error')).toEqual(['conflict']);
  });
});
