import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { LineError } from '../../../plugins/shell/line-error.ts';
import { parseLine } from '../../../plugins/shell/parse-line.ts';
import { programPaths } from '../../../src/config/paths.ts';
import { KernelError } from '../../../src/contracts/error.ts';
import { parseDescribe } from '../../../src/host/install/component/parse-describe.ts';
import { parseManifest } from '../../../src/host/install/component/parse-manifest.ts';
import { readBinary } from '../../../src/host/install/component/read-component.ts';
import { readFunctions } from '../../../src/host/install/component/read-functions.ts';
import { formatLock, parseLock } from '../../../src/host/install/parse-lock.ts';
import { createFrameReader } from '../../../src/host/process/read-frames.ts';
import { parseFrame } from '../../../src/host/run/parse-frame.ts';
import { parsePath } from '../../../src/paths/parse-path.ts';
import { parseGrantsFile } from '../../../src/policy/parse-grants-file.ts';
import { judgeCommand } from '../../../src/policy/rules/judge-command.ts';
import { loadRules, readShippedRules } from '../../../src/policy/rules/load-rules.ts';
import {
  createFrameDecoder,
  encodeFrame,
  encodeTexts,
  type Frame,
  payloadOf,
} from '../../../src/protocol/frame.ts';
import { everyType } from '../../support/wat-world.ts';
import { changedText } from './change-text.ts';
import { mutate, mutations } from './mutate-binary.ts';

/** What became of random input: neither count is a fault. */
export type FuzzCounts = { read: number; refused: number };

export type FuzzTarget = {
  name: string;
  /** Throws at the first input that is neither read nor refused the way it was promised. */
  fuzz(options: { runs: number; seed: number }): Promise<FuzzCounts>;
  /** Throws unless what is right is read. */
  good(): Promise<void> | void;
};

/**
 * @param take reads one input; false where it refused it as promised. Throws for anything else.
 */
function target<Input>(
  name: string,
  arbitrary: fc.Arbitrary<Input>,
  take: (input: Input) => boolean,
  good: readonly Input[],
): FuzzTarget {
  return {
    name,
    fuzz: async ({ runs, seed }) => {
      const counts = { read: 0, refused: 0 };
      fc.assert(
        fc.property(arbitrary, (input) => {
          counts[take(input) ? 'read' : 'refused'] += 1;
        }),
        { numRuns: runs, seed },
      );
      return counts;
    },
    good: () => {
      for (const input of good) {
        if (!take(input)) throw new Error(`${name}: what is right was refused`);
      }
    },
  };
}

/** False where it threw what is promised; anything else is a fault. */
function reads(run: () => void, isPromised: (thrown: unknown) => boolean): boolean {
  try {
    run();
    return true;
  } catch (thrown) {
    if (isPromised(thrown)) return false;
    throw thrown;
  }
}

const isCode =
  (...codes: readonly string[]) =>
  (thrown: unknown): boolean =>
    thrown instanceof KernelError && codes.includes(thrown.code) && thrown.message.length < 5000;
const isFault = isCode('plugin-fault');
const isInvalid = isCode('invalid-argument');

const call = { call: 'fs.read-text', target: 'work:a', outcome: 'ok', durationMs: 1, bytes: 2 };
const messages: readonly [kind: number, message: object][] = [
  [65, { ms: 12 }],
  [66, { id: 1, calls: [], outcome: 'error', case: 'denied', message: 'no' }],
  [67, { level: 'warn', message: 'w' }],
  [68, { label: 'files', done: 1, total: 2 }],
  [69, { message: 'failed' }],
  [70, { id: 1, call: 'kv.get', args: ['key'] }],
  [71, { id: 1, part: [1] }],
];

const frames: readonly Buffer[] = [
  ...messages.map(([kind, message]) => encodeFrame(kind, message)),
  encodeTexts(72, { id: 1, first: 'é\n', second: 's', rest: JSON.stringify([call]) }),
  encodeTexts(72, { id: 1, first: '', second: 's', rest: '' }),
];

/** Bytes of whole frames, changed at some places or not at all. */
const frameBytes: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.noBias(fc.nat(999_999)), fc.nat(255)), { maxLength: 3 }),
    fc.uint8Array({ maxLength: 12 }),
  )
  .map(([parts, changes, rest]) => {
    const bytes = Buffer.concat([...parts, rest]);
    for (const [at, value] of changes) bytes[Math.floor((at / 1_000_000) * bytes.length)] = value;
    return bytes;
  });

