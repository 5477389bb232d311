import type { Events } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { UnstampedEvent } from '../contracts/events.ts';

/**
 * Lets events through, and ends as an error where the answer that a person just read is not what a
 * script may go on with.
 *
 * @param isStrict an answer that leaves a part of the question out is none
 * @throws {KernelError} behind the events
 */
export async function* holdAnswer(
  events: Events<void>,
  { isStrict = false }: { isStrict?: boolean },
): Events<void> {
  let answer: Extract<UnstampedEvent, { type: 'answer' }> | undefined;
  for await (const event of events) {
    if (event.type === 'answer') answer = event;
    yield event;
  }
  const { leftOut = [], changed = 0, denied = 0 } = answer ?? {};
  if (denied > 0 && changed === 0) {
    throw new KernelError('permission-denied', 'every change that this run tried was denied', {
      hint: 'Allow it for one run with --allow, e.g. --allow fs-write:work',
    });
  }
  if (isStrict && leftOut.length > 0) {
    const left = leftOut.join(', ');
    throw new KernelError('not-found', `a part of the question was left out: ${left}`, {
      hint: 'Say it in other words, or ask without --strict.',
    });
  }
}
