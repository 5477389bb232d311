import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { KernelError } from '../../src/contracts/error.ts';
import { openMessage } from '../../src/host/install/prepare-plugin.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { PluginProcess } from '../../src/host/run/plugin-process.ts';
import type { ReplyMessage, ResultMessage } from '../../src/protocol/messages.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { adder } from './guests/trapper/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { emptyProcess, loadedGuest } from './support/guest-process.ts';
import { bundlesFolder } from './support/paths.ts';
import { expectNoHostPath, usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await adder(1000)) });

/** A process that runs the hostile program instead of ours; the entry names the attack. */
function hostile(attack: string): PluginProcess {
  const child = new PluginProcess({
    bundle: join(bundlesFolder, 'frames.mjs'),
    roots: {},
    withheld: {},
    sandbox: createProcessSandbox('auto'),
    startTimeoutMs: 3000,
  });
  child.load({
    open: {
      ...openMessage({ pages: {}, files: {} }, defaultLimits),
      entry: attack,
      protectedPaths: {},
    },
    files: () => [],
  });
  return child;
}

/** The real program with a real component. */
function real(): PluginProcess {
  const child = emptyProcess();
  child.load(loadedGuest(place, 'adder'));
  return child;
}

async function call(
  process: PluginProcess,
  timeoutMs = 3000,
  reply: ReplyMessage = { error: { tag: 'denied', val: 'not served here' } },
): Promise<ResultMessage> {
  const deadline = new AbortController();
  const reason = new KernelError('deadline-exceeded', `no answer after ${timeoutMs} ms`);
  const timer = setTimeout(() => deadline.abort(reason), timeoutMs);
  const message = { tool: 'go', input: '{}', effect: 'pure', denied: {} } as const;
  try {
    const onRequest = async () => reply;
    return await process.call(message, { signal: deadline.signal, onRequest });
  } finally {
    clearTimeout(timer);
  }
}

