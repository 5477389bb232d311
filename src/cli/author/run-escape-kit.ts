import { inputFor, oddInputs } from '../../../sdk/author/odd-inputs.ts';
import type { FileContent } from '../../../sdk/author/parse-cases.ts';
import { type CallOf, grantDetail, type KernelCapability } from '../../contracts/capabilities.ts';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { HostErrorCase } from '../../contracts/tool.ts';
import type { StandIn } from '../../kernel/kernel-options.ts';
import { openKernel } from '../../kernel.ts';
import { escapeLine, shellWord } from '../../lib/text/escape.ts';
import { print } from '../output.ts';
import { startProgress } from '../progress.ts';
import { triedFolder } from './load-build-tool.ts';
import { runCase } from './run-case.ts';

/** A tool that takes longer is taken for one that hangs. */
const callTimeoutMs = 10_000;

/** Outcomes that no input, file or answer may lead to. */
const bad: Readonly<Record<string, string>> = {
  'plugin-fault': 'it trapped',
  internal: 'it broke its host',
  'deadline-exceeded': `it did not finish within ${callTimeoutMs / 1000} s`,
};

type Row = { tool: string; group: string; what: string; outcome: string; message: string };

/**
 * Every tool with hostile inputs, files and answers, each in a workspace of its own, and a report.
 *
 * @param options.only calls with this in their name alone
 * @param options.again the command that runs calls of a name again
 * @returns whether nothing bad came of it
 * @throws {KernelError} `not-found` where no call has such a name
 */
export async function runEscapeKit(options: {
  built: { file: string; manifest: { name: string } };
  signal: AbortSignal;
  only?: string | undefined;
  again: string;
}): Promise<boolean> {
  const { built, signal, only = '' } = options;
  const tools = await toolsOf(built.file);
  const rows: Row[] = [];
  using progress = startProgress(process.stderr.isTTY === true);
  for (const tool of tools) {
    const run = async (
      group: string,
      what: string,
      given: Partial<Parameters<typeof runCase>[0]>,
      standIn?: Parameters<typeof runCase>[1]['standIn'],
    ): Promise<void> => {
      if (!nameOf(tool.name, what).includes(only)) return;
      progress.set(`call ${rows.length + 1}: ${tool.name}, ${group}`);
      const outcome = await runCase(
        {
          tool: tool.name,
          input: tool.good,
          grants: tool.grants,
          files: hostileFiles,
          commits: [],
          host: {},
          ...given,
        },
        {
          file: built.file,
          plugin: built.manifest.name,
          signal,
          tried: triedFolder(),
          onToolEvent: () => {},
          callTimeoutMs,
          ...(standIn === undefined ? {} : { standIn }),
        },
        (made) => made,
      );
      const { code = 'ok', message = '' } = outcome.error ?? {};
      rows.push({ tool: tool.name, group, what, outcome: code, message });
    };
    for (const { group, what, input } of oddInputs(tool.schema, tool.good)) {
      await run(group, what, { input });
      signal.throwIfAborted();
    }
    for (const name of Object.keys(hostileFiles)) {
      const fields = Object.entries(tool.good).filter(([, value]) => typeof value === 'string');
      for (const [field] of fields) {
        await run('hostile files', `${field} is ${JSON.stringify(name)}`, {
          input: { ...tool.good, [field]: name },
        });
      }
    }
    if (tool.grants.length > 0) {
      await run('nothing granted', 'every capability denied', { grants: [] });
      for (const { what, standIn } of hostileHosts) await run('hostile host', what, {}, standIn);
    }
  }
  progress.clear();
  if (rows.length === 0) {
    throw new KernelError('not-found', `no call has "${only}" in its name`, {
      hint: `See them fail with: ${options.again}`,
    });
  }
  report(rows, options.again);
  return rows.every(({ outcome }) => !(outcome in bad));
}

async function toolsOf(file: string) {
  await using kernel = await openKernel({ plugins: [file] });
  const [record] = kernel.plugins.tried();
  const grants = (record?.wants ?? []).flatMap(({ capability }) => {
    if (capability === 'log') return [];
    const detail = grantDetail(capability);
    if (detail === undefined) return [capability];
    return [`${capability}:${detail.placeholder === 'ROOT' ? 'work' : detail.example}`];
  });
  return (record?.tools ?? []).map(({ name, inputSchema, examples: [first] }) => ({
    name,
    schema: inputSchema,
    good: first ?? inputFor(inputSchema),
    grants,
  }));
}

/** Beside what the examples name, which is not there either. */
const hostileFiles: Readonly<Record<string, FileContent>> = {
  'empty.txt': '',
  'binary.bin': { base64: Buffer.from([0, 255, 254, 0, 10, 13, 0]).toString('base64') },
  'latin1.txt': { base64: Buffer.from([0x63, 0x61, 0x66, 0xe9]).toString('base64') },
  'one-line.txt': 'x,'.repeat(1_500_000),
  'many-lines.txt': '\n'.repeat(200_000),
  'a name\nof two lines.txt': 'x',
  'ünïcode 名.txt': 'x',
  '-rf': 'x',
  'deep/a/b/c/d/e/f/g/h/i/j/k/l/m.txt': 'x',
  'not.json': '{"a": [1, 2',
  'deep.json': '['.repeat(20_000),
};

/** As the report says it, so that it can be named on a line. */
function nameOf(tool: string, what: string): string {
  return `${tool}: ${escapeLine(what)}`;
}

function report(rows: readonly Row[], again: string): void {
  const groups = Map.groupBy(rows, ({ tool, group }) => `${tool}: ${group}`);
  for (const [name, members] of groups) {
    const failed = members.filter(({ outcome }) => outcome in bad);
    const counts = Map.groupBy(members, ({ outcome }) => outcome);
    const parts = [...counts].map(([outcome, each]) => `${each.length} ${outcome}`).join(', ');
    print(`${failed.length === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${members.length} calls (${parts})`);
    for (const { tool, what, outcome, message } of failed.slice(0, 5)) {
      print(`      ${escapeLine(what)}: ${bad[outcome]}: ${escapeLine(message).slice(0, 200)}`);
      print(`        again: ${again} --only ${shellWord(nameOf(tool, what))}`);
    }
    if (failed.length > 5) print(`      … and ${failed.length - 5} more`);
  }
  const failed = rows.filter(({ outcome }) => outcome in bad).length;
  print(`${rows.length} calls, ${failed} went wrong`);
}

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

const hostileHosts: readonly HostileHost[] = [
  { what: 'empty answers', standIn: answering((call) => empty[call]) },
  { what: 'huge answers', standIn: answering(huge) },
  { what: 'odd answers', standIn: answering((call) => odd[call]) },
  ...(['denied', 'not-found', 'invalid', 'limit', 'timeout', 'conflict', 'io'] as const).map(
    (tag): HostileHost => ({ what: `every call fails with ${tag}`, standIn: failing(tag) }),
  ),
];
