import { describe, expect, it } from 'vitest';
import { createEndingSignal, onAbort } from './signals.ts';

describe('onAbort()', () => {
  it('calls every callback once, with the reason', () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    onAbort(controller.signal, (reason) => reasons.push(['one', reason]));
    onAbort(controller.signal, (reason) => reasons.push(['other', reason]));
    controller.abort('enough');
    controller.abort('again');
    expect(reasons).toEqual([
      ['one', 'enough'],
      ['other', 'enough'],
    ]);
  });

  it('leaves alone what was taken away', () => {
    const controller = new AbortController();
    const reasons: unknown[] = [];
    onAbort(controller.signal, (reason) => reasons.push(reason))();
    controller.abort('enough');
    expect(reasons).toEqual([]);
  });

  it('calls at once when the signal has fired', () => {
    const reasons: unknown[] = [];
    onAbort(AbortSignal.abort('before'), (reason) => reasons.push(reason));
    expect(reasons).toEqual(['before']);
  });
});

describe('createEndingSignal()', () => {
  it('fires with the outer signal and its reason', () => {
    const outer = new AbortController();
    const { signal } = createEndingSignal(outer.signal);
    expect(signal.aborted).toBe(false);
    outer.abort('enough');
    expect(signal.reason).toBe('enough');
  });

  it('fires at the end, whether it was asked for before or after', () => {
    const never = new AbortController().signal;
    const early = createEndingSignal(never);
    const { signal } = early;
    early.end();
    expect(signal.aborted).toBe(true);
    const late = createEndingSignal(never);
    late.end();
    expect(late.signal.aborted).toBe(true);
    expect(never.aborted).toBe(false);
  });

  it('is one signal however often it is asked for', () => {
    const ending = createEndingSignal(new AbortController().signal);
    expect(ending.signal).toBe(ending.signal);
  });
});
