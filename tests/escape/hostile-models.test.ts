import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { openSentenceModel } from '../../src/models/onnx/open-models.ts';
import { spawnModelProcess } from '../../src/models/spawn-model-process.ts';
import { confinePlainly } from '../../src/sandbox/confine-program.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import {
  tableBytes,
  tinyTable,
  writeFillingModel,
  writeTinySentenceModel,
} from '../fixtures/tiny-model.ts';
import { escapeCase } from './support/escape-case.ts';
import { put, usePlace } from './support/place.ts';
import { storyModel } from './support/story-model.ts';

/** Models are downloaded from strangers, as plugins are, and nobody reads what is in them. */
const place = usePlace({
  fill: ({ outside, dir }) => {
    writeFileSync(join(outside, 'weights.bin'), tableBytes(table));
    writeTinySentenceModel(join(dir, 'plain'), table);
  },
});
const table = tinyTable((token) => [Math.cos(token), Math.sin(token), token / 10, 1]);
const childPath = join(import.meta.dirname, '../../dist/onnx-child.js');
const packages = [join(import.meta.dirname, '../../node_modules')];
const options = { childPath, packages, threads: 1, confine: createProcessSandbox('auto').confine };
const { signal } = new AbortController();

async function embed(folder: string, workTimeoutMs = 30_000): Promise<string> {
  await using model = await openSentenceModel({ ...options, folder, workTimeoutMs });
  const [vector] = await model.embed(['red apple'], { signal });
  return [...(vector ?? [])].map((value) => value.toFixed(4)).join();
}

/** A model whose table lies in another file. */
function modelWith(name: string, external: string): string {
  const folder = join(place.dir, name);
  writeTinySentenceModel(folder, table, {}, external);
  return folder;
}

escapeCase('weights of a model that lie outside of its folder', {
  denied: [
    'by a path, from the top, or through a link: the model is not loaded',
    async () => {
      const outside = join(place.outside, 'weights.bin');
      for (const [at, external] of [
        '../../outside/weights.bin',
        outside,
        'sub/../../../outside/weights.bin',
        'link.bin',
        'linked/weights.bin',
        '/proc/self/environ',
        '/dev/zero',
      ].entries()) {
        const folder = modelWith(`model-${at}`, external);
        symlinkSync(outside, join(folder, 'onnx/link.bin'));
        symlinkSync(place.outside, join(folder, 'onnx/linked'));
        await expect(embed(folder), external).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/could not be loaded: .*[Ee]xternal/),
        });
      }
    },
  ],
  control: [
    'weights beside the model, under its name, are the same as those in it',
    async () => {
      const folder = modelWith('beside', 'model_quantized.onnx_data');
      writeFileSync(join(folder, 'onnx/model_quantized.onnx_data'), tableBytes(table));
      expect(await embed(folder)).toBe(await embed(join(place.dir, 'plain')));
    },
  ],
});

function filling(name: string, bytes: number): string {
  const folder = join(place.dir, name);
  writeFillingModel(folder, table, bytes / 4);
  return folder;
}

escapeCase('graph of a model that fills the memory', {
  needs: { file: '/proc/self/statm', install: 'Linux' },
  denied: [
    'a file of some hundred bytes takes two gigabytes and no more',
    async () => {
      await expect(embed(filling('full', 3 * 1024 ** 3))).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/took more than 21\d{8} bytes of memory and was ended/),
      });
    },
  ],
  control: [
    'one that takes a little more than its file gives what it gives without',
    async () => {
      expect(await embed(filling('half', 64 * 1024))).toBe(await embed(join(place.dir, 'plain')));
    },
  ],
});

function tokenizerWith(name: string, change: (tokenizer: Record<string, unknown>) => void): string {
  const folder = join(place.dir, name);
  writeTinySentenceModel(folder, table);
  const path = join(folder, 'tokenizer.json');
  const tokenizer = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  change(tokenizer);
  writeFileSync(path, JSON.stringify(tokenizer));
  return folder;
}

