import { describe, expect, it } from 'vitest';
import type {
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelRequest,
} from '../../src/contracts/model.ts';
import { faultOf, isPassing } from '../../src/contracts/talk.ts';

const never = new AbortController().signal;

/** What a server or a script says to one request, whatever its protocol. */
export type Said =
  | { say: 'text'; text: string; isCut?: boolean }
  | {
      say: 'call';
      text?: string;
      calls: readonly { name: string; input?: object; json?: string }[];
    }
  | { say: 'nothing' }
  | { say: 'broken'; text: string }
  | { say: 'silence'; text: string }
  /** it takes no connection */
  | { say: 'no connection' }
  | { say: 'error'; status: number; message: string; headers?: Record<string, string> };

export type Served = AsyncDisposable & {
  model: ChatModel;
  /** text of all that the last request held */
  lastRequest(): string;
};

export type ChatModelCase = {
  name: string;
  /** @param said to each request in turn; the last one again and again */
  open(said: readonly Said[]): Promise<Served>;
  /** a real model: its words are its own, and it makes one call at a time */
  hasOwnWords?: boolean;
  /** cases that do not apply, each with the reason */
  without?: Partial<Record<CaseName, string>>;
};

const caseNames = [
  'usage',
  'calls',
  'bad-input',
  'rounds',
  'length',
  'empty',
  'broken',
  'silence',
  'connect',
  'errors',
  'retry-after',
  'abort',
] as const;
type CaseName = (typeof caseNames)[number];

const tool = {
  name: 'search.grep',
  description: 'lines that match a pattern',
  inputSchema: {
    type: 'object',
    properties: { pattern: { type: 'string' } },
    required: ['pattern'],
  },
};

function request(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    question: 'Where is the retry limit?',
    system: 'You answer.',
    messages: [{ role: 'user', text: 'Where is the retry limit?' }],
    tools: [tool],
    toolChoice: 'auto',
    maxOutputTokens: 100,
    ...change,
  };
}

async function collect(
  model: ChatModel,
  asked = request(),
  signal: AbortSignal = never,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(asked, { signal })) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

const callsOf = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));

async function failure(events: Promise<unknown>): Promise<Error> {
  return await events.then(
    () => {
      throw new Error('it did not fail');
    },
    (thrown) => thrown as Error,
  );
}

