import { describe, expect, it } from 'vitest';
import { jsonToCbor } from '../../lib/cbor.ts';
import { callAct } from './call-act.ts';

const tool = { name: 'read_page', input: {} };
const binding = { kind: 'act', instance: 'act:tools/tool-provider@0.2.0', tool } as const;
const plain = (val: string) => ({ tag: 'plain', val });
const part = (text: string, mimeType?: string, metadata: [string, Uint8Array][] = []) => ({
  tag: 'content',
  val: { data: Buffer.from(text), ...(mimeType === undefined ? {} : { mimeType }), metadata },
});
const failure = (kind: string, message = 'why') => ({
  tag: 'error',
  val: { kind, message: plain(message), metadata: [] },
});

/** A stream as glue gives it, in pieces. */
function streaming(pieces: Iterable<unknown[]>) {
  const iterator = pieces[Symbol.iterator]();
  let isDropped = false;
  const val = {
    read: async () => iterator.next(),
    [Symbol.dispose]: () => {
      isDropped = true;
    },
  };
  return { result: { tag: 'streaming', val }, isDropped: () => isDropped };
}

async function call(result: unknown, maxResultBytes = 100) {
  const shown: unknown[] = [];
  const progress = (...said: unknown[]) => void shown.push(said);
  const given = await callAct(
    async () => result,
    binding,
    { a: 1 },
    {
      ...{ maxResultBytes, progress, reading: new Set<Disposable>() },
    },
  );
  return { ...given, shown };
}

describe('callAct()', () => {
  it('hands over the name of the tool, its input as CBOR and no metadata', async () => {
    const calls: unknown[] = [];
    const run = async (...args: unknown[]) => {
      calls.push(args);
      return { tag: 'immediate', val: [] };
    };
    await callAct(
      run,
      binding,
      { a: 1 },
      {
        ...{ maxResultBytes: 9, progress: () => {}, reading: new Set<Disposable>() },
      },
    );
    expect(calls).toEqual([['read_page', jsonToCbor({ a: 1 }), []]]);
  });

  it('gives parts one a line, by their types', async () => {
    const cbor = Buffer.from(jsonToCbor({ a: [1] }));
    const val = [
      part('text', 'text/plain; charset=utf-8'),
      part('{"a":1}', 'application/json'),
      { tag: 'content', val: { data: cbor, mimeType: 'application/cbor', metadata: [] } },
      part('\u00ff', 'application/cbor'),
      part('ab', 'image/png'),
      part('ab'),
    ];
    expect((await call({ tag: 'immediate', val }, 1_000)).content.split('\n')).toEqual([
      'text',
      '{"a":1}',
      '{"a":[1]}',
      'data:application/cbor;base64,w78=',
      'data:image/png;base64,YWI=',
      'data:application/octet-stream;base64,YWI=',
    ]);
  });

  it('shows parts of a stream as they come, with the progress that they tell', async () => {
    const told: [string, Uint8Array][] = [
      ['std:progress', jsonToCbor(5)],
      ['std:progress-total', jsonToCbor(9)],
    ];
    const pieces = [[part('one', 'text/plain')], [part('two', 'text/plain', told)]];
    const { result, isDropped } = streaming(pieces);
    const { content, shown } = await call(result);
    expect(content).toBe('one\ntwo');
    expect(shown).toEqual([
      ['one', 1, undefined],
      ['two', 5, 9],
    ]);
    expect(isDropped()).toBe(true);
  });

  it('stops a stream that never ends at the limit, and drops it', async () => {
    const { result, isDropped } = streaming(endless());
    await expect(call(result)).rejects.toMatchObject({
      payload: { tag: 'limit', val: expect.stringContaining('100 bytes') },
    });
    expect(isDropped()).toBe(true);
  });

  it.each([
    ['std:not-found', 'not-found'],
    ['std:invalid-args', 'invalid-input'],
    ['std:capability-denied', 'denied'],
    ['std:timeout', 'timeout'],
    ['std:internal', 'failed'],
    ['__proto__', 'failed'],
  ])('%s is %s, and what the guest did before holds', async (kind, tag) => {
    await expect(call({ tag: 'immediate', val: [failure(kind)] })).rejects.toMatchObject({
      isTold: true,
      payload: { tag, val: `${kind}: why` },
    });
  });
});

function* endless(): Generator<unknown[]> {
  for (;;) yield [part('more', 'text/plain')];
}
