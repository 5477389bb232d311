import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { byteCall } from './byte-call.ts';

type Tools = {
  call(tool: string, input: string): { content: string; summary: string };
  describe(): string;
  callBytes?(tool: Uint8Array, input: Uint8Array, take: (bytes: Uint8Array) => unknown): unknown;
};

/** As the transpiler writes it; the guest gives back its arguments, or tells `!` as an error. */
const glueOf = ({ result = 'content: result2,\n summary: result3,', beside = '' } = {}): string => `
export function instantiate() {
  const memory0 = { buffer: new ArrayBuffer(4096) };
  let free = 64;
  const realloc1 = (pointer, old, align, bytes) => { free += bytes; return free - bytes; };
  const dataView = (memory) => new DataView(memory.buffer);
  const TEXT_DECODER_UTF8 = new TextDecoder();
  function _utf8AllocateAndEncode(s, realloc, memory) {
    const bytes = new TextEncoder().encode(s);
    const ptr = realloc(0, 0, 1, bytes.length);
    new Uint8Array(memory.buffer, ptr, bytes.length).set(bytes);
    return { ptr, len: bytes.length };
  }
  const tools010Call = (...places) => {
    const isError = new Uint8Array(memory0.buffer)[places[0]] === 33;
    dataView(memory0).setUint8(0, isError ? 1 : 0);
    for (const [index, place] of places.entries())
      dataView(memory0).setUint32((isError ? 8 : 4) + 4 * index, place, true);
    return 0;
  };
  const postReturn2 = () => new Uint8Array(memory0.buffer).fill(0);
  const tools010Describe = () => 'described';
  function describe() {
    return tools010Describe();
  }
  function call(arg0, arg1) {
    const hostProvided = false;
    var encodeRes = _utf8AllocateAndEncode(arg0, realloc1, memory0);
    var ptr0= encodeRes.ptr;
    var len0 = encodeRes.len;
    var encodeRes = _utf8AllocateAndEncode(arg1, realloc1, memory0);
    var ptr1= encodeRes.ptr;
    var len1 = encodeRes.len;
    let ret =  tools010Call(ptr0, len0, ptr1, len1);
    let variant13;
    switch (dataView(memory0).getUint8(ret + 0, true)) {
      case 0: {
        var ptr2 = dataView(memory0).getUint32(ret + 4, true);
        var len2 = dataView(memory0).getUint32(ret + 8, true);
        var result2 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr2, len2));
        var ptr3 = dataView(memory0).getUint32(ret + 12, true);
        var len3 = dataView(memory0).getUint32(ret + 16, true);
        var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
        variant13= { tag: 'ok', val: { ${result} } };
        break;
      }
      case 1: {
        var ptr5 = dataView(memory0).getUint32(ret + 8, true);
        var len5 = dataView(memory0).getUint32(ret + 12, true);
        var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
        variant13= { tag: 'err', val: result5 };
        break;
      }
    }
    const retCopy = variant13;
    postReturn2(ret);
    if (retCopy.tag === 'err') throw new Error('told: ' + retCopy.val);
    return retCopy.val;
  }
  ${beside}
  const tools010 = {
    call: call,
    describe: describe,
  };
  return { 'cuervo:plugin/tools@0.1.0': tools010 };
}`;

const toolsOf = (glue: string): Tools => {
  const script = `(() => { ${glue.replace('export ', '')}; return instantiate(); })()`;
  const exports = new Script(script).runInThisContext() as Record<string, Tools>;
  return exports['cuervo:plugin/tools@0.1.0'] as Tools;
};

describe('byteCall()', () => {
  const bytes = (text: string): Buffer => Buffer.from(text);

  it.each([
    ['one', '{"text":"é"}'],
    ['', ''],
    ['水', '\u{1f600}'.repeat(100)],
  ])('gives a sibling that takes and gives the bytes of what `call` does', (tool, input) => {
    const { callBytes } = toolsOf(byteCall(glueOf()));
    const taken: string[] = [];
    // Copied at once: behind the call the guest's memory is something else.
    callBytes?.(bytes(tool), bytes(input), (text) => taken.push(Buffer.from(text).toString()));
    expect(taken).toEqual([tool, input]);
    expect(toolsOf(byteCall(glueOf())).call(tool, input)).toEqual({
      content: tool,
      summary: input,
    });
  });

  it('tells errors as `call` does, and describes', () => {
    const tools = toolsOf(byteCall(glueOf()));
    const take = (): never => expect.unreachable();
    expect(() => tools.callBytes?.(bytes('!no'), bytes('{}'), take)).toThrow('told: !no');
    expect(() => tools.call('!no', '{}')).toThrow('told: !no');
    expect(tools.describe()).toBe('described');
  });

  it.each([
    ['another result', { result: 'summary: result2, content: result3,' }],
    ['a second one', { beside: 'const other = { call: call, describe: describe };' }],
    ['another function of the name', { beside: '{ function call(arg0) {} }' }],
  ])('leaves %s as it is', (_, options) => {
    const glue = glueOf(options);
    expect(byteCall(glue)).toBe(glue);
    expect(byteCall(glueOf())).not.toBe(glueOf());
  });

  it.each([
    ['encodes', '_utf8AllocateAndEncode', '_utf16AllocateAndEncode'],
    ['looks at the result', 'switch (dataView(memory0)', 'switch (new DataView(memory0.buffer)'],
  ])('leaves what %s otherwise', (_, from, to) => {
    const glue = glueOf().replaceAll(from, to);
    expect(glue).not.toBe(glueOf());
    expect(byteCall(glue)).toBe(glue);
  });
});
