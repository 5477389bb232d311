import { describe, expect, it } from 'vitest';
import type { ChatModel, ModelEvent, ModelRequest } from '../contracts/model.ts';
import { type ModelFault, modelError } from '../contracts/talk.ts';
import { type BreakerStates, withResilience } from './with-resilience.ts';

const never = new AbortController().signal;
const request = { messages: [], tools: [] } as unknown as ModelRequest;
const end: ModelEvent = {
  ...{ type: 'end', stop: 'end' },
  usage: { inputTokens: 1, outputTokens: 1 },
};

/** Says in each attempt what is next: words, or a fault before or after words. */
type Step = string | ModelFault | { say: string; fault: ModelFault };

function speaking(name: string, steps: readonly Step[]): ChatModel & { asked: number } {
  const model = {
    name,
    remote: false,
    asked: 0,
    stream: async function* (): AsyncGenerator<ModelEvent, void, undefined> {
      const step = steps[model.asked] ?? steps.at(-1) ?? '';
      model.asked += 1;
      if (typeof step === 'string') {
        yield { type: 'text', delta: step };
        yield end;
        return;
      }
      if ('say' in step) {
        yield { type: 'text', delta: step.say };
        throw modelError(step.fault, 'broke', 'x');
      }
      throw modelError(step, `fault ${step.kind}`, 'x');
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return model as unknown as ChatModel & { asked: number };
}

function memoryStates(): BreakerStates & { kept: Map<string, object> } {
  const kept = new Map<string, object>();
  return { kept, load: (key) => kept.get(key), save: (key, state) => void kept.set(key, state) };
}

async function said(model: ChatModel, signal: AbortSignal = never): Promise<string> {
  let text = '';
  for await (const event of model.stream(request, { signal })) {
    if (event.type === 'text') text += event.delta;
  }
  return text;
}

const quick = { firstDelayMs: 1 };

describe('withResilience()', () => {
  it.each<ModelFault['kind']>(['busy', 'limited', 'broken', 'unreachable'])(
    'asks again after %s, and tells of it',
    async (kind) => {
      const model = speaking('m', [{ kind }, 'later']);
      const told: string[] = [];
      const onRetry = ({ message }: Error) => void told.push(message);
      const resilient = withResilience(model, { states: memoryStates(), onRetry, ...quick });
      expect(await said(resilient)).toBe('later');
      expect(told).toEqual([`fault ${kind}`]);
    },
  );

  it.each<ModelFault['kind']>(['refused', 'overflow', 'empty', 'no-tools', 'offline'])(
    'does not ask again after %s',
    async (kind) => {
      const model = speaking('m', [{ kind }, 'later']);
      await expect(
        said(withResilience(model, { states: memoryStates(), ...quick })),
      ).rejects.toThrow(`fault ${kind}`);
      expect(model.asked).toBe(1);
    },
  );

  it('gives up after three further attempts', async () => {
    const model = speaking('m', [{ kind: 'busy' }]);
    await expect(said(withResilience(model, { states: memoryStates(), ...quick }))).rejects.toThrow(
      'fault busy',
    );
    expect(model.asked).toBe(4);
  });

  it('does not ask again once words were said', async () => {
    const model = speaking('m', [{ say: 'half', fault: { kind: 'broken' } }, 'later']);
    await expect(said(withResilience(model, { states: memoryStates(), ...quick }))).rejects.toThrow(
      'broke',
    );
    expect(model.asked).toBe(1);
  });

  it('waits as long as the provider asks, and not longer than a minute', async () => {
    const waits: number[] = [];
    const onRetry = (_: Error, waitMs: number) => void waits.push(waitMs);
    const options = { states: memoryStates(), onRetry, ...quick };
    const soon = speaking('m', [{ kind: 'limited', retryAfterMs: 30 }, 'later']);
    expect(await said(withResilience(soon, options))).toBe('later');
    expect(waits[0]).toBeGreaterThanOrEqual(30);
    const late = speaking('n', [{ kind: 'limited', retryAfterMs: 61_000 }, 'later']);
    await expect(said(withResilience(late, options))).rejects.toThrow('fault limited');
    expect(late.asked).toBe(1);
  });

  it('stops waiting when it is aborted', async () => {
    const model = speaking('m', [{ kind: 'limited', retryAfterMs: 50_000 }, 'later']);
    const stop = new AbortController();
    const onRetry = () => stop.abort();
    const resilient = withResilience(model, { states: memoryStates(), onRetry, ...quick });
    await expect(said(resilient, stop.signal)).rejects.toMatchObject({ code: 'canceled' });
  });

  it('leaves a model alone after five failures in a row, also in the next process', async () => {
    const states = memoryStates();
    const model = speaking('m', [{ kind: 'busy' }]);
    const ask = () => said(withResilience(model, { states, ...quick }));
    await expect(ask()).rejects.toThrow('fault busy');
    await expect(ask()).rejects.toThrow('fault busy');
    expect(model.asked).toBe(5);
    // One attempt more, because there is no other; a healthy one would get four.
    await expect(ask()).rejects.toThrow('fault busy');
    expect(model.asked).toBe(6);
    // The control: another model has a health of its own.
    const other = speaking('n', [{ kind: 'busy' }]);
    await expect(said(withResilience(other, { states, ...quick }))).rejects.toThrow('fault busy');
    expect(other.asked).toBe(4);
  });

  it('is asked as before once its last attempt succeeded', async () => {
    const states = memoryStates();
    const steps: Step[] = [...Array<Step>(5).fill({ kind: 'busy' }), 'well', { kind: 'busy' }, 'x'];
    const model = speaking('m', steps);
    const ask = () => said(withResilience(model, { states, ...quick }));
    await expect(ask()).rejects.toThrow();
    await expect(ask()).rejects.toThrow();
    expect(await ask()).toBe('well');
    expect(await ask()).toBe('x');
  });

  it('takes a replacement only when the model failed for good, and tells of it', async () => {
    const model = speaking('m', [{ kind: 'refused' }]);
    const other = speaking('n', ['instead']);
    const told: string[] = [];
    const options = {
      ...{ states: memoryStates(), ...quick },
      replacements: [{ name: 'n', remote: true, open: async () => other }],
      onFallback: (from: string, to: string) => void told.push(`${from} ${to}`),
    };
    const resilient = withResilience(model, options);
    expect(resilient.remote).toBe(true);
    expect(await said(resilient)).toBe('instead');
    expect(told).toEqual(['m n']);
    const well = speaking('m', ['own']);
    expect(await said(withResilience(well, options))).toBe('own');
    expect(other.asked).toBe(1);
  });
});
