import type { BudgetMeter } from '../contracts/agent.ts';
import type { UnstampedEvent } from '../contracts/events.ts';
import type { ModelEvent, ModelRequest, ModelUsage } from '../contracts/model.ts';
import type { StepResult } from '../contracts/plan.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { stringsOf } from '../guard/read-texts.ts';
import { secretsOf } from '../guard/scan-text.ts';
import { sha256 } from '../lib/sha256.ts';
import { countPromptTokens } from '../models/count-tokens.ts';
import type { CacheMiss } from '../models/reply-cache.ts';
import { type RepliesOptions, type Reply, tell } from './talk-ports.ts';

/** What a prompt was made of. */
export type SentPrompt = NonNullable<Usage['prompt']>;

type Usage = Extract<UnstampedEvent, { type: 'usage' }>;

/** Sends one request and fills `part` with what comes, its words told as they come. */
export type ReadReply = (
  request: ModelRequest,
  part: Reply,
  prompt: SentPrompt,
) => AsyncGenerator<UnstampedEvent, void, undefined>;

export function createReadReply(options: RepliesOptions): ReadReply {
  const { model, ports, guard, book, turn } = options;
  const { run } = ports;
  const { budget } = turn;
  let round = 0;
  /** why the last reply did not come out of the cache; undefined where it did */
  let missed: CacheMiss | undefined = 'off';

  async function* read(
    asked: ModelRequest,
    part: Reply,
    prompt: SentPrompt,
  ): AsyncGenerator<UnstampedEvent, void, undefined> {
    const request = guard.request(asked);
    let words = guard.words();
    const startedMs = run.clock.nowMs();
    using time = budget.watchTime();
    const signal = AbortSignal.any([run.signal, time.signal]);
    round += 1;
    const count = (
      usage: ModelUsage,
      how: Required<Pick<Usage, 'model' | 'stop' | 'attempts'>>,
    ): Usage => {
      const usd = budget.addUsage(usage);
      ports.addSpending(usd ?? 0);
      return {
        ...{ type: 'usage', round, ...usage, ...(usd === undefined ? {} : { usd }), ...how },
        durationMs: Math.max(0, run.clock.nowMs() - startedMs),
        request: sha256(JSON.stringify(request)),
        ...(missed === undefined ? {} : { cacheMiss: missed }),
        reply: sha256(JSON.stringify([part.text, part.calls])),
        prompt,
        spent: spentOf(budget),
      };
    };
    try {
      for await (const event of answered(request, signal)) {
        if (event.type === 'text') yield* say(words.push(event.delta), part);
        else if (event.type === 'tool-call') part.calls.push(event.call);
        else if (event.type === 'thought') {
          words = guard.words();
          part.text = '';
          part.dropsAll = true;
          turn.said = '';
          yield { type: 'text', delta: '', replaces: true };
        } else {
          part.stop = event.stop;
          if (event.raw !== undefined) part.raw = event.raw;
          const { by = event.served, attempts = missed === undefined ? 0 : 1 } = event;
          if (by !== undefined) part.by = by;
          if (event.served !== undefined)
            ports.say.warnOnce(`the server of ${model.name} says that ${event.served} answered`);
          yield count(event.usage, { model: by ?? model.name, attempts, stop: event.stop });
        }
      }
    } catch (thrown) {
      // The part before the break is kept and has to be paid.
      yield* say(words.end(), part);
      if (part.text !== '')
        yield count(estimated(request, part), { model: model.name, attempts: 1, stop: 'broken' });
      throw thrown;
    } finally {
      ports.addModelMs(run.clock.nowMs() - startedMs);
      for (const text of budget.warnings()) ports.say.warn(text);
    }
    yield* say(words.end(), part);
    yield* tell(guard);
  }

  /** The estimated use of a reply without a report. */
  function estimated(request: ModelRequest, { text, calls }: Reply): ModelUsage {
    const countTokens = (some: string) => model.countTokens(some);
    const { nativeTools } = model.reach;
    return {
      inputTokens: countPromptTokens(request, { countTokens, nativeTools }),
      outputTokens: countTokens(calls.reduce((all, call) => all + JSON.stringify(call), text)),
    };
  }

  /** Events of the model, or those of a reply to the very same request. */
  async function* answered(
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const kept = await ports.replies.find(model, request, {
      marker: book.marker,
      hasEffects: turn.results.some(({ tool }) => !ports.tools.isReading(tool)),
      isReading: (name) => ports.tools.isReading(name),
    });
    if (kept.events !== undefined) {
      missed = undefined;
      yield* kept.events;
      return;
    }
    missed = kept.missed;
    const events: ModelEvent[] = [];
    const said: Reply = { text: '', calls: [], stop: 'end', maxTokens: 0 };
    for await (const event of model.stream(request, { signal })) {
      events.push(event);
      // Thoughts were paid, too.
      if (event.type === 'text') said.text += event.delta;
      else if (event.type === 'tool-call') said.calls.push(event.call);
      const isUntold =
        event.type === 'end' && event.usage.inputTokens + event.usage.outputTokens === 0;
      yield isUntold ? { ...event, usage: estimated(request, said) } : event;
    }
    // A local model is shown secrets, and may say one.
    if (secretsOf(JSON.stringify(said)).length === 0) kept.keep(events);
  }

  function* say(text: string, part: Reply): Generator<UnstampedEvent, void, undefined> {
    if (text === '') return;
    part.text += text;
    turn.said += text;
    yield { type: 'text', delta: text };
  }

  return read;
}

function spentOf(budget: BudgetMeter): Usage['spent'] {
  const { usd, ...spent } = budget.spent();
  return usd === undefined ? spent : { ...spent, usd };
}

/**
 * Tells the guard what it has to find again before a remote model is sent anything: the secrets of
 * the workspace's files, and those of all that tools said, also of what is cut off.
 */
export function createKnowSecrets(
  options: Pick<RepliesOptions, 'model' | 'guard' | 'ports' | 'turn'>,
): () => Promise<void> {
  const { model, guard, ports, turn } = options;
  const known = new Set<StepResult>();
  return async () => {
    if (!model.remote) return;
    const fresh = turn.results.filter((result) => !known.has(result));
    for (const result of fresh) known.add(result);
    const named = fresh.flatMap(({ hostCalls, input }) => [
      ...hostCalls.map(({ target }) => target.replace(/^work:/, '')),
      // Only the command line says what a program reads.
      ...stringsOf(input as JsonObject).flatMap((text) => text.split(/[\s"'=<>|;&]+/)),
    ]);
    guard.know(await ports.heldSecrets([...new Set([...ports.tools.changedPaths(), ...named])]));
    const said = fresh.map(({ output, error }) => output?.content ?? error?.message ?? '');
    guard.know(said.flatMap(secretsOf));
  };
}
