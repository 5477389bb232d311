import { chmodSync, openSync, renameSync, rmSync, statSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createContentGate } from '../../src/contracts/content-gate.ts';
import { type FoundProgram, findProgram } from '../../src/programs/exec/find-program.ts';
import { findSandbox } from '../../src/programs/exec/find-sandbox.ts';
import { defaultExecLimits } from '../../src/programs/exec/launch-scripts.ts';
import { planLaunch } from '../../src/programs/exec/plan-launch.ts';
import { runLaunch } from '../../src/programs/exec/run-launch.ts';
import { createSurveyor } from '../../src/programs/exec/survey-root.ts';
import { programDigest } from '../../src/programs/lookup/look-up-program.ts';
import { escapeCase } from './support/escape-case.ts';
import { clear, put, usePlace } from './support/place.ts';
import { whileSwapping } from './support/while-swapping.ts';

const place = usePlace({});
const tier = await findSandbox('os');
const needs = {
  file: 'bubblewrap with --bind-fd (0.10, or an older one that got it)',
  install: 'sudo apt-get install bubblewrap',
  isThere: () => tier.tier === 'bubblewrap' && tier.features.bindFd,
};
const survey = createSurveyor(createContentGate({}).isProtected);
const starts = 100;
// A machine where one side of the swap is seldom caught gets more tries before the test fails.
const mostMs = 40_000;

/** Two names to swap, made anew so that the test can be tried again. */
function putPair(name: string, other: string, target: string, file = name): void {
  clear(place.work, name, other);
  put(place.work, file, 'side-inside\n');
  symlinkSync(join(place.outside, target), join(place.work, other));
}

/**
 * What a program prints that is surveyed for and started like any other.
 *
 * @param planned runs after the program was planned, before it starts
 */
async function outputOf(
  name: string,
  args: string[],
  folder = place.work,
  program = findProgram(name, []),
  planned = (): void => undefined,
): Promise<string> {
  if (tier.tier === 'missing') throw new Error(tier.reason);
  using launch = planLaunch(tier, {
    ...{ program, args, at: { root: 'work', segments: [] } },
    roots: [{ name: 'work', folder, survey: await survey('work', folder) }],
    ...{
      readOnly: false,
      caches: [],
      writesRepositories: false,
      attributes: { everywhere: '', info: '' },
    },
    ...{ home: place.home, masks: join(place.home, 'sandbox') },
    limits: defaultExecLimits,
  });
  planned();
  const { stdout } = await runLaunch(launch, {
    ...{ shown: name, stdin: undefined, timeoutMs: 20_000, maxOutputBytes: 10_000 },
    limits: defaultExecLimits,
    signal: new AbortController().signal,
  });
  return stdout;
}

/**
 * Writes a file anew wherever it is by now: bubblewrap empties one that comes back while it makes the
 * place for its mount.
 */
function refiller(path: string): () => void {
  if (statSync(path).isDirectory()) return () => {};
  const descriptor = openSync(path, 'r+');
  return () => void writeSync(descriptor, 'side-inside\n', 0);
}

const isPast = (end: number): boolean => performance.now() > end;

/** A start that fails is as good as one that shows what is inside. */
async function expectNothingOutside(
  pair: readonly [name: string, other: string],
  shown: string,
  folder?: string,
): Promise<void> {
  const names = pair.map((name) => join(place.work, name));
  const refill = refiller(names[0] as string);
  const count = { inside: 0, refused: 0 };
  await whileSwapping(names, async () => {
    const seenBoth = () => count.inside > 0 && count.refused > 0;
    const end = performance.now() + mostMs;
    for (let start = 0; start < starts || !(seenBoth() || isPast(end)); start += 1) {
      refill();
      const text = await outputOf('cat', [shown], folder).catch(() => 'refused');
      expect(text).not.toContain(place.secret);
      if (text === 'side-inside\n') count.inside += 1;
      else count.refused += 1;
    }
  });
  // Both were really there while programs started: the file and the link.
  expect(count.inside).toBeGreaterThan(0);
  expect(count.refused).toBeGreaterThan(0);
}

