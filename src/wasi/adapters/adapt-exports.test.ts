import { describe, expect, it } from 'vitest';
import type { WasiImports } from '../create-wasi-imports.ts';
import { adaptExports, type CallableTools } from './adapt-exports.ts';

const wasi = { isAbsent: true } as WasiImports;

function adapted(tools: object): CallableTools {
  return adaptExports(
    { 'cuervo:plugin/tools@0.1.0': tools },
    { adapter: undefined, wasi, maxResultBytes: 100, log: () => expect.unreachable() },
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
