import { describe, expect, it } from 'vitest';
import { fromWat, fromWorld, withSection } from '../../../tests/support/test-binaries.ts';
import { manifestSectionName } from './component/parse-manifest.ts';
import { examinePlugin, type PrepareOptions } from './examine-plugin.ts';

const importing = (name: string): string =>
  `(component (import "${name}" (instance (export "go" (func)))))`;
const builtIn = (name: string): string => `(component (core func (canon ${name})))`;

/** No code runs, and a component needs no process. */
async function reasonOf(text: string, manifest?: string): Promise<string> {
  const binary = text.startsWith('(') ? await fromWat(text) : await fromWorld(text);
  const bytes =
    manifest === undefined ? binary : withSection(binary, manifestSectionName, manifest);
  const { judgement } = await examinePlugin(bytes, 'probe.wasm', {} as PrepareOptions);
  return judgement.reasons.join('\n');
}

/** What is refused: the thing that it names, and what its author does instead. */
describe('examinePlugin() of what is refused', () => {
  it.each([
    [importing('wasi:config/store@0.2.0'), 'wasi:config/store@0.2.0', 'take settings as arguments'],
    [importing('wasi:keyvalue/store@0.2.0'), 'wasi:keyvalue/store@0.2.0', 'cuervo:host/kv@0.1.0'],
    [importing('wasi:logging/logging@0.1.0'), 'wasi:logging/logging', 'write to standard error'],
    [importing('wasi:nn/graph@0.2.0'), 'wasi:nn/graph@0.2.0', 'docs/wasi.md has what is served'],
    [importing('wasi:io/poll@0.2.0-rc-2023-11-10'), 'wasi:io/poll', '--target wasm32-wasip2'],
    [importing('wasi:http/handler@0.2.0'), 'wasi:http/handler@0.2.0', 'wasi:http/client@0.3.0'],
    [importing('wasi:http/client@0.3.0-draft'), 'wasi:http/client', 'wit-bindgen 0.58'],
    [importing('wasi:cli/environment@0.4.0'), 'wasi:cli/environment', 'WASI 0.3 or 0.2'],
    [importing('wasi:sockets/types@0.3.0'), 'wasi:sockets/types@0.3.0', 'with wasi:http/client'],
    [importing('fermyon:spin/key-value@2.0.0'), 'fermyon:spin/key-value', 'without that SDK'],
    [importing('my:app/store@1.0.0'), 'my:app/store@1.0.0', 'wac plug FILE --plug OTHER.wasm'],
    [importing('act:credentials/store@0.1.0'), 'act:credentials/store', '{{secret:NAME}}'],
    [importing('cuervo:host/fs@0.9.0'), 'cuervo:host/fs@0.9.0', 'cuervo plugin build DIR'],
    [importing('cuervo:host/mail@0.1.0'), 'cuervo:host/mail@0.1.0', 'cuervo plugin build DIR'],
    ['(component (import "go" (func)))', 'go', 'wac plug FILE --plug OTHER.wasm'],
    [
      '(component (type $r (resource (rep i32))) (export "r" (type $r)))',
      'it is a WIT package',
      'name the component that implements it',
    ],
    [builtIn('error-context.drop'), 'error-context.drop', 'without threads and error contexts'],
    ['(component)', 'cuervo:plugin/tools@0.1.0', 'cuervo plugin new NAME'],
  ])('%s', async (wat, named, advice) => {
    const reason = await reasonOf(wat);
    expect(reason).toContain(named);
    expect(reason).toContain(advice);
  });

  it('says what to do about a manifest that disagrees', async () => {
    const wants = (...names: string[]) =>
      JSON.stringify({
        ...{ name: 'probe', version: '0.1.0', description: 'A probe.' },
        wants: names.map((capability) => ({ capability, why: 'x' })),
      });
    const clock = importing('cuervo:host/clock@0.1.0');
    expect(await reasonOf(clock, wants('fs', 'clock'))).toMatch(
      /^its manifest wants fs, which the binary does not import; leave it out of "wants", or use it$/,
    );
    expect(await reasonOf(clock, wants())).toContain('add it to "wants", with a reason');
  });

  it.each([
    ['func(a: stream)', 'a stream of nothing', 'stream<u8>'],
    ['func(a: option<stream<u8>>)', 'a stream inside of another value', 'or use list<T> inside'],
    ['func(a: option<future<u8>>)', 'a future inside of another value', 'or the result itself'],
    ['func(a: thing)', 'a resource', 'a record instead'],
  ])('of a function %s', async (type, named, advice) => {
    const things = `interface things { resource thing; go: ${type}; }`;
    const reason = await reasonOf(`package a:b; ${things} world w { export things; }`);
    expect(reason).toContain(`go of a:b/things: it takes or gives ${named}; `);
    expect(reason).toContain(advice);
  });

  it('has nothing against what is served', async () => {
    expect(await reasonOf('package a:b; world w { export go: func(a: stream<u8>); }')).toBe('');
  });
});
