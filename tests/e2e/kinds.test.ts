import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { twoLines } from '../support/run-cuervo.ts';
import { runMany } from '../support/run-many.ts';
import {
  contiguousProgram,
  copyProgram,
  deepOption,
  dialectProgram,
  everyType,
  exactAdder,
  exitingProgram,
  failingLookup,
  threadedProgram,
  untypedLibrary,
} from '../support/wat-world.ts';

/** Components and modules that know nothing of cuervo. */
let place: Place;
const fileOf = (name: string): string => join(place.work, `${name}.wasm`);

beforeAll(async () => {
  place = openPlace();
  writeFileSync(fileOf('exact'), await exactAdder());
  writeFileSync(fileOf('every-type'), await everyType());
  writeFileSync(fileOf('copy'), await copyProgram());
  for (const name of ['exact', 'copy']) {
    const ran = await place.cuervo(['plugin', 'install', fileOf(name), '--yes']);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
  }
});
afterAll(() => place[Symbol.dispose]());

async function run(
  tool: string,
  input: string,
): Promise<{ code: number | null; content: unknown }> {
  const ran = await place.cuervo(['run', tool, input, '--json']);
  const last = ran.lines.find(({ type }) => type === 'result' || type === 'error') as
    | { content?: string; message?: string }
    | undefined;
  return { code: ran.code, content: last?.content ?? last?.message };
}

describe('plugin inspect --json', () => {
  it('says what the process of a plugin would be confined by', async () => {
    using other = openPlace();
    mkdirSync(other.home, { recursive: true });
    writeFileSync(join(other.home, 'config.toml'), '[plugins]\nsandbox = "none"\n');
    const ran = await other.cuervo(['plugin', 'inspect', fileOf('exact'), '--json']);
    expect(ran.rows[0]).toMatchObject({ verdict: 'installable', tier: 'process' });
    const sandboxed = existsSync('/usr/bin/bwrap') ? 'os' : 'process';
    const plain = await place.cuervo(['plugin', 'inspect', fileOf('exact'), '--json']);
    expect(plain.rows[0]).toMatchObject({ verdict: 'installable', tier: sandboxed });
  });
});

describe('a function whose code is not valid', () => {
  it('is refused when it is installed, not when it is called', async () => {
    const bytes = Buffer.from(await exactAdder());
    const add = Buffer.from([0x20, 0, 0x20, 1, 0x7c, 0x0b]);
    const at = bytes.indexOf(add);
    expect(at).toBeGreaterThan(0);
    // `i32.add` of two 64-bit numbers.
    bytes[at + 4] = 0x6a;
    writeFileSync(fileOf('invalid'), bytes);
    const ran = await place.cuervo(['plugin', 'install', fileOf('invalid'), '--yes']);
    expect(ran).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('cannot be transpiled'),
    });
  });
});

describe('plain functions as tools', () => {
  it('are listed with schemas and effects, and what is left out with its reason', async () => {
    const ran = await place.cuervo(['plugin', 'inspect', fileOf('every-type'), '--json']);
    expect(ran.rows[0]).toMatchObject({
      kind: 'component',
      name: 'every-type',
      version: '0.0.0',
      verdict: 'installable',
      derived: true,
      tools: [
        { name: 'add-one', effect: 'pure' },
        { name: 'shapes-draw', effect: 'pure' },
        { name: 'shapes-pair', effect: 'pure' },
        { name: 'things-count', effect: 'pure' },
      ],
    });
    expect(ran.rows[0]?.withheld).toContain(
      '[method]thing.go of test:kinds/things@0.1.0: it takes or gives a resource; give a record instead, or the name of the thing as a string',
    );
  });

  it.each([
    ['{"a":9007199254740993,"b":1}', '9007199254740994'],
    ['{"a":"9007199254740993","b":"1"}', '9007199254740994'],
    ['{"a":"-9223372036854775808","b":0}', '-9223372036854775808'],
    ['{"a":2,"b":2}', '4'],
  ])('keep all digits of 64-bit integers: %s', async (input, sum) => {
    expect(await run('exact.add', input)).toEqual({ code: 0, content: sum });
  });

  it('refuse input that does not fit their types', async () => {
    const { code, content } = await run('exact.add', '{"a":1.5,"b":1}');
    expect(code).toBe(2);
    expect(content).toContain('a is 1.5, not a whole number');
  });
});

describe('functions whose types are of another package', () => {
  it('are installed and called: nobody has to serve an import of types alone', async () => {
    writeFileSync(fileOf('deep-option'), await deepOption());
    const ran = await place.cuervo(['plugin', 'install', fileOf('deep-option'), '--yes']);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
    for (const [input, depth] of [
      ['null', 0],
      ['{"some":null}', 1],
      ['{"some":{"some":null}}', 2],
      ['{"some":{"some":{"x":7}}}', 7],
    ]) {
      const said = await run('deep-option.depth', `{"of":${input}}`);
      expect(said).toEqual({ code: 0, content: String(depth) });
    }
  });
});

