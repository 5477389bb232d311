import { describe, expect, it } from 'vitest';
import type { Memory, MemoryRecord } from '../../src/contracts/memory.ts';

const hourMs = 3_600_000;
export const nowMs = Date.UTC(2026, 10, 21);
export const never = new AbortController().signal;

/** A record of the turn `text`; what is indexed is the text unless given. */
export function turn(text: string, other?: Partial<MemoryRecord>): MemoryRecord {
  return {
    layer: 'interact',
    text,
    context: text,
    kind: 'turn',
    tags: [],
    project: '/p',
    ts: nowMs,
    ...other,
  };
}

/** What every `Memory` does at `nowMs`. `open` gives a new, empty one. */
export function memoryContract(name: string, open: () => Promise<Memory>): void {
  describe(name, () => {
    const texts = async (memory: Memory, text: string, other?: object) => {
      const hits = await memory.search({ text, limit: 32, ...other }, { signal: never });
      return hits.map((hit) => hit.text);
    };

    it('search() finds what remember() was given, with everything it was given', async () => {
      await using memory = await open();
      const whole = turn('the hint is the blue heron', {
        context: 'user (21 November 2026): the hint is the blue heron',
        tags: ['decision', "it's"],
        session: 's1',
        run: 'r1',
        source: 'docs/a.md',
        ts: nowMs - 48 * hourMs,
      });
      const [id] = await memory.remember([whole], { signal: never });
      const { context: _, ...shown } = whole;
      const [hit, ...others] = await memory.search({ text: 'heron', limit: 5 }, { signal: never });
      expect(others).toEqual([]);
      expect(hit).toEqual({
        ...{ ...shown, scope: 'project' },
        ...{ id, score: hit?.score, factors: hit?.factors },
      });
      expect(hit?.score).toBeCloseTo(1.08, 10);
      expect(hit?.factors).toEqual({
        bm25: expect.any(Number),
        fused: 1,
        layerWeight: 1.2,
        decay: 0.9,
      });
      expect(hit?.factors.bm25).toBeGreaterThan(0);
    });

    it('search() looks at the context and leaves out what was not given', async () => {
      await using memory = await open();
      await memory.remember([turn('yes', { context: 'user: yes, deploy on Thursdays' })], {
        signal: never,
      });
      const [hit] = await memory.search({ text: 'thursday', limit: 5 }, { signal: never });
      expect(hit?.text).toBe('yes');
      for (const key of ['session', 'run', 'source', 'context'])
        expect(hit).not.toHaveProperty(key);
    });

    it('search() finds nothing in an empty memory and nothing for other words', async () => {
      await using memory = await open();
      expect(await texts(memory, 'heron')).toEqual([]);
      await memory.remember([turn('the blue heron')], { signal: never });
      expect(await texts(memory, 'frame decoder')).toEqual([]);
      expect(await texts(memory, 'heron')).toEqual(['the blue heron']);
    });

    it('search() ranks what matches more words above what matches fewer', async () => {
      await using memory = await open();
      const said = ['retry limit of the queue', 'limit of the cache', 'colour of the queue'];
      await memory.remember(
        said.map((text) => turn(text)),
        { signal: never },
      );
      const found = await texts(memory, 'what is the retry limit of the queue?');
      expect(found[0]).toBe(said[0]);
      expect(found.toSorted()).toEqual(said.toSorted());
    });

    it('search() ranks of two equal turns the newer first', async () => {
      await using memory = await open();
      const old = turn('heron old', { ts: nowMs - 100 * hourMs });
      await memory.remember([turn('heron new'), old, turn('heron mid', { ts: nowMs - hourMs })], {
        signal: never,
      });
      expect(await texts(memory, 'heron')).toEqual(['heron new', 'heron mid', 'heron old']);
    });

    it('remember() keeps a repeat once, at its latest time', async () => {
      await using memory = await open();
      const [first] = await memory.remember([turn('blue heron', { ts: nowMs - 9 * hourMs })], {
        signal: never,
      });
      const again = await memory.remember(
        [turn('blue heron', { run: 'r2' }), turn('blue heron', { run: 'r2' })],
        {
          signal: never,
        },
      );
      expect(again).toEqual([first, first]);
      const hits = await memory.search({ text: 'heron', limit: 9 }, { signal: never });
      expect(hits.map(({ ts, run }) => [ts, run])).toEqual([[nowMs, 'r2']]);
    });

    it('remember() keeps the same words apart in another project and of another kind', async () => {
      await using memory = await open();
      const records = [
        turn('heron'),
        turn('heron', { project: '/q' }),
        turn('heron', { kind: 'answer' }),
      ];
      const ids = await memory.remember(records, { signal: never });
      expect(new Set(ids).size).toBe(3);
      expect(await texts(memory, 'heron')).toHaveLength(3);
    });

    it('remember() of nothing is nothing', async () => {
      await using memory = await open();
      expect(await memory.remember([], { signal: never })).toEqual([]);
    });

    it.each([
      ['an empty text', { text: ' ' }],
      ['a time that is none', { ts: Number.NaN }],
    ])('remember() refuses %s, and the whole batch with it', async (_what, bad) => {
      await using memory = await open();
      const records = [turn('blue heron'), turn('x', bad)];
      await expect(memory.remember(records, { signal: never })).rejects.toMatchObject({
        code: 'invalid-argument',
      });
      expect(await texts(memory, 'heron')).toEqual([]);
    });

    it('search() narrows by project, session and layer', async () => {
      await using memory = await open();
      await memory.remember(
        [
          turn('heron one', { session: 's1' }),
          turn('heron two', { session: 's2' }),
          turn('heron three', { project: '/q', session: 's1' }),
        ],
        { signal: never },
      );
      const found = async (other: object) => (await texts(memory, 'heron', other)).toSorted();
      expect(await found({})).toEqual(['heron one', 'heron three', 'heron two']);
      expect(await found({ project: '/p' })).toEqual(['heron one', 'heron two']);
      expect(await found({ session: 's1' })).toEqual(['heron one', 'heron three']);
      expect(await found({ project: '/q', session: 's1' })).toEqual(['heron three']);
      expect(await found({ project: '/q', session: 's2' })).toEqual([]);
      expect(await found({ layer: 'interact', project: '/q' })).toEqual(['heron three']);
      expect(await found({ layer: 'assets' })).toEqual([]);
    });

    it.each([`x' OR '1'='1`, `x'' OR ''1''=''1`, `\\' OR 1=1 --`, `'`, '"/p"', '/p\u0000', '%'])(
      'search() takes %j as a name, in project and session',
      async (name) => {
        await using memory = await open();
        await memory.remember([turn('heron', { session: 's' })], { signal: never });
        expect(await texts(memory, 'heron', { project: name })).toEqual([]);
        expect(await texts(memory, 'heron', { session: name })).toEqual([]);
        await memory.remember([turn('heron', { project: name, session: name })], { signal: never });
        expect(await texts(memory, 'heron', { project: name, session: name })).toEqual(['heron']);
      },
    );

    it('search() returns the best `limit`, never more than 32', async () => {
      await using memory = await open();
      const records = Array.from({ length: 40 }, (_, n) =>
        turn(`heron ${n}`, { ts: nowMs - n * hourMs }),
      );
      await memory.remember(records, { signal: never });
      const count = async (limit: number) =>
        (await memory.search({ text: 'heron', limit }, { signal: never })).length;
      expect(await texts(memory, 'heron', { limit: 2 })).toEqual(['heron 0', 'heron 1']);
      expect([await count(0), await count(1_000)]).toEqual([0, 32]);
      await expect(count(Number.NaN)).rejects.toMatchObject({ code: 'invalid-argument' });
      await expect(count(-1)).rejects.toMatchObject({ code: 'invalid-argument' });
    });

    it.each([
      '',
      ' \n',
      '"',
      '"unclosed heron',
      'a AND OR NOT ( +heron -x *:^~[]{}',
      `'; DROP TABLE interact; --`,
      '{"match":{"column":"id"}}',
      'the of and',
      '\u0000heron',
      '\ud800heron',
      '東京の天気はどうですか',
      'สวัสดีครับ',
      '😀',
      'heron '.repeat(17_000),
      'x'.repeat(100_000),
      Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' '),
    ])('search() takes any question: %.30j', async (question) => {
      await using memory = await open();
      await memory.remember([turn('the blue heron'), turn('w7 is a word')], { signal: never });
      const expected = [];
      if (/heron/.test(question)) expected.push('the blue heron');
      if (/\bw7\b/.test(question)) expected.push('w7 is a word');
      expect(await texts(memory, question)).toEqual(expected);
    });

    it('search() returns `limit` rows where a fact that ended was found, too', async () => {
      await using memory = await open();
      const ended = turn('the heron gate', { kind: 'fact', endedMs: nowMs });
      const turns = [turn('a heron at the gate by the lake'), turn('no heron today at this gate')];
      await memory.remember([ended, ...turns], { signal: never });
      expect(await texts(memory, 'heron gate', { ended: true, limit: 1 })).toEqual([ended.text]);
      const found = await texts(memory, 'heron gate', { limit: 2 });
      expect(found.sort()).toEqual(turns.map(({ text }) => text).sort());
    });

    it('search() finds what was asked only where questions or their kind are wanted', async () => {
      await using memory = await open();
      const asked = turn('when does the heron sing', { kind: 'question' });
      await memory.remember([asked, turn('the heron sings at dawn')], { signal: never });
      const told = ['the heron sings at dawn'];
      expect(await texts(memory, 'when does the heron sing')).toEqual(told);
      const all = await texts(memory, 'when does the heron sing', { questions: true });
      expect(all.sort()).toEqual([...told, asked.text]);
      const ofKind = await texts(memory, 'heron', { kinds: ['question'] });
      expect(ofKind).toEqual([asked.text]);
    });

    it('search() weighs facts of all layers alike', async () => {
      await using memory = await open();
      const fact = { kind: 'fact' };
      await memory.remember([turn('the heron sings', fact)], { signal: never });
      const weights = async () => {
        const hits = await memory.search({ text: 'heron', limit: 9 }, { signal: never });
        return hits.map(({ text, factors }) => [text.split(' ').at(-1), factors.layerWeight]);
      };
      const piece = turn('heron of a file', { layer: 'assets', source: 'a.md' });
      await memory.remember([piece], { signal: never });
      expect(new Map((await weights()) as [])).toEqual(
        new Map([
          ['sings', 1.2],
          ['file', 0.8],
        ]),
      );
      const others = [
        turn('the heron fishes', { ...fact, layer: 'insights' }),
        turn('the heron sleeps', { ...fact, layer: 'assets' }),
      ];
      await memory.remember(others, { signal: never });
      expect(new Map((await weights()) as [])).toEqual(
        new Map([
          ['sings', 1.2],
          ['fishes', 1.2],
          ['sleeps', 1.2],
          ['file', 0.8],
        ]),
      );
    });

    it('search() reads the first 2,000 characters of a question', async () => {
      await using memory = await open();
      await memory.remember([turn('the blue heron')], { signal: never });
      expect(await texts(memory, `${'x '.repeat(990)} heron`)).toEqual(['the blue heron']);
      expect(await texts(memory, `${'x '.repeat(1_000)} heron`)).toEqual([]);
    });

    it.each([
      ['部署密码提示是蓝鹭', '密码提示是什么？'],
      ['リリースは木曜日に行います', '木曜日に何がありますか'],
      ['รหัสผ่านคือนกกระสาสีน้ำเงิน', 'รหัสผ่านคืออะไร'],
      ['Релизы происходят по четвергам', 'когда релизы?'],
      ['배포는 목요일에 합니다', '배포는 언제?'],
      ['Die Größe ist naïve', 'grosse naive'],
    ])('search() finds %j for %j', async (said, question) => {
      await using memory = await open();
      await memory.remember([turn(said), turn('the blue heron')], { signal: never });
      expect(await texts(memory, question)).toEqual([said]);
    });

    it('remember() keeps odd characters and cuts a long text', async () => {
      await using memory = await open();
      const odd = `heron "quoted" 'single' \\ 😀 \u0007 ${'é'.repeat(40_000)}`;
      await memory.remember([turn(odd)], { signal: never });
      expect(await texts(memory, 'heron')).toEqual([odd.slice(0, 32_768)]);
    });

    it('remember() writes nothing and search() stops when the signal is aborted', async () => {
      await using memory = await open();
      const aborted = { signal: AbortSignal.abort() };
      await expect(memory.remember([turn('heron')], aborted)).rejects.toMatchObject({
        code: 'canceled',
      });
      await expect(memory.search({ text: 'heron', limit: 1 }, aborted)).rejects.toMatchObject({
        code: 'canceled',
      });
      expect(await texts(memory, 'heron')).toEqual([]);
    });

    it('works for many callers at once', async () => {
      await using memory = await open();
      const names = Array.from({ length: 8 }, (_, n) => `heron ${n}`);
      await Promise.all(
        names.map(async (text) => {
          await memory.remember([turn(text)], { signal: never });
          expect(await texts(memory, 'heron')).toContain(text);
        }),
      );
      expect((await texts(memory, 'heron')).toSorted()).toEqual(names);
    });

    it('disposes twice without complaint', async () => {
      const memory = await open();
      await memory.remember([turn('heron')], { signal: never });
      await memory[Symbol.asyncDispose]();
      await memory[Symbol.asyncDispose]();
    });
  });
}
