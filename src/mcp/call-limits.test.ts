import { describe, expect, it } from 'vitest';
import { createCallLimits } from './tell-result.ts';

const never = new AbortController().signal;
const limits = { callsAtOnce: 2, callsAMinute: 4, bytesAMinute: 100 };

describe('createCallLimits()', () => {
  it('lets as many in as may be at once, and the next when one leaves', async () => {
    const { enter } = createCallLimits(limits, () => 0);
    const first = await enter(never);
    await enter(never);
    let isIn = false;
    const third = enter(never).then(() => {
      isIn = true;
    });
    await Promise.resolve();
    expect(isIn).toBe(false);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await third;
    expect(isIn).toBe(true);
  });

  it('forgets one that waits when its call is canceled', async () => {
    const { enter } = createCallLimits(limits, () => 0);
    const first = await enter(never);
    await enter(never);
    const controller = new AbortController();
    const waiting = enter(controller.signal);
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toMatchObject({ code: 'canceled' });
    first[Symbol.dispose]();
    await enter(never);
  });

  it('lets others in while a call waits for a person, and takes a turn for it again', async () => {
    const { enter } = createCallLimits({ ...limits, callsAtOnce: 1 }, () => 0);
    const asking = await enter(never);
    const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    let isOn = false;
    const paused = Promise.all(answers.map(({ promise }) => asking.pause(() => promise))).then(
      (given) => {
        isOn = true;
        return given;
      },
    );
    const other = await enter(never);
    answers[0].resolve('once');
    answers[1].resolve('no');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOn).toBe(false);
    other[Symbol.dispose]();
    expect(await paused).toEqual(['once', 'no']);
    let isIn = false;
    const third = enter(never).then(() => {
      isIn = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isIn).toBe(false);
    asking[Symbol.dispose]();
    await third;
    expect(isIn).toBe(true);
  });

  it('refuses calls and bytes beyond those of a minute, until it is over', async () => {
    let nowMs = 0;
    const { enter, spend } = createCallLimits({ ...limits, callsAtOnce: 9 }, () => nowMs);
    for (let call = 0; call < 4; call += 1) await enter(never);
    await expect(enter(never)).rejects.toThrow('mcp.calls-a-minute');
    spend(100);
    expect(() => spend(1)).toThrow('mcp.bytes-a-minute');
    nowMs = 60_000;
    await enter(never);
    spend(100);
  });
});
