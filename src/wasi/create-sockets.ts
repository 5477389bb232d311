import { defineResource, type ResourceCount } from './resource.ts';
import { WasiFailure } from './wasi-failure.ts';
import type { WasiPorts } from './wasi-ports.ts';

/** The methods of `wasi:sockets` by resource, as the glue names them. */
const tcpMethods = [
  ...['startBind', 'finishBind', 'startConnect', 'finishConnect', 'startListen', 'finishListen'],
  ...['accept', 'localAddress', 'remoteAddress', 'isListening', 'addressFamily'],
  ...['setListenBacklogSize', 'keepAliveEnabled', 'setKeepAliveEnabled', 'keepAliveIdleTime'],
  ...['setKeepAliveIdleTime', 'keepAliveInterval', 'setKeepAliveInterval', 'keepAliveCount'],
  ...['setKeepAliveCount', 'hopLimit', 'setHopLimit', 'receiveBufferSize'],
  ...['setReceiveBufferSize', 'sendBufferSize', 'setSendBufferSize', 'subscribe', 'shutdown'],
];
const udpMethods = [
  ...['startBind', 'finishBind', 'stream', 'localAddress', 'remoteAddress', 'addressFamily'],
  ...['unicastHopLimit', 'setUnicastHopLimit', 'receiveBufferSize', 'setReceiveBufferSize'],
  ...['sendBufferSize', 'setSendBufferSize', 'subscribe'],
];

/**
 * `wasi:sockets`: known, so that programs which could use the network start, and always denied. No
 * socket is ever made, so the methods have nothing to act on.
 */
export function createSockets(
  ports: Pick<WasiPorts, 'admit'> & { count: ResourceCount },
): Record<string, object> {
  function deny(name: string): () => never {
    return () => {
      try {
        // Denies and notes it.
        ports.admit('network', `network.${name}`);
      } catch {
        // A guest learns no more of it than the code that follows.
      }
      throw new WasiFailure('access-denied');
    };
  }
  const { count } = ports;
  const define = (name: string, methods: readonly string[] = []): object => {
    const denied = methods.map((method) => [method, deny(method)] as const);
    return defineResource({ name, count, methods: Object.fromEntries(denied) }).face;
  };
  const networks = defineResource({ name: 'network', count, methods: {} });
  const none = (): undefined => undefined;

  return {
    'wasi:sockets/instance-network': { instanceNetwork: () => networks.make({}) },
    'wasi:sockets/network': { Network: networks.face, networkErrorCode: none },
    'wasi:sockets/ip-name-lookup': {
      resolveAddresses: deny('resolve-addresses'),
      ResolveAddressStream: define('resolve-address-stream', ['resolveNextAddress', 'subscribe']),
    },
    'wasi:sockets/tcp': { TcpSocket: define('tcp-socket', tcpMethods) },
    'wasi:sockets/tcp-create-socket': { createTcpSocket: deny('create-tcp-socket') },
    'wasi:sockets/udp': {
      UdpSocket: define('udp-socket', udpMethods),
      IncomingDatagramStream: define('incoming-datagram-stream', ['receive', 'subscribe']),
      OutgoingDatagramStream: define('outgoing-datagram-stream', [
        ...['checkSend', 'send', 'subscribe'],
      ]),
    },
    'wasi:sockets/udp-create-socket': { createUdpSocket: deny('create-udp-socket') },
  };
}