async function failure(run: Promise<unknown>): Promise<KernelError> {
  const thrown = await run.then(
    (value) => new Error(`it was answered: ${JSON.stringify(value).slice(0, 200)}`),
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(KernelError);
  return thrown as KernelError;
}

/** The call fails as a fault of the plugin, and the process is dead for good. */
async function expectFault(attack: string, says: RegExp): Promise<void> {
  await using child = hostile(attack);
  const error = await failure(call(child));
  expect({ attack, code: error.code }).toEqual({ attack, code: 'plugin-fault' });
  expect(error.message).toMatch(says);
  expectNoHostPath(place, error.message);
  expect(error.message.length).toBeLessThan(5000);
  expect(child.ended).toBe(true);
  const again = await failure(call(child));
  expect(again.message).toBe(error.message);
  const { pid } = child;
  await child[Symbol.asyncDispose]();
  expect(pid).toBeGreaterThan(0);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
}

const each = (attacks: Readonly<Record<string, RegExp>>) => async () => {
  await Promise.all(Object.entries(attacks).map(([attack, says]) => expectFault(attack, says)));
};

const realAnswers = async (): Promise<void> => {
  await using child = real();
  const first = await call(child, 10_000);
  expect(first).toMatchObject({ outcome: 'ok' });
  expect(await call(child, 10_000)).toMatchObject({ ...first, id: first.id + 1 });
  expect(child.ended).toBe(false);
};

escapeCase('frames of a wrong length', {
  denied: [
    'gigabytes, nothing, or less than was announced',
    each({
      'announces-4-gigabytes': /announces 4294967295 bytes/,
      'announces-9-megabytes': /announces 9437184 bytes/,
      'announces-nothing': /announces 0 bytes/,
      'ends-in-the-middle': /ended with code 0/,
    }),
  ],
  control: [
    'a frame that comes byte by byte is a frame',
    async () => {
      await using child = hostile('byte-by-byte');
      expect(await call(child)).toMatchObject({ outcome: 'ok', content: 'answer' });
      expect(await call(child)).toMatchObject({ outcome: 'ok', content: 'answer' });
    },
  ],
});

escapeCase('frames of a wrong shape', {
  denied: [
    [
      'kinds that there are not, what is not JSON, and what is not texts',
      each({
        'unknown-kind': /unknown kind 7/,
        'kind-of-the-kernel': /unknown kind 1/,
        'no-json': /not JSON/,
        'no-utf-8': /not JSON/,
        'not-an-object': /is wrong/,
        'output-without-numbers': /does not hold texts/,
        'output-without-anything': /does not hold texts/,
        'texts-that-are-not-there': /does not hold texts/,
        'texts-of-gigabytes': /does not hold texts/,
      }),
    ],
    [
      'fields that are missing, of another type, or out of range',
      each({
        'no-outcome': /is wrong/,
        'unknown-outcome': /is wrong/,
        'output-as-json': /"outcome" is wrong/,
        'calls-are-no-list': /"calls" is wrong/,
        'calls-are-no-json': /not JSON/,
        'calls-of-nothing': /"calls.0" is wrong/,
        'unknown-error-case': /"case" is wrong/,
        'negative-duration': /is wrong/,
        'answers-by-text': /"id" is wrong/,
        'log-of-unknown-level': /"level" is wrong/,
      }),
    ],
    [
      'numbers and texts that the journal could not hold',
      each({
        'half-a-byte': /"calls.0.bytes" is wrong/,
        'less-than-no-byte': /"calls.0.bytes" is wrong/,
        'bytes-as-text': /"calls.0.bytes" is wrong/,
        'bytes-without-end': /"calls.0.bytes" is wrong/,
        'bytes-above-all-integers': /"calls.0.bytes" is wrong/,
        'time-without-end': /"calls.0.durationMs" is wrong/,
        'time-of-a-year': /"calls.0.durationMs" is wrong/,
        'target-without-end': /"calls.0.target" is wrong/,
        'target-as-list': /"calls.0.target" is wrong/,
        'outcome-of-its-own': /"calls.0.outcome" is wrong/,
        'half-an-id': /"id" is wrong/,
        'progress-without-end': /"done" is wrong/,
      }),
    ],
    [
      'keys of prototypes change nothing in the kernel',
      async () => {
        await using trapped = hostile('prototype-keys');
        expect(await call(trapped)).not.toHaveProperty('polluted');
        await using answered = hostile('prototype-keys-of-calls');
        const { calls } = await call(answered);
        expect(calls).toHaveLength(1);
        expect(calls[0]).not.toHaveProperty('polluted');
        expect({}).not.toHaveProperty('polluted');
      },
    ],
  ],
  control: ['the real process is answered twice', realAnswers],
});

escapeCase('frames that take the kernel long to read', {
  denied: [
    'millions of wrong items, and of levels, are refused at the first',
    async () => {
      const startedMs = performance.now();
      await expectFault('calls-without-end', /"calls.0" is wrong/);
      await expectFault('calls-nested-deep', /nested too deep/);
      await expectFault('asks-nested-deep', /nested too deep/);
      expect(performance.now() - startedMs).toBeLessThan(15_000);
    },
  ],
  control: ['the real process is answered twice', realAnswers],
});

/** Nearly as much as a frame holds. */
const largeReply = { value: 'x'.repeat(8_000_000) };

escapeCase('answers that a process does not read', {
  denied: [
    'the kernel keeps a few of them and ends the process',
    async () => {
      await using child = hostile('asks-and-reads-nothing');
      const error = await failure(call(child, 20_000, largeReply));
      expect(error.message).toMatch(/sends requests and reads no answers/);
      expect(child.ended).toBe(true);
      await expectFault('overlaps-without-end', /"request for http.send" out of order/);
    },
  ],
  control: [
    'one that reads them gets each, also late those that overlap',
    async () => {
      for (const reads of ['asks-and-reads', 'overlaps-and-reads-late']) {
        await using child = hostile(reads);
        expect(await call(child, 20_000, largeReply)).toMatchObject({ content: 'answer' });
      }
    },
  ],
});

escapeCase('host calls of the kernel, told by a process', {
  denied: [
    [
      'what the kernel serves stands in no result',
      each({
        'tells-of-a-program': /"calls.0.call" is wrong/,
        'tells-of-a-connection': /"calls.0.call" is wrong/,
        'tells-of-a-request': /"calls.0.call" is wrong/,
        'tells-of-a-write': /"calls.0.call" is wrong/,
        'tells-of-a-value': /"calls.0.call" is wrong/,
        'tells-of-a-memory': /"calls.0.call" is wrong/,
        'tells-of-chance': /"calls.0.call" is wrong/,
        'tells-of-a-denial': /"calls.0.call" is wrong/,
        'tells-of-a-denial-with-a-trap': /"calls.0.call" is wrong/,
        'tells-of-what-there-is-not': /"calls.0.call" is wrong/,
      }),
    ],
    [
      'nor is anything asked for by a name of its own',
      each({
        'asks-for-what-there-is-not': /"call" is wrong/,
        'asks-for-what-it-makes-itself': /"call" is wrong/,
        'asks-for-more-than-there-is': /"args" is wrong/,
        'asks-for-a-refusal-of-nothing': /"args.0" is wrong/,
        'asks-for-a-refusal-by-any-name': /"args.0" is wrong/,
        'asks-for-another-call': /answered call 2, not 1/,
      }),
    ],
  ],
  control: [
    'it tells of what it makes itself, and asks for what there is',
    async () => {
      await using tells = hostile('tells-of-its-own');
      expect(await call(tells)).toMatchObject({
        content: 'answer',
        calls: [{ call: 'clock.now-ms', target: '', outcome: 'ok', durationMs: 0, bytes: 8 }],
      });
      await using asks = hostile('asks-and-answers');
      expect(await call(asks)).toMatchObject({ content: 'answer' });
    },
  ],
});

escapeCase('frames in a wrong order', {
  denied: [
    [
      'before ready, again, for another call',
      each({
        'answers-before-ready': /"result" out of order/,
        'logs-before-ready': /"log" out of order/,
        'ready-again': /"ready" out of order/,
        'answers-another-call': /answered call 2, not 1/,
      }),
    ],
    [
      'an answer that nobody asked for',
      async () => {
        await using child = hostile('answers-before-it-is-asked');
        await child.ready();
        while (!child.ended) await new Promise((done) => setTimeout(done, 10));
        expect((await failure(call(child))).message).toMatch(/"result" out of order/);
      },
    ],
  ],
  control: ['the real process is answered twice', realAnswers],
});

escapeCase('second answer to one call', {
  denied: [
    'the first counts, and the second ends the process before the next call',
    async () => {
      await using child = hostile('answers-twice');
      expect(await call(child)).toMatchObject({ content: 'answer' });
      const error = await failure(call(child));
      expect(error.message).toMatch(/"result" out of order/);
    },
  ],
  control: ['the real process is answered twice', realAnswers],
});

escapeCase('frames above the limits of a call', {
  denied: [
    'a result, a message, host calls and log lines that a whole process would not send',
    each({
      'result-of-2-megabytes': /a result above the limit of 1048576/,
      'message-of-a-megabyte': /"message" is wrong/,
      'host-calls-above-the-limit': /host calls above the limit of 1000/,
      'logs-above-the-limit': /log text above the limit of 65536/,
    }),
  ],
  control: ['the real process is answered twice', realAnswers],
});

escapeCase('process that dies or says nothing', {
  denied: [
    [
      'death is told with its code or signal',
      each({
        dies: /ended with code 3/,
        aborts: /ended by SIGABRT|ended by SIGTRAP|ended with code/,
      }),
    ],
    [
      'silence ends at the deadline of the call, or at that of the start',
      async () => {
        await using silent = hostile('says-nothing');
        expect((await failure(call(silent, 500))).code).toBe('deadline-exceeded');
        expect(silent.ended).toBe(true);
        await using never = hostile('never-ready');
        expect(await failure(call(never, 20_000))).toMatchObject({
          code: 'deadline-exceeded',
          message: expect.stringContaining('not ready after 3000 ms'),
          hint: expect.stringContaining('limits.start-timeout-ms in config.toml'),
        });
      },
    ],
  ],
  control: ['the real process is answered twice', realAnswers],
});