/** Takes a text apart where the expression matches. */
const split = (expression: string) => ({
  type: 'Split',
  pattern: { Regex: expression },
  behavior: 'Isolated',
  invert: false,
});

escapeCase('tokenizer of a model', {
  denied: [
    [
      'one that never ends is ended, and cuervo goes on',
      async () => {
        const folder = tokenizerWith('endless', (tokenizer) => {
          tokenizer.normalizer = { type: 'Prepend', prepend: 'a'.repeat(200) };
          tokenizer.pre_tokenizer = split('(a|aa)+$');
        });
        await expect(embed(folder, 3_000)).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('did not answer within 3 s and was ended'),
        });
      },
    ],
    [
      'one that hangs while it loads costs its time once, and goes with who waits for it',
      async () => {
        const folder = tokenizerWith('hanging', (tokenizer) => {
          const replace = { type: 'Replace', pattern: { Regex: '(a+)+b$' }, content: 'x' };
          const prepend = { type: 'Prepend', prepend: 'a'.repeat(60) };
          tokenizer.normalizer = { type: 'Sequence', normalizers: [prepend, replace] };
        });
        await using hanging = await openSentenceModel({ ...options, folder, openTimeoutMs: 3_000 });
        const says = { message: expect.stringContaining('did not answer within 3 s') };
        await expect(hanging.embed(['red apple'], { signal })).rejects.toMatchObject(says);
        const failedMs = performance.now();
        await expect(hanging.embed(['red apple'], { signal })).rejects.toMatchObject(says);
        expect(performance.now() - failedMs).toBeLessThan(1_500);

        const other = await openSentenceModel({ ...options, folder });
        const waited = { signal: AbortSignal.timeout(500) };
        await expect(other.embed(['red apple'], waited)).rejects.toThrow();
        await other[Symbol.asyncDispose]();
        expect(performance.now() - failedMs).toBeLessThan(15_000);
      },
    ],
    [
      'one without an end, a pipe and a device are not opened',
      async () => {
        for (const name of ['tokenizer.json', 'tokenizer_config.json']) {
          const large = tokenizerWith(`large-${name}`, () => {});
          truncateSync(join(large, name), 200 * 1024 ** 3);
          await expect(embed(large)).rejects.toMatchObject({ code: 'invalid-argument' });
          for (const [at, make] of [
            (path: string) => execFileSync('mkfifo', [path]),
            (path: string) => symlinkSync('/dev/zero', path),
          ].entries()) {
            const folder = tokenizerWith(`special-${at}-${name}`, () => {});
            execFileSync('rm', [join(folder, name)]);
            make(join(folder, name));
            await expect(embed(folder)).rejects.toMatchObject({ code: 'invalid-argument' });
          }
        }
      },
    ],
    [
      'names that every object has, and nonsense, are refused or read: nothing ends with it',
      async () => {
        const changes: Record<string, unknown>[] = [
          { model: { type: '__proto__' } },
          { model: { type: 'constructor', vocab: {} } },
          { model: null },
          { added_tokens: [{ id: -1, content: '__proto__', special: true }] },
          { pre_tokenizer: { type: 'toString' } },
          { pre_tokenizer: split('(') },
        ];
        for (const [at, change] of changes.entries()) {
          const folder = tokenizerWith(`odd-${at}`, (tokenizer) =>
            Object.assign(tokenizer, change),
          );
          const ended = await embed(folder).catch((thrown: { code?: string }) => thrown.code);
          expect(ended, JSON.stringify(change)).toMatch(/^unavailable$|^[-\d.,]+$/);
        }
      },
    ],
  ],
  control: [
    'a text is taken apart by an expression that ends',
    async () => {
      const folder = tokenizerWith('fine', (tokenizer) => {
        tokenizer.pre_tokenizer = split('\\s+');
      });
      expect(await embed(folder)).toMatch(/^[-\d.,]+$/);
    },
  ],
});

const u32 = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: bigint): Buffer => Buffer.from(BigUint64Array.of(value).buffer);
const text = (value: string): Buffer =>
  Buffer.concat([u64(BigInt(value.length)), Buffer.from(value)]);
