import { expect, it } from 'vitest';
import {
  type CallOf,
  type CapabilityName,
  capabilities,
  capabilityNames,
  capabilityRow,
  effectOf,
  grantForms,
  type KernelCapability,
  type ProcessCapability,
} from './capabilities.ts';
import type { HostService, HostServices } from './host-service.ts';

it('no two capabilities have the same gravity, so that the label has one order', () => {
  const gravities = Object.values(capabilities).map(({ gravity }) => gravity);
  expect(new Set(gravities).size).toBe(capabilityNames.length);
});

it('a row names only capabilities and calls that exist', () => {
  for (const name of capabilityNames) {
    const { calls, beside = [], outgoing = [] } = capabilityRow(name);
    expect(capabilityNames, `${name}: beside`).toEqual(expect.arrayContaining([...beside]));
    expect(Object.keys(calls), `${name}: outgoing`).toEqual(expect.arrayContaining([...outgoing]));
  }
});

it('a person is asked for nothing that stays inside the plugin process', () => {
  for (const name of capabilityNames) {
    const { asked, servedBy } = capabilityRow(name);
    expect([name, asked === true && servedBy === 'process']).toEqual([name, false]);
  }
});

it('grantForms() puts what has a name behind it first, then what built-in plugins hold', () => {
  expect(grantForms().join(', ')).toBe(
    'fs:ROOT, fs-write:ROOT, exec:PROGRAM, http:ORIGIN, tools:GLOB, ssh:HOST[:PORT], filter:DRIVER@SHA256, repository:FOLDER, call:TOOL, kv, memory, clock, random',
  );
});

it('effectOf() is the greatest effect of the calls', () => {
  expect(Object.fromEntries(capabilityNames.map((name) => [name, effectOf(name)]))).toEqual({
    ...{ fs: 'read', 'fs-write': 'write', exec: 'external', http: 'external', memory: 'write' },
    ...{ tools: 'read', kv: 'write', clock: 'read', random: 'read', log: 'pure' },
  });
  expect(effectOf('network')).toBe('external');
});

// `npm run types` checks what follows. Each line says why it must not compile.
const service: HostService = async () => ({ value: undefined, target: '' });
const kv: HostServices<'kv'> = {
  ...{ 'kv.get': service, 'kv.set': service },
  ...{ 'kv.delete': service, 'kv.keys': service },
};
const { 'kv.keys': _, ...withoutKeys } = kv;
// @ts-expect-error the kernel serves every call of a row
withoutKeys satisfies HostServices<'kv'>;
// @ts-expect-error a call that is in no row is not served
({ ...kv, 'kv.clear': service }) satisfies HostServices<'kv'>;

type Served = { readonly [Name in KernelCapability]: HostServices<Name> };
// @ts-expect-error every capability of the kernel has its service
({}) as Omit<Served, 'http'> satisfies Served;

type Own = Readonly<Record<ProcessCapability, object>>;
// @ts-expect-error every capability of the plugin process has its interface
({ fs: {}, clock: {} }) satisfies Own;

type Row = (typeof capabilities)[CapabilityName];
// @ts-expect-error a row without words for the label is none
({ calls: {}, servedBy: 'kernel', grant: 'alone', gravity: 1, can: 'do it' }) satisfies Row;
// @ts-expect-error the call is not in the row
'random.numbers' satisfies CallOf<'random'>;
