import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { defaultLimits } from '../../src/host/limits.ts';
import { openKernel } from '../../src/kernel.ts';
import type { Ran } from '../support/run-cuervo.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { emptyProcess, loadedGuest } from './support/guest-process.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';
import { watGuest } from './support/wat-plugin.ts';

const mebibyte = 1024 * 1024;
const place = usePlace({ fill: async (made) => made.install(await buildGuest('flooder')) });

escapeCase('result flood', {
  denied: [
    [
      'two bytes more than a mebibyte end with exit 5',
      async () => {
        const ran = await place.run('flooder.result', { bytes: mebibyte + 2 });
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /returned 1048578 bytes, limit 1048576/,
        });
      },
    ],
    [
      'an error of a mebibyte is cut, exit 1',
      async () => {
        const ran = await place.run('flooder.fail-long', { characters: mebibyte });
        expectFailure(place, ran, { code: 'tool-failed', exit: 1 });
        expect(ran.error?.message.length).toBeLessThan(5000);
        expect(ran.stdout.length).toBeLessThan(30_000);
      },
    ],
  ],
  control: [
    'a mebibyte exactly is a result, every byte of it',
    async () => {
      await using kernel = await openKernel({ home: place.home, workspace: place.work });
      const events = [];
      for await (const event of kernel.run('flooder.result', { bytes: mebibyte }))
        events.push(event);
      expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({
        status: 'ok',
        bytes: mebibyte,
      });
    },
  ],
});

/** Log lines of one call, as a program that uses the library hears them. */
async function logged(input: { lines: number; bytes: number }) {
  const messages: string[] = [];
  await using kernel = await openKernel({
    home: place.home,
    workspace: place.work,
    onToolEvent: (_, event) => {
      if (event.type === 'log') messages.push(event.message);
    },
  });
  const events = [];
  for await (const event of kernel.run('flooder.log', input)) events.push(event);
  return { messages, characters: messages.join('').length, events };
}

escapeCase('log flood', {
  denied: [
    [
      'of a hundred thousand lines 64 KiB come through, and the tool ends well',
      async () => {
        const { characters, events } = await logged({ lines: 100_000, bytes: 100 });
        expect(characters).toBeLessThanOrEqual(64 * 1024);
        expect(characters).toBeGreaterThan(32 * 1024);
        expect(events.at(-1)).toMatchObject({ type: 'run-finished', exitCode: 0 });
      },
    ],
    [
      'a single line above it is dropped; nor are empty lines free',
      async () => {
        expect((await logged({ lines: 3, bytes: 100_000 })).messages).toEqual([]);
        expect((await logged({ lines: 100_000, bytes: 0 })).messages.length).toBeLessThan(4096);
      },
    ],
  ],
  control: [
    'ten lines come through, all of them',
    async () => {
      const { messages } = await logged({ lines: 10, bytes: 3 });
      expect(messages).toEqual(Array.from({ length: 10 }, (_, index) => `${index} ###`));
    },
  ],
});

escapeCase('host-call flood', {
  denied: [
    [
      'the call after the thousandth ends with exit 5',
      async () => {
        const ran = await place.run('flooder.call', { times: 1001 });
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /more than 1000 host calls/,
        });
      },
    ],
    [
      'who goes on all the same is ended',
      async () => {
        expectEnded(await place.run('flooder.call-on', { times: 20_000 }));
        expect(journaled()).toEqual([
          { call: 'fs.stat', outcome: 'limit', written: 11, calls: 101 },
        ]);
      },
    ],
  ],
  control: [
    'a thousand calls are made, and a few more are borne',
    async () => {
      expect(expectSuccess(await place.run('flooder.call', { times: 1000 }))).toEqual({
        times: 1000,
      });
      const ran = await place.run('flooder.call-on', { times: 1100 });
      expect(expectSuccess(ran)).toEqual({ ok: 1000, limit: 100 });
    },
  ],
});

