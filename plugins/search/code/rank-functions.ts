import type { fs } from '@cuervo/sdk';
import { leftOut } from '../left-out.ts';
import { codeGlobs } from './code-family.ts';
import { codeReader } from './code-reader.ts';
import { type FunctionSize, measureFunctions } from './measure-functions.ts';

/** Files that are read: a call has a limited number of host calls. */
const maxFiles = 800;

export type FunctionSizes = {
  /** the most complex first */
  functions: FunctionSize[];
  total: number;
  files: number;
  cut?: string;
};

/** The functions below a place, the most complex or the longest first. */
export function rankFunctions(
  host: Pick<typeof fs, 'walk' | 'readText' | 'readAnyText' | 'stat'>,
  wish: { place: string; limit: number; by?: 'complexity' | 'lines' | undefined },
): FunctionSizes {
  const isFile = host.stat(wish.place).kind === 'file';
  const found = isFile
    ? [wish.place]
    : host
        .walk(wish.place, { include: [...codeGlobs], limit: maxFiles + 1 })
        .map(({ path }) => path);
  const paths = found.slice(0, maxFiles);
  const reader = codeReader(host);
  const functions = paths.flatMap((path) => {
    const file = reader.readFound(path);
    return file === undefined ? [] : measureFunctions(file);
  });
  functions.sort((one, other) =>
    wish.by === 'lines'
      ? other.lines - one.lines || other.cyclomatic - one.cyclomatic
      : other.cyclomatic - one.cyclomatic || other.lines - one.lines,
  );
  const cuts = [
    ...(functions.length > wish.limit ? [`${functions.length - wish.limit} more functions`] : []),
    ...(found.length > maxFiles ? [`files behind the first ${maxFiles}`] : []),
    ...reader.cuts(),
  ];
  return {
    functions: functions.slice(0, wish.limit),
    total: functions.length,
    files: paths.length,
    ...leftOut(cuts, ', ', '; give a narrower path'),
  };
}