const gguf = (tensors: bigint, entries: bigint, ...more: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('GGUF'), u32(3), u64(tensors), u64(entries), ...more]);

const ask = (model: string, ...flags: string[]) =>
  place.cuervo(['ask', 'what is here?', '--model', model, '--json', '-w', place.work, ...flags], {
    giveUpMs: 30_000,
  });

escapeCase('sparse model of 200 GB', {
  denied: [
    'no more of it is read than a header has',
    async () => {
      const many = /its header lists more than 2000000 parts/;
      for (const [at, [begin, says]] of [
        [gguf(1n, 1n << 40n), many] as const,
        [gguf(1n << 40n, 0n), many] as const,
        [gguf(1n, 1n, text('list'), u32(9), u32(8), u64(1n << 40n)), many] as const,
        [
          gguf(1n, 1n, text('long'), u32(8), u64(1n << 30n)),
          /its header goes beyond byte/,
        ] as const,
      ].entries()) {
        const path = put(place.dir, `sparse-${at}.gguf`, begin);
        truncateSync(path, 200 * 1024 ** 3);
        const { exitCode, error } = await ask(path);
        expect({ exitCode, code: error?.code }).toEqual({ exitCode: 2, code: 'invalid-argument' });
        expect(error?.message).toMatch(says);
      }
    },
  ],
  control: [
    'one with a header and all of its tensors is given to the process of models',
    async () => {
      const head = gguf(1n, 0n, text('t'), u32(1), u64(64n), u32(2), u64(0n));
      const path = put(place.dir, 'whole.gguf', Buffer.concat([head, Buffer.alloc(200)]));
      const { error } = await ask(path);
      expect(error?.message ?? '').not.toMatch(/header|GGUF model that can be used/);
    },
  ],
});

/** The model, whose file says that a conversation is written so; its weights stay aligned. */
function modelWithTemplate(name: string, template: string): string {
  const bytes = readFileSync(storyModel.file);
  const key = Buffer.concat([text('tokenizer.chat_template'), u32(8)]);
  const before = key.byteLength + 8 + template.length;
  const padded = template.padEnd(template.length + 32 - (before % 32));
  const counts = Buffer.concat([bytes.subarray(0, 16), u64(bytes.readBigUInt64LE(16) + 1n)]);
  const all = [counts, key, text(padded), bytes.subarray(24)];
  return put(place.dir, name, Buffer.concat(all));
}

escapeCase('template of a model that has no end', {
  needs: storyModel,
  denied: [
    [
      'the question ends in its time, with what was found and without the model',
      async () => {
        const loop = '{% for i in range(900000000) %}{% for j in range(900000000) %}';
        const ends = '{% endfor %}{% endfor %}{{ messages[0].content }}';
        const path = modelWithTemplate('loop.gguf', `${loop}${ends}`);
        const { error } = await ask(path, '--max-time', '3s');
        expect(error?.code).toBe('unavailable');
        expect(error?.message).toMatch(/was not open after 3000 ms \(budget\.duration-ms\)/);
      },
    ],
    [
      'one that grows has a gigabyte of the heap of its process',
      async () => {
        const fill = 'while (l.length < 200) l.push(new Array(1e6).fill(l.length));';
        const text = `const l = []; ${fill}\nthrow new Error('kept 1.6 GB');\n`;
        const file = put(place.dir, 'grows/child.cjs', text);
        const ended = Promise.withResolvers<string>();
        const model = await spawnModelProcess(
          {
            ...{ childPath: file, reads: { folder: dirname(file), files: [] } },
            confine: async (program) => confinePlainly(program),
          },
          { replyFd: 3, onStartFailure: ended.reject, onEnd: ended.resolve },
        );
        expect(await ended.promise).toMatch(/heap out of memory/);
        await model.exited;
      },
    ],
  ],
  control: [
    'a template that ends is one to talk by',
    async () => {
      const path = modelWithTemplate('plain.gguf', '{{ messages[0].content }}');
      expect((await ask(path, '--max-time', '25s')).error?.message ?? '').not.toMatch(
        /was not open/,
      );
    },
  ],
});
