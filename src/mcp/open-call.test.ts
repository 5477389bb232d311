import { describe, expect, it } from 'vitest';
import { openCall } from './client-consent.ts';

const question = { text: 'may it?', answers: ['once', 'no'] };

describe('openCall()', () => {
  it('stops for each question, and goes on with its answer', async () => {
    const call = openCall(async ({ ask }) => [await ask(question), await ask(question)], 60_000);
    for (const given of ['once', 'no']) {
      const next = await call.next();
      if (next.type !== 'question') throw new Error('there was no question');
      expect(next.asked.text).toBe('may it?');
      next.asked.answer(given);
    }
    expect(await call.next()).toEqual({ type: 'result', result: ['once', 'no'] });
  });

  it('takes no answer for none when the time is over, or the call is canceled', async () => {
    const late = openCall(async ({ ask }) => [await ask(question)], 1);
    expect(await late.next()).toMatchObject({ type: 'question' });
    await late.ended;
    expect(await late.next()).toEqual({ type: 'result', result: [undefined] });
    const canceled = openCall(
      async ({ ask, signal }) => [await ask(question), signal.aborted],
      60_000,
    );
    expect(await canceled.next()).toMatchObject({ type: 'question' });
    canceled.cancel(new Error('gone'));
    expect(await canceled.next()).toEqual({ type: 'result', result: [undefined, true] });
  });

  it('fails as its body fails', async () => {
    const call = openCall(async () => {
      throw new Error('broken');
    }, 1);
    await expect(call.next()).rejects.toThrow('broken');
  });
});