escapeCase('name swapped while a program starts', {
  needs,
  denied: [
    [
      'what names a repository and becomes a link shows nothing from outside',
      async () => {
        putPair('raced/.git', 'raced/link', 'secret.txt');
        await expectNothingOutside(['raced/.git', 'raced/link'], 'raced/.git');
      },
    ],
    [
      'nor does a file that no program writes',
      async () => {
        putPair('fixed/cuervo.toml', 'fixed/link', 'secret.txt');
        await expectNothingOutside(['fixed/cuervo.toml', 'fixed/link'], 'fixed/cuervo.toml');
      },
    ],
    [
      'nor does the root itself',
      async () => {
        putPair('root', 'link', '', 'root/secret.txt');
        await expectNothingOutside(['root', 'link'], 'secret.txt', join(place.work, 'root'));
      },
    ],
    [
      'nor does a root that becomes a link once it is looked at',
      async () => {
        const folder = join(place.work, 'late');
        clear(place.work, 'late', 'moved');
        put(place.work, 'late/secret.txt', 'side-inside\n');
        const becomesLink = (): void => {
          renameSync(folder, join(place.work, 'moved'));
          symlinkSync(place.outside, folder);
        };
        const shown = outputOf('cat', ['secret.txt'], folder, findProgram('cat', []), becomesLink);
        expect(await shown).toBe('side-inside\n');
      },
    ],
    [
      'and no descriptor of what is mounted is left to the program',
      async () => {
        put(place.work, 'calm/.git', 'side-inside\n');
        const listed = await outputOf('ls', ['-l', '/proc/self/fd']);
        const targets = [...listed.matchAll(/ -> (.*)$/gm)].map(([, target]) => target);
        expect(targets.length).toBeGreaterThan(3);
        const harmless = /^(?:\/dev\/null$|pipe:|socket:|\/proc\/)/;
        expect(targets.filter((target) => !harmless.test(target ?? ''))).toEqual([]);
      },
    ],
  ],
  control: [
    'what stays is shown each time',
    async () => {
      put(place.work, 'calm/.git', 'side-inside\n');
      put(place.work, 'calm/cuervo.toml', 'side-inside\n');
      for (const path of ['calm/.git', 'calm/cuervo.toml'])
        expect(await outputOf('cat', [path])).toBe('side-inside\n');
    },
  ],
});

/** A program of the workspace that says a word, as it is found. */
function script(path: string, word: string): FoundProgram {
  const real = put(place.work, path, `#!/bin/sh\necho ${word}\n`);
  chmodSync(real, 0o755);
  const below = { root: 'work', path };
  const own = { from: 'workspace' as const, sha256: programDigest(real), below, standsIn: false };
  return { path: real, real, replaceable: true, own };
}

const start = (program: FoundProgram): Promise<string> => outputOf('tool', [], place.work, program);

escapeCase('program of the workspace that is replaced before it starts', {
  needs,
  denied: [
    'another file, other words in it, a link and nothing in its place are not what was allowed',
    async () => {
      const other = script('started/other', 'swapped').real;
      for (const [at, replace] of [
        (path: string) => renameSync(script('started/third', 'swapped').real, path),
        (path: string) => void script(path.slice(place.work.length + 1), 'swapped'),
        (path: string) => {
          rmSync(path);
          symlinkSync(other, path);
        },
        (path: string) => rmSync(path),
      ].entries()) {
        const found = script(`started/tool-${at}`, 'allowed');
        replace(found.real);
        await expect(start(found), String(at)).rejects.toMatchObject({
          tag: 'conflict',
          message: expect.stringContaining('changed before it was started'),
        });
      }
    },
  ],
  control: [
    'one that stays is started',
    async () => expect(await start(script('started/tool', 'allowed'))).toBe('allowed\n'),
  ],
});
