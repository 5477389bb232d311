import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect } from 'vitest';
import { runMany } from '../support/run-many.ts';
import { keepBytes, watGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectRefused, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({
  config: '[limits]\ncall-timeout-ms = 4000\n',
  fill: async (made) => made.install(await watGuest('waitable-guest')),
});
const run = async (tool: string, input: unknown = {}) =>
  await place.run(`waitable-guest.${tool}`, input, { allow: [] });
const faults = async (tool: string, says: RegExp) =>
  expectFailure(place, await run(tool), { code: 'plugin-fault', exit: 6, says });
const endsInTime = async (tool: string, input: unknown) =>
  expectFailure(place, await run(tool, input), { code: 'deadline-exceeded', exit: 5 });
/** At the deadline, or where the memory of the process does before. */
const endsSomehow = async (tool: string): Promise<void> => {
  const { stdout, exitCode } = await run(tool, { count: 2 ** 32 - 1 });
  expect(stdout).toMatch(/no answer after 4000 ms|ran out of memory/);
  expect([5, 6]).toContain(exitCode);
};

escapeCase('more streams, sets and sleepers than anybody waits for', {
  denied: [
    ['streams', async () => await endsSomehow('streams')],
    ['sets', async () => await endsSomehow('sets')],
    ['members of one set', async () => await endsSomehow('joined')],
    ['sleepers', async () => await endsSomehow('sleepers')],
  ],
  control: [
    'some of each are given',
    async () => {
      for (const tool of ['streams', 'sets', 'joined', 'sleepers']) {
        expect(expectSuccess(await run(tool, { count: 100 }))).toBe(100);
      }
    },
  ],
});

escapeCase('ends of streams that are not there', {
  denied: [
    ['one that was dropped', async () => await faults('drop-twice', /missing stream end/)],
    ['one to write after its end', async () => await faults('write-after-drop', /missing stream/)],
    ['the other one', async () => await faults('write-to-readable', /invalid stream type/)],
    ['one that was made up', async () => await faults('forged', /missing stream end/)],
    [
      'one that gives what lies behind the memory',
      async () => await faults('write-behind-memory', /RangeError/),
    ],
    [
      'a future that has given its value',
      async () => await faults('read-future-twice', /after previous read succeeded/),
    ],
    [
      'a call that has not ended',
      async () => await faults('drop-running', /a subtask which has not yet resolved/),
    ],
  ],
  control: [
    'one that it was given may be dropped, or left alone',
    async () => {
      const bytes = Buffer.alloc(100_000).toString('base64');
      expect(expectSuccess(await run('drop', { bytes }))).toBe(7);
      expect(expectSuccess(await run('ignore', { bytes }))).toBe(7);
    },
  ],
});

escapeCase('what nobody writes or reads any more', {
  denied: [
    ['a stream ends at the deadline', async () => await endsInTime('silent', {})],
    ['a future ends at the deadline', async () => await endsInTime('never', {})],
    [
      'two imports of which each waits for the other end at the deadline',
      async () => await endsInTime('deadlock', {}),
    ],
  ],
  control: [
    'a call that leaves both open has its result, and one that wrote the end of its stream',
    async () => {
      expect(expectSuccess(await run('leave-open'))).toBe(1);
      expect(expectSuccess(await run('no-deadlock'))).toBe(1);
    },
  ],
});

escapeCase('task that goes on behind its call', {
  denied: [
    'it asks for nothing in the name of the next one',
    async () => {
      const names = ['look', 'haunt', 'look'].map((tool) => `waitable-guest.${tool}`);
      const [before, , after] = await runMany(place, names, [{}, {}, {}], []);
      expect(before).toMatchObject({ exit: 0, content: expect.any(Number) });
      expect(after?.content).toBe(before?.content);
    },
  ],
  control: [
    'its own call has its result',
    async () => expect(expectSuccess(await run('haunt'))).toBe(1),
  ],
});

const pages = 64;
const small = usePlace({
  config: `[limits]\nmax-memory-bytes = ${pages * 65_536}\n`,
  fill: async (made) => made.install(await watGuest('waitable-guest')),
});
const grown = async (bytes: string): Promise<unknown> =>
  expectSuccess(await small.run('waitable-guest.grow', { bytes }, { allow: [] }));

escapeCase('memory that grows while a stream is read into it', {
  denied: [
    'it has the limit of every memory',
    async () => expect(await grown('AQIDBA==')).toBe(pages),
  ],
  control: [
    'what was read lies in the memory that has grown, and nothing else would',
    async () => {
      expect(await grown('AQIDBA==')).toBeGreaterThan(1);
      expect(await grown('AQIDBQ==')).toBe(0);
    },
  ],
});

escapeCase('a trap with open streams', {
  denied: ['is a fault of that call', async () => await faults('trap-while-open', /unreachable/)],
  control: [
    'and the next call of the same process is as if it had not been',
    async () => {
      const tools = ['trap-while-open', 'drop', 'leave-open', 'streams'];
      const inputs = [{}, { bytes: 'AQID' }, {}, { count: 3 }];
      const names = tools.map((tool) => `waitable-guest.${tool}`);
      const ended = await runMany(place, names, inputs, []);
      expect(ended.map(({ exit, content }) => [exit, content])).toEqual([
        [6, undefined],
        [0, 7],
        [0, 1],
        [0, 3],
      ]);
    },
  ],
});

/** Takes a stream and drops it: of what somebody has to drop, or of bytes. */
async function taking(item: 'thing' | 'bytes'): Promise<string> {
  const things = '(type $t (resource (rep i32))) (export $r "thing" (type $t))';
  const text = `(component
    ${item === 'thing' ? things : ''}
    (type $s (stream ${item === 'thing' ? '(own $r)' : 'u8'}))
    (core func $drop (canon stream.drop-readable $s))
    (core module $m
      (import "" "drop" (func $drop (param i32)))
      (func (export "take") (param i32) (result i32) (call $drop (local.get 0)) (i32.const 1)))
    (core instance $i (instantiate $m (with "" (instance (export "drop" (func $drop))))))
    (func (export "take") (param "items" $s) (result u32) (canon lift (core func $i "take"))))`;
  return keepBytes('owned-streams', await parse(text), { isFolder: true });
}

escapeCase('stream of owned resources', {
  denied: [
    'it is refused, so that nothing has to be dropped half-way',
    async () =>
      void (await expectRefused(place, await taking('thing'), /takes or gives a resource/)),
  ],
  control: [
    'one of bytes is dropped in the middle',
    async () => {
      await place.install(await taking('bytes'));
      const bytes = Buffer.alloc(300_000).toString('base64');
      const ran = await place.run('owned-streams.take', { items: bytes }, { allow: [] });
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
