import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostCall, HostErrorCase } from '../../src/contracts/tool.ts';
import { createFsInterface } from '../../src/fs/fs-interface.ts';
import type { FsInterface, WalkOptions } from '../../src/fs/fs-types.ts';
import { closeName, openRoot, type Way } from '../../src/paths/open-name.ts';
import { HostFailure } from '../../src/paths/system-failure.ts';

/** A directory of its own with a root `work` in it and a file outside of that. For tests. */
export type TempTree = Disposable & {
  /** the directory that holds `work` */
  outside: string;
  /** the directory of the root */
  path: string;
  roots: ReadonlyMap<string, number>;
  fs: FsInterface;
  calls: HostCall[];
  warnings: string[];
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
};

/** How names below the roots of all trees of a test file are reached; only a slow file changes it, in a process of its own. */
export let wayOfTrees: Way = 'descriptor';

export function reachTreesBy(way: Way): void {
  wayOfTrees = way;
}

/** Whether files of all trees of a test file are opened from inside of their folders; changed in the same way. */
export let entersTrees = false;

export function enterTrees(): void {
  entersTrees = true;
}

/** The folder of the process when nothing entered a tree. */
const outsideOfTrees = process.cwd();

export function openTempTree(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  isProtected?: (path: string) => boolean,
): TempTree {
  const outside = mkdtempSync(join(tmpdir(), 'fs-fixture-'));
  const path = join(outside, 'work');
  mkdirSync(path);
  writeFileSync(join(outside, 'secret.txt'), 'secret\n');
  const write: TempTree['write'] = (more) => {
    const folders = new Set(Object.keys(more).map((name) => dirname(join(path, name))));
    for (const folder of folders) mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(more)) writeFileSync(join(path, name), content);
  };
  write(files);
  const fd = openRoot(path, wayOfTrees);
  const roots = new Map([['work', fd]]);
  const calls: HostCall[] = [];
  const report = (call: HostCall) => {
    calls.push(call);
  };
  const warnings: string[] = [];
  const warn = (text: string) => {
    warnings.push(text);
  };
  const fs = createFsInterface({
    roots,
    enters: entersTrees,
    report,
    warn,
    ...(isProtected === undefined ? {} : { isProtected }),
  });
  const dispose = () => {
    closeName(fd);
    process.chdir(outsideOfTrees);
    rmSync(outside, { recursive: true, force: true });
  };
  return { outside, path, roots, fs, calls, warnings, write, [Symbol.dispose]: dispose };
}

export const wholeWalk: WalkOptions = {
  include: [],
  exclude: [],
  ignoreFiles: true,
  hidden: false,
  limit: 100_000,
};

/** The `host-error` that a call ends in. */
export function failureOf(run: () => unknown): { tag: HostErrorCase; val: string } {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof HostFailure) return thrown.payload;
    throw thrown;
  }
  throw new Error('the call succeeded');
}
