import { BlockList, isIP } from 'node:net';
import { once } from '../memo.ts';

/** IPv4 that leads into a machine or a network of one's own, or to many: IANA special registry. */
const closed4 = once(() => {
  const list = new BlockList();
  for (const [network, bits] of [
    ['0.0.0.0', 8], // this host
    ['10.0.0.0', 8], // private
    ['100.64.0.0', 10], // carrier-grade NAT
    ['127.0.0.0', 8], // loopback
    ['169.254.0.0', 16], // link-local, metadata of clouds
    ['172.16.0.0', 12], // private
    ['192.0.0.0', 24], // protocol assignments
    ['192.88.99.0', 24], // 6to4 relays
    ['192.168.0.0', 16], // private
    ['198.18.0.0', 15], // benchmarks of networks
    ['224.0.0.0', 4], // multicast
    ['240.0.0.0', 4], // reserved, broadcast
  ] as const) {
    list.addSubnet(network, bits, 'ipv4');
  }
  return list;
});

/**
 * What IPv6 has given out to the world. Loopback, unique-local, link-local, multicast and the
 * forms that carry an IPv4 address (mapped, NAT64) all lie outside of it.
 */
const open6 = once(() => {
  const list = new BlockList();
  list.addSubnet('2000::', 3, 'ipv6');
  return list;
});

/** Parts of it that lead elsewhere. */
const closed6 = once(() => {
  const list = new BlockList();
  list.addSubnet('2001::', 23, 'ipv6'); // Teredo, ORCHID and other assignments of protocols
  list.addSubnet('2002::', 16, 'ipv6'); // 6to4: carries any IPv4 address
  return list;
});

/** Whether an address is one of the open internet; what is not an address is not. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes('%')) return false;
  const family = isIP(address);
  if (family === 4) return !closed4().check(address, 'ipv4');
  return family === 6 && open6().check(address, 'ipv6') && !closed6().check(address, 'ipv6');
}

/** In dotted decimals, as no name can be written. */
const loopback4 = /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;

/**
 * Whether a host of an address is this machine, by how it is written. A name below `.localhost` is
 * not: some resolvers ask the network for it.
 *
 * @param hostname as `URL.hostname` has it, an IPv6 address with or without its brackets
 */
export function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return host === 'localhost' || host === '::1' || loopback4.test(host);
}

/** The port of ssh where none is named. */
const usualPort = 22;
const maxPort = 65_535;

/**
 * The fault of a host that a person grants for ssh; undefined when it is right. A right one is
 * written in one way only, so that strings can be compared later.
 */
export function wrongSshHost(text: string): string | undefined {
  if (/^(?:\w+:\/\/|[^[]*@)/.test(text)) {
    return 'a host stands alone, without a scheme and a user, as in ssh:example.org or ssh:example.org:2222';
  }
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  if (!isHost(host)) {
    return 'a host is named in full and in small letters, as in ssh:example.org or ssh:example.org:2222';
  }
  if (port === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > maxPort)
    return `a port is a number from 1 to ${maxPort}`;
  return Number(port) === usualPort
    ? `write it as ssh:${host}, for 22 is the usual port`
    : undefined;
}

/** A host and a port as a grant names them. */
export function sshHost(host: string, port: number = usualPort): string {
  const name = host.toLowerCase();
  return port === usualPort ? name : `${name}:${port}`;
}

/** As hosts of origins: a name that resolves and has no meaning to a shell or as an option. */
function isHost(text: string): boolean {
  return (
    text.length <= 253 && /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]{2,45}\])$/.test(text)
  );
}
