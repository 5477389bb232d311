import { describe, expect, it } from 'vitest';
import { moduleMaker } from './core-module.ts';

describe('moduleMaker()', () => {
  it.each([
    ['wasm-bindgen', '__wbindgen_placeholder__.__wbindgen_throw'],
    ['wasm-bindgen', './tool_bg.js.__wbg_now_e7c6795a7f81e10f'],
    ['by Go', 'gojs.runtime.wasmExit'],
    ['by Go', 'go.syscall/js.valueGet'],
    ['Node-API', 'env.napi_create_function'],
    ['another module loads', 'env.__memory_base'],
    ['Emscripten', 'env.emscripten_resize_heap'],
    ['Emscripten', 'env.invoke_vii'],
    ['before preview 1', 'wasi_unstable.fd_write'],
    ['threads', 'wasi.thread-spawn'],
    ['part of a component', 'wasi:io/poll@0.2.10.poll'],
  ])('says %s of %s, also beside others', (what, name) => {
    expect(moduleMaker(['env.memory', name])?.what).toContain(what);
  });

  it('goes by shortened names only where all are', () => {
    expect(moduleMaker(['a.a', 'a.b', 'a.Aa'])?.what).toContain('like those of Emscripten');
    expect(moduleMaker(['a.a', 'a.open'])).toBeUndefined();
  });

  it('says nothing where imports do not tell', () => {
    expect(moduleMaker([])).toBeUndefined();
    expect(moduleMaker(['env.abort', 'host.log', 'going.runtime.x'])).toBeUndefined();
  });
});