/** What every provider of chat models does alike. */
export function chatModelContract(each: ChatModelCase): void {
  const { name, open, without = {}, hasOwnWords = false } = each;
  const plain = { tools: [], toolChoice: 'none' } as const;
  const expectText = (text: string, said: string): void => {
    if (hasOwnWords) expect(text.trim()).not.toBe('');
    else expect(text).toBe(said);
  };

  const test = (which: CaseName, title: string, run: () => Promise<void>): void => {
    const reason = without[which];
    if (reason === undefined) it(`${title} (${which})`, run);
    else it.skip(`${title} (${which}): ${reason}`, run);
  };

  describe(`a chat model: ${name}`, () => {
    it('leaves out no case that there is not', () => {
      expect(Object.keys(without).filter((key) => !caseNames.includes(key as CaseName))).toEqual(
        [],
      );
    });

    test('usage', 'streams text and ends with its usage', async () => {
      await using served = await open([{ say: 'text', text: 'It is set in retry.ts.' }]);
      const events = await collect(served.model, request(plain));
      expectText(textOf(events), 'It is set in retry.ts.');
      const last = events.at(-1);
      expect(last).toMatchObject({ type: 'end', ...(hasOwnWords ? {} : { stop: 'end' }) });
      expect(last?.type === 'end' && last.usage.inputTokens).toBeGreaterThan(0);
      expect(last?.type === 'end' && last.usage.outputTokens).toBeGreaterThan(0);
    });

    test('calls', 'gives each call with its name and input, and words before them', async () => {
      const calls = [
        { name: tool.name, input: { pattern: '"quoted" – ünïcode {' } },
        { name: tool.name, input: { pattern: 'b' } },
      ];
      await using served = await open([{ say: 'call', text: 'Let me look.', calls }]);
      if (hasOwnWords) {
        const one = await collect(served.model, request({ toolChoice: 'required' }));
        expect(callsOf(one)).toMatchObject([
          { name: tool.name, input: { pattern: expect.any(String) } },
        ]);
        expect(one.at(-1)).toMatchObject({ type: 'end', stop: 'tool-calls' });
        return;
      }
      const events = await collect(served.model);
      expect(textOf(events).trim()).toBe('Let me look.');
      expect(callsOf(events)).toMatchObject(calls);
      const ids = callsOf(events).map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'tool-calls' });
    });

    test('bad-input', 'gives a call whose input is no object with a fault', async () => {
      const calls = [{ name: tool.name, json: '{"pattern": "re' }];
      await using served = await open([{ say: 'call', calls }]);
      const [call] = callsOf(await collect(served.model));
      expect(call).toMatchObject({ input: {}, fault: 'the input is not a JSON object' });
    });

    test('rounds', 'sends calls and results back, and answers from them', async () => {
      await using served = await open([
        { say: 'call', calls: [{ name: tool.name, input: { pattern: 'limit' } }] },
        { say: 'text', text: 'It is seven.' },
      ]);
      const first = await collect(
        served.model,
        request(hasOwnWords ? { toolChoice: 'required' } : {}),
      );
      const calls = callsOf(first);
      const messages: ModelMessage[] = [
        ...request().messages,
        { role: 'assistant', text: textOf(first), toolCalls: calls },
        {
          role: 'tool',
          results: calls.map(({ id }) => ({ id, text: 'limit = 7', isError: false })),
        },
      ];
      const asked = request({ messages, ...(hasOwnWords ? { toolChoice: 'none' } : {}) });
      expectText(textOf(await collect(served.model, asked)), 'It is seven.');
      expect(served.lastRequest()).toContain('limit = 7');
      expect(served.lastRequest()).toContain('limit');
    });

    test('length', 'says that a reply reached its limit', async () => {
      await using served = await open([{ say: 'text', text: 'It is', isCut: true }]);
      const asked = request({ ...plain, ...(hasOwnWords ? { maxOutputTokens: 3 } : {}) });
      const events = await collect(served.model, asked);
      expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'length' });
    });

    test('empty', 'fails as empty on a reply without words and calls', async () => {
      await using served = await open([{ say: 'nothing' }]);
      expect(faultOf(await failure(collect(served.model)))).toMatchObject({ kind: 'empty' });
    });

    test('broken', 'fails as broken when the stream ends before the reply', async () => {
      await using served = await open([{ say: 'broken', text: 'It is set in' }]);
      const error = await failure(collect(served.model));
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(faultOf(error)).toMatchObject({ kind: 'broken' });
    });

    test('silence', 'gives up when nothing comes any more', async () => {
      await using served = await open([{ say: 'silence', text: 'It is set in' }]);
      const error = await failure(collect(served.model));
      expect(faultOf(error)).toMatchObject({ kind: 'silent' });
    });

    test('connect', 'gives up when no connection is made, and says after how long', async () => {
      await using served = await open([{ say: 'no connection' }]);
      const error = await failure(collect(served.model));
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:\d+ accepted no connection within 0\.3 s$/,
        ),
        hint: expect.stringContaining('models.connect-timeout-ms'),
      });
      expect(faultOf(error)).toMatchObject({ kind: 'unreachable' });
      expect(isPassing(faultOf(error))).toBe(true);
    });

    test('errors', 'tells by its fault what is to be done about an error', async () => {
      const kinds: [number, string, string][] = [
        [500, 'oops', 'busy'],
        [429, 'slow down', 'limited'],
        [401, 'bad key', 'refused'],
        [404, 'no such model', 'refused'],
        [400, 'prompt is too long: 300000 tokens > context window', 'overflow'],
        [400, 'Your credit balance is too low', 'refused'],
      ];
      for (const [status, message, kind] of kinds) {
        await using served = await open([{ say: 'error', status, message }]);
        const error = await failure(collect(served.model));
        expect(faultOf(error), `${status} ${message}`).toMatchObject({ kind });
        expect(error.message).toContain(message);
      }
    });

    test('retry-after', 'reads how long to wait, in seconds and until a date', async () => {
      const at = (headers: Record<string, string>): Said => ({
        ...{ say: 'error', status: 429, message: 'slow down' },
        headers,
      });
      await using seconds = await open([at({ 'retry-after': '7' })]);
      const inSeconds = faultOf(await failure(collect(seconds.model)));
      expect(inSeconds?.retryAfterMs).toBe(7000);
      // The clock of the server is an hour ahead of ours; its wait is not.
      const theirs = Date.now() + 3_600_000;
      await using date = await open([
        at({
          'retry-after': new Date(theirs + 9_000).toUTCString(),
          date: new Date(theirs).toUTCString(),
        }),
      ]);
      expect(faultOf(await failure(collect(date.model)))?.retryAfterMs).toBe(9000);
    });

    test('abort', 'ends as canceled when it is aborted, before and in the middle', async () => {
      await using served = await open([{ say: 'silence', text: 'It is set in' }]);
      const asked = request(hasOwnWords ? { ...plain, maxOutputTokens: 2_000 } : {});
      const before = failure(collect(served.model, asked, AbortSignal.abort()));
      expect(await before).toMatchObject({ code: 'canceled' });
      const stop = new AbortController();
      const events = served.model.stream(asked, { signal: stop.signal });
      await events.next();
      const rest = failure(events.next().then(() => events.next()));
      stop.abort();
      expect(await rest).toMatchObject({ code: 'canceled' });
    });
  });
}
