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
