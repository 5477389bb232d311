import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ConfinedLaunch, ConfinedProgram } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import { isBelow } from '../lib/files/paths.ts';
import {
  closedFlags,
  closedFlagsOfNative,
  lockDownFile,
  lockDownOfNative,
} from './engine-flags.ts';
import { type Bubblewrap, confinement, node } from './launch-bubblewrap.ts';

const codePlace = '/program';
const filesPlace = '/files';
const packagesPlace = '/packages';
const writtenPlace = '/written';
const lockPlace = '/lock-down.cjs';

/** Native code that comes with packages looks there for the C library that it was loaded with. */
const ownMaps = '/proc/self/maps';

/** A program in the sandbox of plugin processes, without a root. */
export function confineInBubblewrap(
  wrap: Bubblewrap,
  program: ConfinedProgram,
  firstInherited: number,
): ConfinedLaunch {
  const inherited: Buffer[] = [];
  const inherit = (bytes: Buffer): string => String(firstInherited + inherited.push(bytes) - 1);
  const { base, code } = ownCode(program);
  const { folder, files = [] } = program.reads ?? {};
  const places = new Map<string, string>(
    program.packages?.map((path, index) => [path, `${packagesPlace}/${index}/node_modules`]),
  );
  if (folder !== undefined) places.set(folder, filesPlace);
  const { writes } = program;
  if (writes !== undefined) places.set(writes, writtenPlace);
  const find = (path: string): string => {
    for (const [outside, inside] of places) {
      if (path === outside || isBelow(path, outside)) return inside + path.slice(outside.length);
    }
    return codePlace + path.slice(base.length);
  };
  const read = [...code, ...files.map((file) => join(folder ?? '', file))];
  const libraries = program.isNative === true ? foldersOf(wrap.libraries) : wrap.libraries;
  const options = [
    ...confinement({ ...wrap, libraries }, inherit),
    ...read.flatMap((path) => ['--ro-bind', path, find(path)]),
    ...(writes === undefined ? [] : ['--bind', writes, writtenPlace]),
    ...['--ro-bind', lockOf(program), lockPlace],
    ...Object.entries(environmentOf(program)).flatMap((pair) => ['--setenv', ...pair]),
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
  const vector = vectorOf(program, { find, code, read, lock: lockPlace });
  return {
    program: wrap.program,
    args: ['--args', inherit(Buffer.from(`${options.join('\0')}\0`)), '--', node, ...vector],
    env: {},
    inherited,
    find,
  };
}

/** A program under the permission model of Node alone. */
export function confinePlainly(program: ConfinedProgram): ConfinedLaunch {
  const { code } = ownCode(program);
  const { folder = '', files = [] } = program.reads ?? {};
  const read = [...code, ...files.map((file) => join(folder, file))];
  const starred = read.find((path) => path.includes('*'));
  if (starred !== undefined) {
    const message = `${starred} cannot be read in a process of its own: Node takes "*" in a path that may be read for anything`;
    throw new KernelError('invalid-argument', message, { hint: 'Rename it.' });
  }
  const find = (path: string): string => path;
  return {
    program: process.execPath,
    args: vectorOf(program, { find, code, read, lock: lockOf(program) }),
    env: environmentOf(program),
    inherited: [],
    find,
  };
}

/**
 * Runs before the program and closes ways that the permission model does not check. The strict one
 * lets a program load nothing, so it is for programs without packages.
 */
function lockOf({ isNative = false, packages = [] }: ConfinedProgram): string {
  return isNative || packages.length > 0 ? lockDownOfNative() : lockDownFile();
}

/** Packages ask for a home as they are loaded; they write nothing there. */
function environmentOf({ isNative = false }: ConfinedProgram): Record<string, string> {
  return isNative ? { HOME: '/' } : {};
}

function vectorOf(
  { entry, args = [], flags, packages = [], isNative = false }: ConfinedProgram,
  {
    find,
    code,
    read,
    lock,
  }: { find(path: string): string; code: string[]; read: string[]; lock: string },
): string[] {
  const isFolder = (path: string): boolean => code.includes(path) && basename(path) !== manifest;
  return [
    '--permission',
    ...(isNative ? closedFlagsOfNative : closedFlags),
    `--allow-fs-read=${lock}`,
    ...['--require', lock],
    ...(isNative ? ['--allow-addons', `--allow-fs-read=${ownMaps}`] : []),
    ...read.map((path) => `--allow-fs-read=${find(path)}${isFolder(path) ? '/*' : ''}`),
    ...flags,
    find(entry),
    ...args,
    ...packages.map(find),
  ];
}

const manifest = 'package.json';

/** The folder of a bundle, the manifest above it, which says how to read it, and its packages. */
function ownCode({ entry, packages = [] }: ConfinedProgram): { base: string; code: string[] } {
  const folder = dirname(entry);
  const base = dirname(folder);
  const above = join(base, manifest);
  const code = [folder, ...(existsSync(above) ? [above] : []), ...packages];
  return { base: base === '/' ? '' : base, code };
}

/** Libraries of packages lie in the same folders as Node's own. */
function foldersOf(libraries: readonly string[]): string[] {
  return [...new Set(libraries.map((path) => dirname(path)))];
}
