import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { trimGlue } from './trim-glue.ts';

const glueOf = (...lines: string[]): string =>
  ['export function instantiate(get, imports) {', ...lines, '}', 'export const _util = {};'].join(
    '\n',
  );

/** The function of the glue, run. */
function run(glue: string, ...args: unknown[]): unknown {
  const script = trimGlue(glue).replace(/export /g, '');
  return new Script(`(() => { ${script}; return instantiate; })()`).runInThisContext()(...args);
}

describe('trimGlue()', () => {
  it('takes traces away, and what only they name', () => {
    const glue = glueOf(
      'function tell(x) { return x; }',
      'const _debugLog = (...args) => { globalThis.traced = args; };',
      "if (get) _debugLog('[f] enter', { at: tell(1) });",
      "else { _debugLog('[f] left'); }",
      'return get + 1;',
    );
    expect(run(glue, 1)).toBe(2);
    expect(globalThis).not.toHaveProperty('traced');
    expect(trimGlue(glue)).not.toContain('tell');
  });

  it('leaves a trace that does something besides', () => {
    const glue = glueOf(
      'const _debugLog = () => {};',
      'let count = 0;',
      '_debugLog(count += 1);',
      '_debugLog(count++);',
      'return count;',
    );
    expect(run(glue)).toBe(2);
  });

  it('takes marks for guests that may be suspended, but not where they are asked for', () => {
    const marking = 'return Object.assign(get, { _jcoMaySuspend: false });';
    const marked = (): void => {};
    expect(run(glueOf(marking), marked)).toBe(marked);
    expect(marked).not.toHaveProperty('_jcoMaySuspend');
    const inCallbacks = 'class AsyncTask { runCallbackFn() { return get._jcoMaySuspend; } }';
    expect(trimGlue(glueOf(inCallbacks, marking))).not.toContain('Object.assign');
    expect(trimGlue(glueOf('if (imports) return get._jcoMaySuspend;', marking))).toContain(marking);
    const other = 'return Object.assign(get, { _jcoMaySuspend: true });';
    expect(trimGlue(glueOf(other))).toContain(other);
  });

  it('takes wrappers that nothing calls, and no others', () => {
    const wrapper = (name: string): string[] => [
      `let ${name};`,
      `try { ${name} = WebAssembly.promising(get.f); } catch(err) { ${name} = get.f; }`,
    ];
    expect(trimGlue(glueOf(...wrapper('realloc0Async')))).not.toContain('realloc0Async');
    expect(trimGlue(glueOf(...wrapper('other')))).toContain('WebAssembly.promising(get.f)');
    const used = glueOf(...wrapper('realloc0Async'), 'return realloc0Async;');
    expect(trimGlue(used)).toContain('WebAssembly.promising(get.f)');
  });

  it('drops functions and classes in rounds, and keeps what runs when it is made', () => {
    const glue = glueOf(
      'function a() { return b(); }',
      'function b() { return b(); }',
      'class C { static states = { a: 1 }; f() { return a(); } }',
      'class D { static made = get(); }',
      'class E extends get {}',
      'function used() { for (const each of [1, 2]) {} return 3; }',
      'return used();',
    );
    const trimmed = trimGlue(glue);
    for (const gone of ['function a', 'function b', 'class C']) expect(trimmed).not.toContain(gone);
    for (const left of ['class D', 'class E', 'const each']) expect(trimmed).toContain(left);
    function anything(this: unknown): void {}
    expect(run(glue, anything)).toBe(3);
  });
});
