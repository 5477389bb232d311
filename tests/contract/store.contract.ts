import { describe, expect, it } from 'vitest';
import type { HostCallRow, RunRow, StepRow, Store } from '../../src/contracts/store.ts';

/** What every `Store` does. `open` gives a new, empty one. */
export function storeContract(name: string, open: () => Store): void {
  describe(name, () => {
    it('createSession() makes a session that session() and sessions() return', () => {
      using store = open();
      const made = store.createSession('/p', 'first question', 1_000);
      expect(made).toEqual({
        id: made.id,
        project: '/p',
        title: 'first question',
        createdMs: 1_000,
        updatedMs: 1_000,
        messages: 0,
      });
      expect(store.session(made.id)).toEqual(made);
      expect(store.sessions({ limit: 5 })).toEqual([made]);
      expect(store.createSession('/p', 'other', 1_000).id).not.toBe(made.id);
    });

    it('session() and latestSession() are undefined for what is not there', () => {
      using store = open();
      store.createSession('/p', 't', 1);
      expect(store.session('none')).toBeUndefined();
      expect(store.latestSession('/other')).toBeUndefined();
    });

    it('latestSession() is the one of the project that was last spoken in', () => {
      using store = open();
      const one = store.createSession('/p', 'one', 1);
      const two = store.createSession('/p', 'two', 2);
      store.createSession('/q', 'three', 99);
      expect(store.latestSession('/p')?.id).toBe(two.id);
      store.addMessage({ session: one.id, run: 'r', role: 'user', text: 'hi', ts: 50 });
      expect(store.latestSession('/p')).toMatchObject({ id: one.id, updatedMs: 50, messages: 1 });
    });

    it('latestSession() takes the one made later when both are of one millisecond', () => {
      using store = open();
      store.createSession('/p', 'one', 7);
      expect(store.latestSession('/p')?.title).toBe('one');
      store.createSession('/p', 'two', 7);
      expect(store.latestSession('/p')?.title).toBe('two');
    });

    it('sessions() lists newest first, of one project or all, up to the limit', () => {
      using store = open();
      for (const [project, ts] of [
        ['/p', 1],
        ['/q', 2],
        ['/p', 3],
      ] as const) {
        store.createSession(project, `${ts}`, ts);
      }
      const titles = (options: { project?: string; limit: number }) =>
        store.sessions(options).map(({ title }) => title);
      expect(titles({ limit: 9 })).toEqual(['3', '2', '1']);
      expect(titles({ limit: 2 })).toEqual(['3', '2']);
      expect(titles({ project: '/p', limit: 9 })).toEqual(['3', '1']);
      expect(titles({ limit: 0 })).toEqual([]);
    });

    it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('sessions() refuses %d', (limit) => {
      using store = open();
      expect(() => store.sessions({ limit })).toThrow(
        expect.objectContaining({ code: 'invalid-argument' }),
      );
    });

    it('messages() returns what was said in its order, of one session', () => {
      using store = open();
      const [one, two] = [store.createSession('/p', 'a', 1), store.createSession('/p', 'b', 1)];
      const said = [
        { session: one.id, run: 'r1', role: 'user', text: 'question', ts: 5 },
        { session: one.id, run: 'r1', role: 'assistant', text: 'answer', ts: 4 },
      ] as const;
      for (const message of said) store.addMessage(message);
      store.addMessage({ session: two.id, run: 'r2', role: 'user', text: 'other', ts: 6 });
      expect(store.messages(one.id)).toEqual(said);
      expect(store.messages('none')).toEqual([]);
    });

    it('addMessage() refuses an unknown session and writes nothing', () => {
      using store = open();
      const message = { session: 'none', run: 'r', role: 'user', text: 'x', ts: 1 } as const;
      expect(() => store.addMessage(message)).toThrow(
        expect.objectContaining({
          code: 'not-found',
          message: 'session "none" is not in the store',
        }),
      );
      expect(store.messages('none')).toEqual([]);
    });

    it.each([
      ['other scripts', '東京の天気 Когда 😀'],
      ['quotes', `'; DROP TABLE messages; --"`],
      ['a NUL', 'a\u0000b'],
      ['a megabyte', 'x'.repeat(1_000_000)],
      ['nothing', ''],
    ])('addMessage() keeps %s', (_what, text) => {
      using store = open();
      const { id } = store.createSession('/p', 't', 1);
      store.addMessage({ session: id, run: 'r', role: 'user', text, ts: 1 });
      expect(store.messages(id)[0]?.text).toBe(text);
    });

    it('startRun() and finishRun() keep a run, with and without session', () => {
      using store = open();
      const session = store.createSession('/p', 't', 1).id;
      store.startRun({ ...run, session });
      store.startRun({ ...run, id: 'r2' });
      expect(store.run('r1')).toEqual({ ...run, session });
      expect(store.run('r2')).toEqual({ ...run, id: 'r2' });
      store.finishRun('r1', 'ok', 9);
      expect(store.run('r1')).toEqual({ ...run, session, status: 'ok', finishedMs: 9 });
      expect(store.run('none')).toBeUndefined();
    });

    it('startRun() refuses an id that is taken and a session that is not there', () => {
      using store = open();
      store.startRun(run);
      const refused = (code: string) => expect.objectContaining({ name: 'KernelError', code });
      expect(() => store.startRun(run)).toThrow(refused('conflict'));
      expect(() => store.startRun({ ...run, id: 'r2', session: 'none' })).toThrow(
        refused('not-found'),
      );
      expect(store.run('r2')).toBeUndefined();
    });

    it('finishRun() refuses an unknown run', () => {
      using store = open();
      expect(() => store.finishRun('none', 'ok', 1)).toThrow(
        expect.objectContaining({ code: 'not-found', message: 'run "none" is not in the store' }),
      );
    });

    it('steps() returns the steps of a run in the order they were added', () => {
      using store = open();
      store.startRun(run);
      const added = ['s1', 's10', 's2'].map((id) => ({ ...step, step: id }));
      for (const row of added) store.addStep(row);
      expect(store.steps('r1')).toEqual(added);
      expect(store.steps('none')).toEqual([]);
    });

    it('addStep() puts a step that ran again in the place of its earlier row', () => {
      using store = open();
      store.startRun(run);
      store.addStep({ ...step, status: 'error' });
      store.addStep({ ...step, step: 's2' });
      store.addStep({ ...step, status: 'ok', attempts: 2 });
      expect(store.steps('r1')).toEqual([
        { ...step, status: 'ok', attempts: 2 },
        { ...step, step: 's2' },
      ]);
    });

    it('addStep() refuses an unknown run', () => {
      using store = open();
      expect(() => store.addStep(step)).toThrow(expect.objectContaining({ code: 'not-found' }));
    });

    it('hostCalls() returns the calls of a run in their order, bytes where known', () => {
      using store = open();
      store.startRun(run);
      const calls: HostCallRow[] = [
        call,
        { ...call, call: 'fs.stat', bytes: 0 },
        { ...call, bytes: 7 },
      ];
      store.addHostCalls(calls);
      store.addHostCalls([]);
      expect(store.hostCalls('r1')).toEqual(calls);
      expect(store.hostCalls('none')).toEqual([]);
    });

    it('hasRun() knows a run of its project by the start of its id', () => {
      using store = open();
      store.startRun({ ...run, id: 'run-1' });
      expect(['run-1', 'run', 'un-1', '%', 'run-12'].map((id) => store.hasRun('/p', id))).toEqual([
        ...[true, true, false, false, false],
      ]);
      expect(store.hasRun('/q', 'run-1')).toBe(false);
    });

    it.each([
      ['of an unknown run', { run: 'none' }],
      ['of half a byte', { bytes: 0.5 }],
      ['of endless bytes', { bytes: Number.POSITIVE_INFINITY }],
      ['without a number where there has to be one', { durationMs: Number.NaN }],
      ['that is not a value of a database', { target: {} as string }],
    ])('addHostCalls() refuses a row %s and keeps the others', (_, wrong) => {
      using store = open();
      store.startRun(run);
      const last = { ...call, target: 'last' };
      expect(() => store.addHostCalls([call, { ...call, ...wrong }, last])).toThrow();
      expect(store.hostCalls('r1')).toEqual([call, last]);
    });

    it('hostCalls() says how many refusals a row stands for', () => {
      using store = open();
      store.startRun(run);
      const summed: HostCallRow = { ...call, outcome: 'denied', times: 990 };
      store.addHostCalls([call, summed]);
      expect(store.hostCalls('r1')).toEqual([call, summed]);
    });

    it('setSetting() replaces what getSetting() returns', () => {
      using store = open();
      expect(store.getSetting('model/x')).toBeUndefined();
      store.setSetting('model/x', { score: 0.5, nested: { list: [1, null, 'a'] } });
      store.setSetting('model/y', {});
      expect(store.getSetting('model/x')).toEqual({ score: 0.5, nested: { list: [1, null, 'a'] } });
      store.setSetting('model/x', { score: 1 });
      expect(store.getSetting('model/x')).toEqual({ score: 1 });
      expect(store.getSetting('model/y')).toEqual({});
    });

    it('disposes twice without complaint, and refuses to work afterwards', () => {
      const store = open();
      store[Symbol.dispose]();
      store[Symbol.dispose]();
      expect(() => store.sessions({ limit: 1 })).toThrow(
        expect.objectContaining({ name: 'KernelError', code: 'canceled' }),
      );
    });
  });
}

const run: RunRow = {
  id: 'r1',
  session: undefined,
  command: 'ask',
  question: 'where?',
  project: '/p',
  model: 'none',
  status: 'running',
  startedMs: 1,
  finishedMs: undefined,
};

const step: StepRow = {
  run: 'r1',
  step: 's1',
  tool: 'file.read',
  plugin: 'file',
  digest: 'd',
  input: { path: 'work:a', lines: [1, 2] },
  status: 'ok',
  summary: '2 lines',
  durationMs: 1.25,
  bytes: 10,
  attempts: 1,
};

const call: HostCallRow = {
  run: 'r1',
  step: 's1',
  call: 'fs.read-text',
  target: 'work:a',
  outcome: 'ok',
  durationMs: 0.5,
  ts: 3,
};
