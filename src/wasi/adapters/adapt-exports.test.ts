import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WasiImports } from '../create-wasi-imports.ts';
import { adaptExports, boundCopies, type CallableTools, type CopyBound } from './adapt-exports.ts';

const wasi = { isAbsent: true } as WasiImports;

function adapted(tools: object): CallableTools {
  const told = { log: () => expect.unreachable(), progress: () => expect.unreachable() };
  return adaptExports(
    { 'cuervo:plugin/tools@0.1.0': tools },
    { adapter: undefined, wasi, maxResultBytes: 100, reading: new Set(), ...told },
  );
}

function called({ call }: CallableTools): string[] {
  const taken: string[] = [];
  call(Buffer.from('text'), Buffer.from('{"é":1}'), (text) =>
    taken.push(Buffer.from(text).toString()),
  );
  return taken;
}

describe('adaptExports()', () => {
  const call = (tool: string, input: string) => ({ content: `é ${input}`, summary: tool });

  it('calls tools with strings', () => {
    expect(called(adapted({ call, describe: () => [] }))).toEqual(['é {"é":1}', 'text']);
  });
});

const { slice } = ArrayBuffer.prototype;
const Native = TextDecoder;
const encode = (text: string) => new TextEncoder().encode(text);

describe('boundCopies()', () => {
  let copies: CopyBound;

  beforeEach(() => {
    copies = boundCopies(100);
  });

  afterEach(() => {
    ArrayBuffer.prototype.slice = slice;
    globalThis.TextDecoder = Native;
  });

  it('counts what is decoded and sliced between two resets', () => {
    const decoder = new TextDecoder();
    const text = 'x'.repeat(60);
    expect(decoder.decode(encode(text))).toBe(text);
    expect(() => decoder.decode(encode(text))).toThrow(/more than 100 bytes at once/);
    copies.reset();
    expect(new Uint8Array(60).buffer.slice(0)).toHaveProperty('byteLength', 60);
    expect(() => new TextDecoder('utf-8').decode(encode(text))).toThrow(/more than 100 bytes/);
  });

  it.each([
    ['several scripts', encode('aé水😀\u0000')],
    ['nothing', encode('')],
    ['a cut character', encode('水').subarray(0, 2)],
    ['a surrogate', Uint8Array.of(0x61, 0xed, 0xa0, 0x80, 0x62)],
    ['bytes that begin nothing', Uint8Array.of(0xff, 0x80, 0x41, 0xc3)],
  ])('decodes %s as the engine does', (_, bytes) => {
    const inMemory = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, 2 + bytes.length);
    expect(new TextDecoder().decode(inMemory)).toBe(new Native().decode(bytes));
  });

  it('lets an instance import nothing once the next one is made', () => {
    const importOf = () =>
      copies.watch({ host: { ask: () => 7 } })['host']?.['ask'] as () => number;
    copies.begin();
    const ask = importOf();
    expect(ask()).toBe(7);
    copies.begin();
    expect(ask).toThrow('the call that this instance was made for has ended');
    expect(importOf()()).toBe(7);
  });

  it('keeps a byte order mark, which is part of the text', () => {
    expect(new TextDecoder().decode(encode('\ufeffa'))).toBe('\ufeffa');
  });

  it('leaves other encodings and options to the engine', () => {
    const bytes = Uint8Array.of(0x61, 0, 0x62, 0);
    expect(new TextDecoder('utf-16le').decode(bytes)).toBe('ab');
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xff))).toThrow();
    const decoder = new TextDecoder();
    const parts = [encode('é').subarray(0, 1), encode('é').subarray(1)];
    expect(parts.map((part) => decoder.decode(part, { stream: true })).join('')).toBe('é');
    expect(new TextDecoder().decode()).toBe('');
  });
});
