import { fs, paths } from '@cuervo/sdk';

/** Where the walk before ended, where that was not its end. */
export function walkEnd(): { truncated?: string } {
  const end = fs.unsearched();
  if (end === undefined) return {};
  const path = paths.shown(end.path);
  if (end.reason === 'depth') return { truncated: `the folders below ${path} are too deep` };
  if (end.reason === 'names') return { truncated: `not all names of ${path} were looked at` };
  const why =
    end.reason === 'time'
      ? 'it ran out of time (a slow disk or a large tree)'
      : 'there are more entries than one walk gives';
  return { truncated: `the walk ended at ${path}: ${why}; name a folder as path` };
}

/** Text to add after a count if the walk did not see everything. */
export function notAll(end: { truncated?: string }): string {
  return end.truncated === undefined ? '' : ', and not all was looked at';
}
