import { describe, expect, it } from 'vitest';
import type { HostCall } from '../../contracts/tool.ts';
import { sha256 } from '../../lib/sha256.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import { keepCall } from './keep-call.ts';

const open = () => ({ calls: [] as HostCall[], kept: 0 });
const row: HostCall = { call: 'fs.read-text', target: 'a', outcome: 'ok', durationMs: 1 };
const args = ['a'] as unknown as never[];

/** As an interface does that reports its calls itself. */
const reading = (scope: { calls: HostCall[] }, value: unknown, bytes?: number) => () => {
  scope.calls.push(bytes === undefined ? { ...row } : { ...row, bytes });
  return value;
};

describe('keepCall()', () => {
  it('keeps what was asked and answered, bytes and failures too', () => {
    const scope = open();
    const value = { text: 'x', counts: Uint32Array.of(1, 2) };
    expect(keepCall(scope, row.call, reading(scope, value), args)).toBe(value);
    const answer = '{"value":{"text":"x","counts":[1,2]}}';
    expect(scope.calls).toEqual([{ ...row, args: '["a"]', answer }]);
    const fail = () => {
      throw new HostFailure('denied', 'no');
    };
    expect(() => keepCall(scope, 'fs.stat', fail, args)).toThrow(HostFailure);
    expect(scope.calls[1]?.answer).toBe('{"error":{"tag":"denied","val":"no"}}');
  });

  it('keeps the digest alone of what is too large, by itself or in sum', () => {
    const scope = open();
    const large = 'y'.repeat(70_000);
    keepCall(scope, row.call, reading(scope, { text: large, hash: 'of the file' }, 70_000), args);
    keepCall(scope, row.call, reading(scope, Buffer.from(large), 70_000), args);
    keepCall(scope, row.call, reading(scope, { list: large }), args);
    for (let n = 0; n < 20; n += 1)
      keepCall(scope, row.call, reading(scope, 'z'.repeat(60_000)), args);
    const [text, bytes, list, ...many] = scope.calls;
    expect(text).toEqual({ ...row, bytes: 70_000, args: '["a"]', digest: 'of the file' });
    expect(bytes?.digest).toBe(sha256(large));
    expect(list?.digest).toBe(sha256(JSON.stringify({ list: large })));
    expect(many.filter(({ answer }) => answer !== undefined)).toHaveLength(17);
    expect(many.every(({ answer, digest }) => answer !== undefined || digest !== undefined)).toBe(
      true,
    );
  });
});
