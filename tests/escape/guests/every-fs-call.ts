import type { fs as Fs } from '@cuervo/sdk';
import { attempt, type Outcome } from './attempt.ts';

/** Every call of `fs` that takes a path, with options that leave nothing out. */
export function everyFsCall(fs: typeof Fs, path: string): Outcome[] {
  const walk = { hidden: true, ignoreFiles: false };
  return [
    attempt('stat', path, () => fs.stat(path)),
    attempt('read-text', path, () => fs.readText(path)),
    attempt('read-many', path, () =>
      fs.readMany([path]).map(({ value, error }) => {
        if (error !== undefined) throw error;
        return value;
      }),
    ),
    attempt('stat-many', path, () =>
      fs.statMany([path]).map(({ value, error }) => {
        if (error !== undefined) throw error;
        return value;
      }),
    ),
    attempt('read-bytes', path, () => String.fromCharCode(...fs.readBytes(path, 0, 4096))),
    attempt('list-dir', path, () => fs.listDir(path)),
    attempt('walk', path, () => fs.walk(path, walk)),
    attempt('scan', path, () => fs.scan(path, { pattern: '.', walk })),
    attempt('tally', path, () => fs.tally(path, { words: ['outside', 'inside'], walk })),
  ];
}
