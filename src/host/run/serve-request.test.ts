import { describe, expect, it } from 'vitest';
import { KernelError } from '../../contracts/error.ts';
import { type HostService, ServiceError } from '../../contracts/host-service.ts';
import type { HostCall } from '../../contracts/tool.ts';
import { createRequestRate, createRequestServer, type RequestGate } from './serve-request.ts';

const caller = { plugin: 'p', digest: '', signal: new AbortController().signal };
const get: HostService = async ([key]) => ({
  value: `value of ${String(key)}`,
  target: String(key),
});

function serverOf(more: Partial<RequestGate> = {}) {
  const calls: HostCall[] = [];
  const server = createRequestServer({
    services: new Map([['kv.get', get]]),
    caller,
    effect: 'read',
    denied: {},
    maxHostCalls: 3,
    rate: createRequestRate(2),
    record: (call) => calls.push(call),
    ...more,
  });
  return { calls, ask: (call: string, ...args: unknown[]) => server({ id: 1, call, args }) };
}

describe('createRequestServer()', () => {
  it('answers and records what is granted', async () => {
    const { ask, calls } = serverOf();
    expect(await ask('kv.get', 'a')).toEqual({ value: 'value of a' });
    expect(calls).toMatchObject([{ call: 'kv.get', target: 'a', outcome: 'ok' }]);
  });

  it.each([
    ['what is not granted', { denied: { kv: 'not granted' } }, 'kv.get', 'denied', 'not granted'],
    ['what nobody serves', {}, 'exec.run', 'denied', 'exec.run is not available in this version'],
    [
      'what is above the effect',
      { effect: 'pure' as const },
      'kv.get',
      'denied',
      'kv.get is above the effect "pure" that this tool declares',
    ],
  ])('denies %s, whatever the process says', async (_, more, call, tag, val) => {
    const { ask, calls } = serverOf(more);
    expect(await ask(call, 'a')).toEqual({ error: { tag, val } });
    expect(calls).toMatchObject([{ call, outcome: 'denied' }]);
  });

  it('lets only so many requests leave the sandbox in a minute', async () => {
    const services = new Map([
      ['http.send', get],
      ['kv.get', get],
    ]);
    const { ask } = serverOf({ services, effect: 'external', maxHostCalls: 9 });
    for (let call = 0; call < 2; call += 1) {
      expect(await ask('http.send', 'a')).toHaveProperty('value');
      expect(await ask('kv.get', 'a')).toHaveProperty('value');
    }
    expect(await ask('http.send', 'a')).toMatchObject({
      error: {
        tag: 'limit',
        val: expect.stringMatching(/\(limits\.max-requests-per-minute\).*next one in 60 s/),
      },
    });
    expect(await ask('kv.get', 'a')).toHaveProperty('value');
  });

  it('counts the calls of a process that does not', async () => {
    const { ask } = serverOf();
    for (let call = 0; call < 3; call += 1) await ask('kv.get', 'a');
    expect(await ask('kv.get', 'a')).toMatchObject({ error: { tag: 'limit' } });
  });

  it.each([
    [new ServiceError('conflict', 'it changed'), { tag: 'conflict', val: 'it changed' }],
    [
      new KernelError('internal', '/home/me/.cuervo is gone'),
      { tag: 'io', val: 'kv.get could not be served' },
    ],
    [
      new KernelError('resource-exhausted', 'disk'),
      { tag: 'limit', val: 'kv.get: no room is left' },
    ],
    [new Error('at /home/me/x.ts:3'), { tag: 'io', val: 'kv.get could not be served' }],
  ])('tells a guest no more than it should know of: %s', async (thrown, error) => {
    const services = new Map<string, HostService>([
      [
        'kv.get',
        async () => {
          throw thrown;
        },
      ],
    ]);
    expect(await serverOf({ services }).ask('kv.get', 'a')).toEqual({ error });
  });
});

describe('createRequestRate()', () => {
  it('lets so many go in any minute, and says when the next may', () => {
    let now = 1000;
    const rate = createRequestRate(3, () => now);
    expect([rate.take(), rate.take(), rate.take()]).toEqual([0, 0, 0]);
    now += 20_000;
    expect(rate.take()).toBe(40_000);
    now += 39_999;
    expect(rate.take()).toBe(1);
    now += 1;
    expect(rate.take()).toBe(0);
  });

  it('counts what went and not what was refused', () => {
    let now = 0;
    const rate = createRequestRate(1, () => now);
    expect(rate.take()).toBe(0);
    for (let tries = 0; tries < 100; tries += 1) expect(rate.take()).toBe(60_000);
    now = 60_000;
    expect(rate.take()).toBe(0);
  });
});
