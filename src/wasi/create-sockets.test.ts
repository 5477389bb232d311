import { describe, expect, it } from 'vitest';
import { openWasi, payloadOf } from '../../tests/support/open-wasi.ts';

describe('createSockets()', () => {
  it.each([
    ['wasi:sockets/tcp-create-socket', 'createTcpSocket', ['ipv4']],
    ['wasi:sockets/udp-create-socket', 'createUdpSocket', ['ipv6']],
    ['wasi:sockets/ip-name-lookup', 'resolveAddresses', [{}, 'example.org']],
  ])('denies %s, and notes it', (name, call, args) => {
    const wasi = openWasi();
    wasi.of('wasi:sockets/instance-network').instanceNetwork!();
    expect(payloadOf(() => wasi.of(name)[call]!(...args))).toBe('access-denied');
    expect(wasi.calls).toMatchObject([{ outcome: 'denied' }]);
    expect(wasi.calls[0]!.call).toMatch(/^network\./);
  });
});
