import type { BudgetMeter } from '../../ask/budget.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { ModelEvent, ModelRequest } from '../../contracts/model.ts';
import { type RepliesOptions, type Reply, tell } from './talk-options.ts';

/** Sends one request and fills `part` with what comes, its words told as they come. */
export type ReadReply = (
  request: ModelRequest,
  part: Reply,
) => AsyncGenerator<UnstampedEvent, void, undefined>;

export function createReadReply(options: RepliesOptions): ReadReply {
  const { model, budget, ports, guard, book, progress } = options;
  let round = 0;

  async function* read(
    request: ModelRequest,
    part: Reply,
  ): AsyncGenerator<UnstampedEvent, void, undefined> {
    const words = guard.words();
    const startedMs = ports.clock.nowMs();
    using time = budget.watchTime();
    const signal = AbortSignal.any([ports.signal, time.signal]);
    round += 1;
    try {
      for await (const event of answered(request, signal)) {
        if (event.type === 'text') yield* say(words.push(event.delta), part);
        else if (event.type === 'tool-call') part.calls.push(event.call);
        else {
          part.stop = event.stop;
          if (event.raw !== undefined) part.raw = event.raw;
          const usd = budget.addUsage(event.usage);
          ports.addSpending(usd ?? 0);
          yield { type: 'usage', round, ...event.usage, spent: spentOf(budget) };
        }
      }
    } catch (thrown) {
      // What came before it broke is kept.
      yield* say(words.end(), part);
      throw thrown;
    } finally {
      ports.scope.modelMs += ports.clock.nowMs() - startedMs;
      for (const text of budget.warnings()) ports.warn(text);
    }
    yield* say(words.end(), part);
    yield* tell(guard);
  }

  /** Events of the model, or those of a reply to the very same request. */
  async function* answered(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const kept = await ports.replies.find(model, request, {
      marker: book.marker,
      hasEffects: ports.hasEffects(progress.results),
      isReading: (name) => ports.isReading(name),
    });
    if (kept.events !== undefined) {
      yield* kept.events;
      return;
    }
    const events: ModelEvent[] = [];
    for await (const event of model.stream(request, { signal })) {
      events.push(event);
      yield event;
    }
    kept.keep(events);
  }

  function* say(text: string, part: Reply): Generator<UnstampedEvent, void, undefined> {
    if (text === '') return;
    part.text += text;
    progress.said += text;
    yield { type: 'text', delta: text };
  }

  return read;
}

function spentOf(budget: BudgetMeter): Extract<UnstampedEvent, { type: 'usage' }>['spent'] {
  const { usd, ...spent } = budget.spent();
  return usd === undefined ? spent : { ...spent, usd };
}