/** The call was ended by the kernel for its many refusals. */
function expectEnded(ran: Ran): void {
  expectFailure(place, ran, {
    code: 'resource-exhausted',
    exit: 5,
    says: /more than 1000 host calls .* and 100 more after the refusal/,
  });
}

/** Host calls of the last run, as the journal has them. */
function journaled() {
  const database = new Database(join(place.home, 'cuervo.db'), { readonly: true });
  const rows = database
    .prepare(
      `SELECT call, outcome, count(*) AS written, sum(times) AS calls FROM host_calls
       WHERE run = (SELECT max(id) FROM runs) GROUP BY call, outcome ORDER BY min(seq)`,
    )
    .all();
  database.close();
  return rows;
}

escapeCase('refused calls without an end', {
  denied: [
    [
      'what is not granted',
      async () => {
        expectEnded(await place.run('flooder.look-on', { times: 29_000, key: 'a' }));
        expect(journaled()).toEqual([
          { call: 'kv.get', outcome: 'denied', written: 11, calls: 1000 },
          { call: 'kv.get', outcome: 'limit', written: 11, calls: 101 },
        ]);
      },
    ],
    [
      'what is not granted, of the files that the process reads itself',
      async () => {
        expectEnded(await place.run('flooder.call-on', { times: 29_000 }, { allow: [] }));
        expect(journaled()).toEqual([
          { call: 'fs.stat', outcome: 'denied', written: 11, calls: 1000 },
          { call: 'fs.stat', outcome: 'limit', written: 11, calls: 101 },
        ]);
      },
    ],
    [
      'what is above the effect of the tool',
      async () => {
        expectEnded(await place.run('flooder.keep-on', { times: 29_000 }, { allow: ['kv'] }));
        expect(journaled()).toEqual([
          { call: 'kv.set', outcome: 'denied', written: 11, calls: 1000 },
          { call: 'kv.set', outcome: 'limit', written: 11, calls: 101 },
        ]);
      },
    ],
    [
      'what its service refuses',
      async () => {
        const input = { times: 29_000, key: 'k'.repeat(10_000) };
        expectEnded(await place.run('flooder.look-on', input, { allow: ['kv'] }));
        expect(journaled()).toMatchObject([
          { call: 'kv.get', outcome: 'invalid', written: 11, calls: 1000 },
          { call: 'kv.get', outcome: 'limit', written: 11, calls: 101 },
        ]);
      },
    ],
  ],
  control: [
    'a thousand calls that are served have a row each',
    async () => {
      const input = { times: 1000, key: 'a' };
      expectSuccess(await place.run('flooder.look-on', input, { allow: ['kv'] }));
      expect(journaled()).toEqual([{ call: 'kv.get', outcome: 'ok', written: 1000, calls: 1000 }]);
    },
  ],
});

/** What the journal holds at the moment when a call of the kernel was told. */
async function atOnce(tool: string, input: { times: number; key?: string }) {
  const seen: unknown[] = [];
  await using kernel = await openKernel({
    home: place.home,
    workspace: place.work,
    allow: ['kv'],
    onToolEvent: (_, event) => {
      if (event.type === 'host-call') seen.push(...journaled());
    },
  });
  for await (const _ of kernel.run(tool, input));
  return seen;
}

escapeCase('journal of a call that is under way', {
  denied: [
    'what the kernel served is written before the step has ended, refused or not',
    async () => {
      const [first] = await atOnce('flooder.keep-on', { times: 1 });
      expect(first).toEqual({ call: 'kv.set', outcome: 'denied', written: 1, calls: 1 });
    },
  ],
  control: [
    'it is written once',
    async () => {
      await atOnce('flooder.look-on', { times: 1, key: 'a' });
      expect(journaled()).toEqual([{ call: 'kv.get', outcome: 'ok', written: 1, calls: 1 }]);
    },
  ],
});

