import { describe, expect, it } from 'vitest';
import { KernelError } from '../../contracts/error.ts';
import type { Effect, HostCall } from '../../contracts/tool.ts';
import { explainThrown, type FailedCall, failureOf, toolHint } from './call-failure.ts';

const denied = {
  fs: { reason: 'fs is not granted', hint: 'Grant it with --allow fs:work' },
  exec: { reason: 'exec is not granted', hint: 'Grant it with --allow exec:git' },
};

function refused(
  message: string,
  names: readonly string[],
  more: Partial<FailedCall> = {},
): KernelError {
  const calls = names.map((call) => ({ call, outcome: 'denied' }) as HostCall);
  return failureOf({
    ...{ tool: 'a.b', effect: 'read', served: [], denied },
    result: { id: 1, calls, outcome: 'error', case: 'denied', message },
    ...more,
  });
}

describe('failureOf()', () => {
  it('names the grant of the denial that the tool reports', () => {
    const calls = ['fs.read', 'exec.run'];
    expect(refused('no: fs is not granted', calls).hint).toBe(denied.fs.hint);
    expect(refused('it did not work', calls).hint).toBe(denied.exec.hint);
  });

  it('has the hint of the very call where the kernel gave one', () => {
    const served = [{ call: 'exec.run', outcome: 'denied', hint: 'this one' }] as never;
    expect(refused('no', ['fs.read'], { served }).hint).toBe('this one');
  });

  it.each([
    [[], /^The tool itself refused.*: cuervo tools a\.b$/],
    [['network.connect'], /^No grant gives sockets/],
    [['http.send'], /^No grant allows this address/, 'external'],
    [['http.send'], /^The author of the plugin has to declare a higher effect/],
    [['kv.get'], /^No grant allows this path/],
    [['fs-write.write-text'], /^The author of the plugin has to declare a higher effect/],
  ] as const)('says of %j what no grant opens', (calls, hint, effect: Effect = 'read') => {
    expect(refused('no', calls, { effect })).toMatchObject({
      code: 'permission-denied',
      message: 'a.b: no',
      hint: expect.stringMatching(hint),
    });
  });

  it('calls a trap a fault of the plugin', () => {
    const result = { id: 1, calls: [], outcome: 'trap', message: 'unreachable' } as const;
    expect(refused('', [], { result })).toMatchObject({
      code: 'plugin-fault',
      message: 'a.b trapped: unreachable',
    });
  });
});

describe('explainThrown()', () => {
  it('names the tool, and how to give it more time where nothing else would', () => {
    const late = new KernelError('deadline-exceeded', 'no answer');
    expect(explainThrown('a.b', late, 1500)).toMatchObject({
      message: 'a.b: no answer',
      hint: 'Give it more time with --timeout SECONDS (now 1.5), or less to do: a regular expression of the plugin itself may have no end.',
    });
    const slow = new KernelError('deadline-exceeded', 'not ready', { hint: 'raise the limit' });
    expect(explainThrown('a.b', slow, 1500).hint).toBe('raise the limit');
  });

  it('leaves what was canceled as it is, and calls what nobody expected a fault', () => {
    const canceled = new KernelError('canceled', 'interrupted');
    expect(explainThrown('a.b', canceled, 1)).toBe(canceled);
    expect(explainThrown('a.b', new Error('odd'), 1).code).toBe('plugin-fault');
  });
});

describe('toolHint()', () => {
  it.each([
    'invalid-argument',
    'not-found',
    'tool-failed',
    'conflict',
    'resource-exhausted',
  ] as const)('names the tool for %s', (code) => {
    expect(toolHint('file.read', code, 'file.read: no')).toMatch(/: cuervo tools file\.read$/);
  });

  it('speaks of config.toml for the limit that has a key there, and for no other', () => {
    const large = 'the tool returned 9 bytes, limit 8 (limits.max-result-bytes)';
    expect(toolHint('a.b', 'resource-exhausted', large)).toContain('limits.max-result-bytes');
    const file = 'work:a has 5000000 bytes, limit 4194304';
    expect(toolHint('a.b', 'resource-exhausted', file)).not.toContain('config.toml');
  });

  it('leaves what the code alone says', () => {
    expect(toolHint('a.b', 'deadline-exceeded', 'too slow')).toBeUndefined();
  });
});
