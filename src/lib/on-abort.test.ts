import { describe, expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';

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