/** As the kernel reads them, cut anywhere: the cuts change nothing. */
function takeFrames({ bytes, cuts }: { bytes: Buffer; cuts: readonly number[] }): boolean {
  const decode = (chunks: readonly Buffer[]): { frames: Frame[]; failed: boolean } => {
    const decoder = createFrameDecoder();
    const frames: Frame[] = [];
    const refused = !reads(
      () => {
        for (const chunk of chunks) frames.push(...decoder(chunk));
      },
      (thrown) => thrown instanceof RangeError,
    );
    return { frames, failed: refused };
  };
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other);
  const ends = [...places, bytes.length];
  const chunks = ends.map((end, index) => Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end)));
  const whole = decode([bytes]);
  const cut = decode(chunks);
  const shown = (frame: Frame): string => `${frame.kind} ${payloadOf(frame).toString('hex')}`;
  if (whole.failed !== cut.failed) throw new Error('cuts change what is refused');
  // Before it refuses, one in pieces may have given what stands in front.
  const both = whole.failed ? [] : whole.frames;
  if (!whole.failed && both.map(shown).join() !== cut.frames.map(shown).join())
    throw new Error('cuts change what is read');
  const refused = cut.frames.filter((frame) => !reads(() => void parseFrame(frame), isFault));
  return !whole.failed && refused.length === 0;
}

/** As a plugin process reads them, from a descriptor. */
function takeFromDescriptor(bytes: Buffer): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-fuzz-'));
  const path = join(folder, 'frames');
  writeFileSync(path, bytes);
  const descriptor = openSync(path, 'r');
  try {
    return reads(
      () => {
        const next = createFrameReader(descriptor);
        for (let frame = next(); frame !== undefined; frame = next()) {
          if (payloadOf(frame).length > bytes.length)
            throw new Error('a frame longer than its bytes');
        }
      },
      (thrown) => thrown instanceof RangeError,
    );
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}

const manifest = JSON.stringify({
  name: 'word-count',
  version: '1.0.0',
  description: 'Counts words.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads' }],
});
const described = JSON.stringify([
  {
    name: 'count',
    description: 'Counts.',
    inputSchema: '{"type":"object","properties":{"text":{"type":"string"}}}',
    effect: 'pure',
    examples: ['{"text":"one two"}'],
  },
]);

const digest = 'a'.repeat(64);
const grants = `[[grant]]
plugin = "word-count"
digest = "${digest}"
capabilities = ["fs:work", "kv", "http:https://example.org"]
granted = 2026-11-21T12:00:00Z
expires = 2026-12-21T12:00:00Z
`;
const rules = `[[rule]]
name = "our-tests"
decision = "allow"
reason = "runs our own tests"
program = "npm"
args = ["test", "..."]
match = ["npm test"]
not_match = ["npm run build"]

[[rule]]
name = "no-push"
decision = "deny"
reason = "pushing is for people"
program = "git"
with = ["^push$"]
match = ["git push"]
not_match = ["git status"]
`;
const lock = formatLock({
  previous: [],
  plugins: [
    {
      ...{ name: 'word-count', version: '1.0.0', description: 'Counts.', sha256: digest, size: 9 },
      ...{ imports: ['cuervo:host/fs@0.1.0'], exports: ['cuervo:plugin/tools@0.1.0'] },
      wants: [{ capability: 'fs', why: 'reads' }],
      tools: [
        { name: 'count', description: 'Counts.', inputSchema: {}, effect: 'pure', examples: [] },
      ],
      ...{
        transpiler: '1',
        files: { 'component.js': digest },
        pages: { 'component.core.wasm': 1 },
      },
      ...{ maxPages: 1, source: '/a.wasm', installedMs: 1 },
    },
  ],
});

const paths = ['work:src/a.txt', 'docs:b', 'a/b/c', '.', 'work:.'];
const roots = new Map([
  ['work', 7],
  ['docs', 8],
]);
const words = ['git', 'ls', 'find', 'sort', '-c', '-exec', '--output', '..', '/etc', '.env', '@x'];
const shippedTables = readShippedRules(programPaths().rules);
const shipped = loadRules(shippedTables);

