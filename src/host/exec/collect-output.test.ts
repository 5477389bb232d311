import { describe, expect, it } from 'vitest';
import { createOutputCollector } from './collect-output.ts';
import { maxDroppedBytes } from './exec-limits.ts';

describe('createOutputCollector()', () => {
  it('keeps both outputs up to one limit', () => {
    const output = createOutputCollector(5, () => {});
    output.take('stderr', Buffer.from('abc'));
    output.take('stdout', Buffer.from('def'));
    expect(output.end()).toEqual({ stdout: 'de', stderr: 'abc', truncated: true });
  });

  it('replaces what is no UTF-8, and cuts no character in two', () => {
    const whole = createOutputCollector(10, () => {});
    for (const chunk of [[0xc3], [0xbc, 0xff]]) whole.take('stdout', Buffer.from(chunk));
    expect(whole.end()).toMatchObject({ stdout: 'ü\ufffd', truncated: false });
    const cut = createOutputCollector(2, () => {});
    cut.take('stdout', Buffer.from('aü'));
    expect(cut.end()).toMatchObject({ stdout: 'a', truncated: true });
  });

  it('says once that too much was dropped', () => {
    let floods = 0;
    const output = createOutputCollector(0, () => (floods += 1));
    const chunk = Buffer.alloc(maxDroppedBytes);
    output.take('stdout', chunk);
    expect(floods).toBe(0);
    for (let time = 0; time < 3; time += 1) output.take('stdout', chunk);
    expect(floods).toBe(1);
  });
});
