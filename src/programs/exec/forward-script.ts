import { proxyPort } from './proxy-environment.ts';

/** The path of the proxy's socket in a sandbox. */
export const proxySocketPlace = '/run/cuervo-proxy.sock';
/** And the one through which git finds a host of ssh. */
export const sshSocketPlace = '/run/cuervo-ssh.sock';

/** Connections that the program's processes may have open; each has a process. */
const maxForwarded = 64;

/** How `/proc/net/tcp` of a little-endian machine shows the listening forwarder. */
const listening = `0100007F:${proxyPort.toString(16).toUpperCase()}0A`;

/**
 * A POSIX shell that starts `socat` between a port of the sandbox's own loopback and the socket
 * of the proxy, waits until it listens, at most some five seconds, and becomes the program. No
 * text of a guest is ever part of the script. The forwarder is nobody's child but the
 * namespace's, so that a program which waits for all of its children does not wait for it.
 *
 * @param forwarder absolute path of `socat`
 */
export function forwardingVector(forwarder: string, vector: readonly string[]): string[] {
  const from = `TCP4-LISTEN:${proxyPort},bind=127.0.0.1,reuseaddr,fork,backlog=64,max-children=${maxForwarded}`;
  const script = [
    `( "$1" '${from}' 'UNIX-CONNECT:${proxySocketPlace}' </dev/null >/dev/null 2>&1 & )`,
    'shift',
    'heard() { while read -r _ at _ state _',
    `do [ "$at$state" = ${listening} ] && return 0`,
    'done </proc/net/tcp; return 1; }',
    'n=0',
    'until heard || [ $n -ge 500 ]; do n=$((n + 1)); sleep 0.01; done',
    'exec "$@"',
  ].join('\n');
  return ['/bin/sh', '-c', script, 'sh', forwarder, ...vector];
}