describe('a function that gives an error', () => {
  it('is reported as denied, with the grant, when it was denied something before', async () => {
    writeFileSync(fileOf('lookup'), await failingLookup());
    const ran = await place.cuervo(['plugin', 'install', fileOf('lookup'), '--yes']);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
    const denied = await place.cuervo(['run', 'lookup.look', '{}']);
    expect(denied.code).toBe(3);
    expect(twoLines(denied)).toEqual({
      error: 'lookup.look: lookup was not granted fs; it failed with: x',
      hint: expect.stringContaining('cuervo plugin grant lookup fs:work'),
    });
    const granted = await place.cuervo(['run', 'lookup.look', '{}', '--allow', 'fs:work']);
    expect(granted.code).toBe(1);
    expect(twoLines(granted).error).toBe('lookup.look: x');
  });
});

describe('a WASI preview-1 program as a tool', () => {
  it('is shown as the module that it is, with what it could reach', async () => {
    const ran = await place.cuervo(['plugin', 'inspect', fileOf('copy'), '--json']);
    expect(ran.rows[0]).toMatchObject({
      kind: 'module',
      verdict: 'installable',
      tools: [{ name: 'run', effect: 'write' }],
    });
    expect(ran.rows[0]?.imports).toContain('wasi_snapshot_preview1.fd_read');
  });

  it('reads text and JSON from standard input, and its output is in the result', async () => {
    expect(await run('copy.run', '{"stdin":"one two"}')).toEqual({
      code: 0,
      content: '{"stdout":"one two","stderr":"!","exitCode":0}',
    });
    expect(await run('copy.run', '{"stdin":{"a":1}}')).toEqual({
      code: 0,
      content: '{"stdout":"{\\"a\\":1}","stderr":"!","exitCode":0}',
    });
  });

  it('gives its exit code as a result', async () => {
    expect(await run('copy.run', '{}')).toEqual({
      code: 1,
      content: '{"stdout":"","stderr":"!","exitCode":3}',
    });
  });

  it('gives the last byte of an exit code, as a system does', async () => {
    writeFileSync(fileOf('exiting'), await exitingProgram());
    const ran = await place.cuervo(['plugin', 'install', fileOf('exiting'), '--yes']);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
    expect(await run('exiting.run', '{}')).toEqual({
      code: 1,
      content: '{"stdout":"","stderr":"","exitCode":255}',
    });
  });

  it('keeps its memory apart from that of the adapter, as Go takes its memory', async () => {
    writeFileSync(fileOf('contiguous'), await contiguousProgram());
    const ran = await place.cuervo(['plugin', 'install', fileOf('contiguous'), '--yes']);
    expect({ code: ran.code, text: ran.stderr }).toMatchObject({ code: 0 });
    expect(await run('contiguous.run', '{}')).toEqual({
      code: 0,
      content: '{"stdout":"ab","stderr":"","exitCode":0}',
    });
  });

  it('is refused with what it lacks: types of a library, an import that nobody serves', async () => {
    writeFileSync(fileOf('library'), await untypedLibrary());
    writeFileSync(fileOf('threads'), await threadedProgram());
    writeFileSync(fileOf('dialect'), await dialectProgram());
    const refused = async (name: string) =>
      (await place.cuervo(['plugin', 'inspect', fileOf(name), '--json'])).rows[0]?.reasons;
    expect(await refused('library')).toEqual([
      expect.stringMatching(/^it is a core module that exports "add" without their types; put/),
    ]);
    expect(await refused('threads')).toEqual([
      expect.stringMatching(
        /and imports "wasi\.thread-spawn", which WASI preview 1 does not have: it starts threads/,
      ),
    ]);
    expect(await refused('dialect')).toEqual([
      expect.stringMatching(
        /imports "wasi_snapshot_preview1\.sock_open", which WASI preview 1 does/,
      ),
    ]);
  });

  it('takes an input that is too large for no fault of the plugin, however often', async () => {
    const text = (length: number) => ({ stdin: 'x'.repeat(length) });
    const large = Array.from({ length: 4 }, () => text(9_000_000));
    const deep = { stdin: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) };
    const ended = await runMany(place, 'copy.run', [...large, deep, text(1000)]);
    expect(ended.map(({ code }) => code)).toEqual([
      ...Array.from({ length: 4 }, () => 'resource-exhausted'),
      'invalid-argument',
      undefined,
    ]);
    expect(ended[0]?.message).toMatch(/^copy\.run: an input of 90000\d\d bytes, limit 7340032$/);
  });

  it('refuses input that is none of a program', async () => {
    expect(await run('copy.run', '{"argv":[]}')).toMatchObject({ code: 2 });
    expect(await run('copy.run', '{"args":"x"}')).toMatchObject({ code: 2 });
  });
});
