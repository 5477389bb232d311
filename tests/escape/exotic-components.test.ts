import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';
import { insertIntoComponent, type WatPlugin, watGuest } from './support/wat-plugin.ts';

const place = usePlace({});
const one = '(call $ok-number (i32.const 1))';
const guest = (more: Partial<WatPlugin>): Promise<string> =>
  watGuest({ name: 'exotic', call: one, ...more });

/** A component with a core module that calls a built-in of the component model as it starts. */
const calling = (type: string, builtin: string, call: string): Promise<string> =>
  insertIntoComponent(
    { name: 'exotic', call: one },
    `${builtin}
    (core module $m (import "" "f" (func $f ${type})) (func $s ${call}) (start $s))
    (core instance $i (instantiate $m (with "" (instance (export "f" (func $b))))))`,
  );

/** It is refused, or its call ends as a fault of the plugin, or with 1: nothing else happens. */
async function expectHarmless(forms: Readonly<Record<string, Promise<string>>>): Promise<void> {
  const ends: Record<string, unknown> = {};
  for (const [name, file] of Object.entries(forms)) {
    const path = await file;
    const installed = await place.cuervo([
      'plugin',
      'install',
      path,
      '--replace',
      '--yes',
      '--json',
    ]);
    if (installed.exitCode === 0) {
      const ran = await place.run('exotic.go', {}, { allow: [] });
      ends[name] = ran.error?.code ?? ran.result?.content;
    } else ends[name] = installed.error?.code;
  }
  const names = Object.keys(forms);
  expect(names.length).toBeGreaterThan(0);
  expect(Object.entries(ends).filter(([, end]) => end !== '1' && end !== 'plugin-fault')).toEqual(
    [],
  );
  expect(Object.keys(ends)).toEqual(names);
}

const imports = '(import "cuervo:host/log@0.1.0" "write" (func $log (param i32 i32 i32)))';
/** A level that does not exist, and a text that lies outside of the memory. */
const wrong = [
  '(call $log (i32.const 9) (i32.const 0) (i32.const 1))',
  '(call $log (i32.const 0) (i32.const 0x7ffffff0) (i32.const 100))',
];
escapeCase('components of rare forms', {
  denied: [
    [
      'garbage collected arrays without an end are not memory beside the limits',
      async () => {
        const array = '(type $a (array (mut i64)))';
        const list = '(rec (type $l (struct (field (ref null $l)) (field (ref $a)))))';
        await expectHarmless({
          'one giant array': guest({
            fields: array,
            call: `(drop (array.new_default $a (i32.const 0x7fffffff))) ${one}`,
          }),
        });
        const file = await guest({
          fields: `${array} ${list} (global $all (mut (ref null $l)) (ref.null $l))`,
          call: `(loop $more (global.set $all (struct.new $l (global.get $all)
            (array.new $a (i64.const 1) (i32.const 100000)))) (br $more)) (unreachable)`,
        });
        const { error } = await installAndGo(place, file, 'exotic');
        expect(error?.code).toMatch(/^(?:resource-exhausted|plugin-fault)$/);
      },
    ],
    [
      'a second memory is refused, and so are exceptions of its own',
      async () => {
        await expectRefused(place, await guest({ fields: '(memory $m 1)' }), /multiple memories/);
        const own = await guest({ fields: '(tag $e)', call: `(throw $e)` });
        await expectRefused(place, own, /exceptions proposal/);
      },
    ],
    [
      'who catches what its own wrong calls throw gains nothing, and ends with its deadline',
      async () => {
        const caught = wrong.map((write) => `(block $h (try_table (catch_all $h) ${write}))`);
        const goesOn = await guest({ wants: ['log'], imports, call: `${caught.join(' ')} ${one}` });
        const ran = await installAndGo(place, goesOn, 'exotic');
        expect(ran.error?.code ?? ran.result?.content).toMatch(/^(?:1|plugin-fault)$/);
        expect(ran.events.filter(({ type }) => type === 'log')).toEqual([]);
        const call = `(loop $on (block $h (try_table (catch_all $h) ${wrong[0]})) (br $on)) (unreachable)`;
        const endless = await guest({ wants: ['log'], imports, call });
        const { error } = await installAndGo(place, endless, 'exotic', {
          args: ['--timeout', '3'],
        });
        expect(error?.code).toBe('deadline-exceeded');
      },
    ],
    [
      'atomics wait for nobody, and no thread is started',
      async () => {
        await expectHarmless({
          'wait for ever': guest({
            call: `(drop (memory.atomic.wait32 (i32.const 64) (i32.const 0) (i64.const -1))) ${one}`,
          }),
          thread: insertIntoComponent(
            { name: 'exotic', call: one },
            '(core type $t (shared (func (param i32)))) (core func (canon thread.spawn-ref $t))',
          ),
          yield: calling('(result i32)', '(core func $b (canon thread.yield))', '(drop (call $f))'),
        });
      },
    ],
    [
      'built-ins of asynchronous calls do nothing where nobody waits',
      async () => {
        await expectHarmless({
          backpressure: calling('', '(core func $b (canon backpressure.inc))', '(call $f)'),
          'waitable set': calling(
            '(result i32)',
            '(core func $b (canon waitable-set.new))',
            '(drop (call $f))',
          ),
          subtask: calling(
            '(param i32)',
            '(core func $b (canon subtask.drop))',
            '(call $f (i32.const -1))',
          ),
        });
      },
    ],
  ],
  control: [
    'tail calls, structs, references and vectors are taken as they are',
    async () => {
      const file = await guest({
        fields: `(type $f (func (result i32))) (type $s (struct (field i32)))
          (func $t (result i32) (return_call $u)) (func $u (type $f) (i32.const 1))
          (elem declare func $u)`,
        call: `(call $ok-number (i32.mul (call $t) (i32.mul (call_ref $f (ref.func $u))
          (i32.mul (struct.get $s 0 (struct.new $s (i32.const 1)))
            (i32x4.extract_lane 0 (i32x4.splat (i32.const 1)))))))`,
      });
      expect(expectSuccess(await installAndGo(place, file, 'exotic'))).toBe(1);
    },
  ],
});
