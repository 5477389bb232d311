import { expect, it } from 'vitest';
import { onlyWay, remoteCommand } from './remote-command.ts';

const of = (address: string) => remoteCommand(['--literal-pathspecs', 'push', '--quiet', address]);

it.each([
  ['https://example.org/r.git', 'https://example.org'],
  ['ssh://git@example.org/r.git', 'ssh:example.org'],
  ['ssh://git@Example.org:2222/r.git', 'ssh:example.org:2222'],
  ['ssh://[::1]:2222/r.git', 'ssh:[::1]:2222'],
  ['git@example.org:me/r.git', 'ssh:example.org'],
])('remoteCommand() names where %j leads', (address, name) => {
  expect(of(address)?.name).toBe(name);
});

it('remoteCommand() takes path and user of ssh as git does', () => {
  expect(of('ssh://ann@example.org:2222/~ann/r.git')).toMatchObject({
    destination: ['-p', '2222', '-l', 'ann', 'example.org'],
    path: '~ann/r.git',
  });
  expect(of('ann@example.org:r.git')).toMatchObject({ path: 'r.git' });
  expect(of('ssh://example.org/srv/r.git')).toMatchObject({ path: '/srv/r.git' });
});

it.each([
  'origin',
  './r.git',
  'ext::sh -c x',
  'https://ann:pw@example.org/r.git',
  'ssh://-oProxyCommand=x/r.git',
  'ssh://-x@example.org/r.git',
  'ssh://example.org/r\n.git',
  'ssh://example.org:99999/r.git',
  'a@*.example.org:r',
])('remoteCommand() knows no way to %j', (address) => expect(of(address)).toBeUndefined());

it('onlyWay() lets git go by ssh or by the web, and by nothing else', () => {
  const ssh = of('git@example.org:r.git');
  expect(ssh && onlyWay(ssh)).toEqual(['protocol.allow=never', 'protocol.ssh.allow=always']);
});
