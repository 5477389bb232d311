import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { expect } from 'vitest';
import { KernelError } from '../../src/contracts/error.ts';
import { readBinary } from '../../src/host/install/component/read-component.ts';
import type { Ran } from '../support/run-cuervo.ts';
import { adder } from './guests/trapper/guest.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, put, usePlace } from './support/place.ts';
import { watPackage } from './support/wat-plugin.ts';

const place = usePlace({});
const file = (name: string, bytes: Uint8Array): string => put(place.dir, name, bytes);

type Report = { verdict: string; reasons: string[]; kind: string };

async function inspect(path: string): Promise<Ran & { report: Report }> {
  const ran = await place.cuervo(['plugin', 'inspect', path, '--json']);
  return { ...ran, report: ran.events[0] as unknown as Report };
}

/** Numbers that are the same each time, so that a failure can be seen again (xorshift32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function flipped(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = next(copy.length);
  copy[at] = (copy[at] as number) ^ (1 << next(8));
  return copy;
}

/** Reads it to a shape or to a fault of the plugin; anything else is a hole. */
function outcomeOf(bytes: Uint8Array): 'read' | 'fault' {
  try {
    readBinary(bytes);
    return 'read';
  } catch (thrown) {
    if (thrown instanceof KernelError && thrown.code === 'plugin-fault') return 'fault';
    throw thrown;
  }
}

const nextGoodIsInstalled = async (): Promise<void> => {
  await place.install(await adder(10));
  expect(expectSuccess(await place.run('adder.go', {}))).toEqual(expect.any(Number));
};

escapeCase('malformed and truncated binaries', {
  denied: [
    [
      'text, an empty file, half a header, an unknown version: refused with exit 6',
      async () => {
        const cases: [string, Uint8Array, RegExp][] = [
          ['text.wasm', Buffer.from('#!/bin/sh\nexit 0\n'), /begins with/],
          ['empty.wasm', Buffer.alloc(0), /empty/],
          ['short.wasm', Buffer.from([0, 97, 115, 109]), /truncated/],
          ['version.wasm', Buffer.from([0, 97, 115, 109, 9, 0, 9, 0]), /unknown version/],
        ];
        for (const [name, bytes, says] of cases)
          await expectRefused(place, file(name, bytes), says);
      },
    ],
    [
      'a component cut at every one of two thousand places',
      async () => {
        const whole = readFileSync(await buildGuest('mixer'));
        const next = numbers(0x5eed);
        for (let round = 0; round < 2000; round += 1) {
          expect(outcomeOf(whole.subarray(0, next(whole.length)))).toMatch(/read|fault/);
        }
        await expectRefused(place, file('half.wasm', whole.subarray(0, whole.length >> 1)), /./);
        await expectRefused(place, file('last.wasm', whole.subarray(0, whole.length - 1)), /./);
      },
    ],
  ],
  control: ['the next good file is installed and runs', nextGoodIsInstalled],
});

escapeCase('bit-flipped binaries', {
  denied: [
    [
      'two thousand flips in a plugin of its own engine, two thousand in a small one',
      async () => {
        const next = numbers(0xf11b);
        for (const path of [await buildGuest('mixer'), await adder(10)]) {
          const bytes = readFileSync(path);
          const seen = { read: 0, fault: 0 };
          for (let round = 0; round < 2000; round += 1) seen[outcomeOf(flipped(bytes, next))] += 1;
          expect(seen.read + seen.fault).toBe(2000);
          // Most of the small one is structure, most of the other is code that nobody reads here.
          expect(seen.read).toBeGreaterThan(100);
        }
      },
    ],
    [
      'thirty through the whole command: a report, and exit 0 or 6',
      async () => {
        const bytes = readFileSync(await adder(10));
        const next = numbers(0xc0de);
        const paths = Array.from({ length: 30 }, (_, index) =>
          file(`flip-${index}.wasm`, flipped(bytes, next)),
        );
        const exits: (number | null)[] = [];
        const inspectAll = async (): Promise<void> => {
          for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
            const { exitCode, report, stderr } = await inspect(path);
            expect(report, stderr).toBeDefined();
            expect(exitCode).toBe(report.verdict === 'refused' ? 6 : 0);
            expect(report.verdict === 'refused').toBe(report.reasons.length > 0);
            exits.push(exitCode);
          }
        };
        await Promise.all([inspectAll(), inspectAll(), inspectAll()]);
        expect(exits.length).toBe(30);
        expect(exits).toContain(6);
      },
    ],
  ],
  control: ['the next good file is installed and runs', nextGoodIsInstalled],
});

escapeCase('what is not a component', {
  denied: [
    [
      'a core module, which would show an empty label, is refused with exit 6',
      async () => {
        const bytes = await parse('(module (func (export "run")))');
        await expectRefused(place, file('module.wasm', bytes), /core module, not a component/);
        expect((await inspect(join(place.dir, 'module.wasm'))).report).toMatchObject({
          kind: 'module',
        });
      },
    ],
    [
      'a WIT package, at which readers panic',
      async () =>
        void (await expectRefused(place, file('package.wasm', await watPackage()), /WIT package/)),
    ],
    [
      'a hundred megabytes of zeros, refused by size before they are read',
      async () => {
        const path = file('zeros.wasm', Buffer.alloc(0));
        const fd = openSync(path, 'r+');
        ftruncateSync(fd, 100_000_000);
        closeSync(fd);
        await expectRefused(place, path, /100000000 bytes, limit 67108864/);
      },
    ],
    [
      'an empty component offers no tool',
      async () => {
        const bytes = Buffer.from([0, 97, 115, 109, 13, 0, 1, 0]);
        await expectRefused(
          place,
          file('nothing.wasm', bytes),
          /offers no tool|no code to run|manifest/,
        );
      },
    ],
  ],
  control: ['the next good file is installed and runs', nextGoodIsInstalled],
});
