import type { CallOf, KernelCapability } from '../../../contracts/capabilities.ts';
import { ServiceError } from '../../../contracts/host-service.ts';
import type { HostErrorCase } from '../../../contracts/tool.ts';
import type { StandIn } from '../../../kernel/kernel-options.ts';

/** Bytes of a large answer: as much as the host gives at most, or what a result can hold. */
const largeBytes = 4 * 1024 * 1024;

export type HostileHost = { what: string; standIn: StandIn };

type KernelCall = { [Name in KernelCapability]: CallOf<Name> }[KernelCapability];

/** The compiler names a call without an answer. */
const empty: Readonly<Record<string, unknown>> = {
  'kv.get': undefined,
  'kv.set': undefined,
  'kv.delete': undefined,
  'kv.keys': [],
  'random.bytes': new Uint8Array(),
  'memory.search': [],
  'memory.remember': '',
  'http.send': { status: 200, headers: [], body: new Uint8Array() },
  'http.secret-exists': false,
  'exec.run': { exitCode: 0, stdout: '', stderr: '', truncated: false, durationMs: 0 },
  'tools.find': [],
  'tools.call': { content: '', summary: '' },
  'tools.call-all': [],
  'fs-write.write-text': undefined,
  'fs-write.write-bytes': undefined,
  'fs-write.create-dir': undefined,
  'fs-write.rename': undefined,
  'fs-write.remove': undefined,
  'fs-write.may-write': undefined,
} satisfies Record<KernelCall, unknown>;

function huge(call: string): unknown {
  const text = 'x'.repeat(largeBytes);
  const noise = Buffer.alloc(largeBytes, 0xff);
  if (call === 'kv.get' || call === 'random.bytes') return noise.subarray(0, 65_536);
  if (call === 'kv.keys') return Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
  if (call === 'http.send') {
    return { status: 200, headers: [['content-type', 'text/html']], body: noise };
  }
  if (call === 'exec.run') {
    return {
      exitCode: 0,
      stdout: text,
      stderr: text.slice(0, 1000),
      truncated: true,
      durationMs: 1,
    };
  }
  return empty[call];
}

const odd: Readonly<Record<string, unknown>> = {
  ...empty,
  'kv.get': Buffer.from([0xc3, 0x28, 0x00]),
  'kv.keys': ['', '__proto__', '\u202e', 'a\nb'],
  'http.send': {
    status: 599,
    headers: [
      ['set-cookie', '\u001b[2J'],
      ['set-cookie', 'x'],
    ],
    body: Buffer.from('<html>\u0000</htm'),
  },
  'exec.run': {
    signal: 'SIGKILL',
    stdout: '\u001b[31m\u0000{"a":',
    stderr: '',
    truncated: true,
    durationMs: 0,
  },
};

function answering(answers: (call: string) => unknown): StandIn {
  return async (call) => ({ value: answers(call), target: call });
}

function failing(tag: HostErrorCase): StandIn {
  return async (call) => {
    throw new ServiceError(tag, `the host says ${tag}`, call);
  };
}

export const hostileHosts: readonly HostileHost[] = [
  { what: 'empty answers', standIn: answering((call) => empty[call]) },
  { what: 'huge answers', standIn: answering(huge) },
  { what: 'odd answers', standIn: answering((call) => odd[call]) },
  ...(['denied', 'not-found', 'invalid', 'limit', 'timeout', 'conflict', 'io'] as const).map(
    (tag): HostileHost => ({ what: `every call fails with ${tag}`, standIn: failing(tag) }),
  ),
];