/** Calls one after the other in a process. */
async function inOneProcess(sizes: readonly number[]) {
  await using child = emptyProcess();
  child.load(loadedGuest(place, 'flooder'));
  const { signal } = new AbortController();
  const outcomes = [];
  for (const bytes of sizes) {
    const input = JSON.stringify({ bytes });
    const message = { tool: 'result', input, effect: 'pure', denied: {} } as const;
    const { outcome } = await child.call(message, { signal });
    outcomes.push(outcome);
  }
  return outcomes;
}

escapeCase('results in a row', {
  denied: [
    'one that is too large is refused between others',
    async () => {
      expect(await inOneProcess([10, mebibyte + 2, 10])).toEqual(['ok', 'error', 'ok']);
    },
  ],
  control: [
    'each may be a mebibyte, though together they are more than one call may copy',
    async () => {
      const sizes = Array.from({ length: 70 }, () => mebibyte - 100);
      expect(new Set(await inOneProcess(sizes))).toEqual(new Set(['ok']));
    },
  ],
});

/** Gives bytes that are not UTF-8. */
const noText = (bytes: number): Promise<string> =>
  watGuest({
    name: 'no-text',
    memory: '(memory (export "memory") 16)',
    call: `(memory.fill (i32.const 100000) (i32.const 255) (i32.const ${bytes}))
      (call $ok-text (i32.const 100000) (i32.const ${bytes}))`,
  });

escapeCase('result that is not UTF-8', {
  denied: [
    'what it is read as is above the limit, and no fault of the process',
    async () => {
      await place.install(await noText(400_000));
      expectFailure(place, await place.run('no-text.go', {}), {
        code: 'resource-exhausted',
        exit: 5,
        says: /returned 1200000 bytes, limit 1048576/,
      });
    },
  ],
  control: [
    'below it each byte is a replacement character',
    async () => {
      await place.install(await noText(340_000));
      const { exitCode, events } = await place.run('no-text.go', {});
      expect(exitCode).toBe(0);
      expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({
        status: 'ok',
        bytes: 1_020_000,
      });
    },
  ],
});

const maxBytes = 6 * mebibyte;

/** Gives as much as a result may ever have, after a thousand looks at a name of control characters. */
const chatty = (looks: number): Promise<string> =>
  watGuest({
    name: 'chatty',
    tools: [{ name: 'go', effect: 'read' }],
    wants: ['fs'],
    imports: '(import "cuervo:host/fs@0.1.0" "read-text" (func $read (param i32 i32 i32 i32)))',
    memory: '(memory (export "memory") 200)',
    call: `(memory.fill (i32.const 5000000) (i32.const 1) (i32.const 600))
      (loop $more
        (call $read (i32.const 5000000) (i32.const 600) (i32.const 100) (i32.const 1024))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $more (i32.lt_u (local.get $i) (i32.const ${looks}))))
      (memory.fill (i32.const 6000000) (i32.const 65) (i32.const ${maxBytes}))
      (call $ok-text (i32.const 6000000) (i32.const ${maxBytes}))`,
  });

/** The outcome of one call, with the highest limit that there is. */
async function chat(looks: number) {
  await place.install(await chatty(looks));
  await using child = emptyProcess();
  child.load(loadedGuest(place, 'chatty', { ...defaultLimits, maxResultBytes: maxBytes }));
  const { signal } = new AbortController();
  const message = { tool: 'go', input: '{}', effect: 'read', denied: {} } as const;
  const first = await child.call(message, { signal });
  const { id } = await child.call(message, { signal });
  return { ...first, answersOn: id === first.id + 1 };
}

escapeCase('result with host calls that no frame holds', {
  denied: [
    'it is refused as a limit of the call, and the process goes on',
    async () => {
      expect(await chat(1000)).toMatchObject({
        outcome: 'error',
        case: 'limit',
        message: expect.stringMatching(/would take a frame of \d+ bytes, limit 8388608/),
        answersOn: true,
      });
    },
  ],
  control: [
    'with fewer of them all of it comes through',
    async () => {
      expect(await chat(500)).toMatchObject({
        outcome: 'ok',
        content: 'A'.repeat(maxBytes),
        answersOn: true,
      });
    },
  ],
});
