import { describe, expect, it } from 'vitest';
import { onlyWay, operandNames, remoteCommand } from './command-line.ts';

const names = (operand: string) => operandNames(operand).map(({ name }) => name);
const inTree = (operand: string) => operandNames(operand)[0]?.inTree;

describe('operandNames()', () => {
  it.each([
    ['HEAD', ['HEAD']],
    ['a..b', ['a..b', 'a', 'b']],
    ['a...b', ['a...b', 'a', 'b']],
    ['..b', ['..b', 'b']],
    ['^a', ['a']],
    ['a^!', ['a^!', 'a']],
    ['a^@', ['a^@', 'a']],
    ['a^-2', ['a^-2', 'a']],
  ])('reads %s as %j', (operand, expected) => {
    expect(names(operand)).toEqual(expected);
  });

  it.each([
    ['HEAD:a/b', { before: 'HEAD', path: 'a/b' }],
    [':a', { before: '', path: 'a' }],
    [':2:a', { before: '', path: 'a' }],
    ['HEAD^{/x:y}:a', { before: 'HEAD^{/x:y}', path: 'a' }],
    ['main@{12:30}:a:b', { before: 'main@{12:30}', path: 'a:b' }],
    ['HEAD^{tree}', { before: 'HEAD', path: '' }],
    ['HEAD:', { before: 'HEAD', path: '' }],
    ['HEAD^{/x:y}', undefined],
    [':/a:b', undefined],
    ['HEAD', undefined],
  ])('finds the path in %s', (operand, expected) => {
    expect(inTree(operand)).toEqual(expected);
  });
});

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
