import { type FileChange, linkMode } from '../../contracts/file-changes.ts';
import type { Walked } from './walk-root.ts';

/** A change that has not been recorded yet. */
export type Change = Omit<FileChange, 'ts'>;

/** A row, or two if another kind of file is there now. */
export function changesOf(
  at: { root: string; path: string },
  now: {
    before: Walked | undefined;
    after: Walked | undefined;
    beforeHash: string | undefined;
    afterHash: string | undefined;
  },
): Change[] {
  const { before, after } = now;
  const hashOf = (key: 'beforeHash' | 'afterHash') =>
    now[key] === undefined ? {} : { [key]: now[key] };
  if (before !== undefined && after !== undefined && before.kind === after.kind) {
    // A folder's own permissions are not put back.
    if (after.kind === 'directory') return [];
    if (now.beforeHash === now.afterHash && before.mode === after.mode) return [];
    const afterMode = before.mode === after.mode ? {} : { afterMode: after.mode };
    const hashes = { ...hashOf('beforeHash'), ...hashOf('afterHash') };
    return [{ ...at, kind: 'write', ...hashes, mode: modeOf(before), ...afterMode }];
  }
  return [
    ...(before === undefined
      ? []
      : [{ ...at, kind: 'remove' as const, ...hashOf('beforeHash'), mode: modeOf(before) }]),
    ...(after === undefined
      ? []
      : [{ ...at, kind: 'create' as const, ...hashOf('afterHash'), mode: modeOf(after) }]),
  ];
}

function modeOf({ kind, mode }: Walked): number {
  return kind === 'link' ? linkMode | 0o777 : mode;
}