/** Nothing that a rule shipped with us denies is allowed by whatever else stands there. */
function takeCommand([program, args, cwd]: readonly [string, readonly string[], string]): boolean {
  const { decision } = judgeCommand({ program, args, cwd }, shipped);
  const leadsOut = args.some((arg) => /^\.\.?\/\.\.|^\.\.(\/|$)|^\/etc/.test(arg));
  const searches = /^(e?grep|rg|fgrep|git|find|fd|ag|echo|printf|jq|test|\[|expr|seq)$/.test(
    program,
  );
  if (decision === 'allow' && leadsOut && !searches)
    throw new Error(`allowed to lead out: ${JSON.stringify([program, args])}`);
  return decision === 'allow';
}

function takePath(path: string): boolean {
  return reads(
    () => {
      const { root, segments } = parsePath(path, roots);
      if (!roots.has(root)) throw new Error(`a root that is not there: ${root}`);
      for (const segment of segments) {
        if (/^$|^\.\.?$|[/\\\0]/.test(segment)) throw new Error(`a way out: ${segment}`);
      }
    },
    (thrown) =>
      ['invalid', 'denied'].includes((thrown as { payload?: { tag: string } }).payload?.tag ?? ''),
  );
}

const vector = fc.tuple(
  fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 8 })),
  fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'binary', maxLength: 10 })), {
    maxLength: 6,
  }),
  fc.oneof(fc.constantFrom('', 'src'), changedText(['src/a'])),
);

/** Everything that reads what nobody vouches for. */
export const fuzzTargets: readonly FuzzTarget[] = [
  target(
    'frames from a plugin process',
    fc.record({ bytes: frameBytes, cuts: fc.array(fc.nat(500), { maxLength: 6 }) }),
    takeFrames,
    [{ bytes: Buffer.concat(frames), cuts: [1, 2, 3, 5, 90] }],
  ),
  target('frames to a plugin process', frameBytes, takeFromDescriptor, [Buffer.concat(frames)]),
  target(
    'manifests',
    changedText([manifest]),
    (text) => reads(() => void parseManifest(Buffer.from(text)), isFault),
    [manifest],
  ),
  target(
    'descriptions of tools',
    changedText([described]),
    (text) =>
      reads(() => {
        let value: unknown;
        try {
          value = JSON.parse(text);
        } catch {
          value = text;
        }
        parseDescribe(value);
      }, isFault),
    [described],
  ),
  {
    name: 'components',
    fuzz: async ({ runs, seed }) => {
      const original = await everyType();
      const counts = { read: 0, refused: 0 };
      for (const { changes } of mutations({ originals: 1, count: runs, seed })) {
        counts[readsComponent(mutate(original, changes)) ? 'read' : 'refused'] += 1;
      }
      return counts;
    },
    good: async () => {
      if (!readsComponent(await everyType())) throw new Error('a good component was refused');
    },
  },
  target('paths of guests', changedText(paths), takePath, paths),
  target('commands under the rules', vector, takeCommand, [['ls', ['src'], '']]),
  target(
    'rules.toml',
    changedText([rules]),
    (text) => reads(() => void loadRules(shippedTables, text), isInvalid),
    [rules],
  ),
  target(
    'grants.toml',
    changedText([grants]),
    (text) => reads(() => void parseGrantsFile(text), isInvalid),
    [grants],
  ),
  target(
    'plugins.lock',
    changedText([lock]),
    (text) => reads(() => void parseLock(text, 'plugins.lock'), isFault),
    [lock],
  ),
  target(
    'command lines',
    changedText(['cd src && grep -rn "a b" . | wc -l > out.txt', "X='1'; echo $X \\; *.txt"]),
    (line) =>
      reads(
        () => void parseLine(line, { variables: new Map(), cwd: '' }),
        (thrown) => thrown instanceof LineError,
      ),
    ['grep a b | wc -l'],
  ),
];

const maxReadMs = 2000;

/** @throws {Error} when one file takes longer than 2 s */
function readsComponent(bytes: Uint8Array): boolean {
  const startedMs = performance.now();
  const read = reads(() => {
    if (readBinary(bytes).kind === 'component') readFunctions(bytes);
  }, isFault);
  const tookMs = performance.now() - startedMs;
  if (tookMs > maxReadMs) throw new Error(`a component was read for ${tookMs} ms`);
  return read;
}
