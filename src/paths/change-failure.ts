import type { HostErrorCase } from '../contracts/tool.ts';
import { HostFailure } from './host-failure.ts';
import { errorCode, systemFailure } from './system-failure.ts';

const casesByCode: Readonly<Record<string, readonly [HostErrorCase, string]>> = {
  ENOSPC: ['limit', 'was not written: the disk is full'],
  EDQUOT: ['limit', 'was not written: the quota of the disk is used up'],
  EFBIG: ['limit', 'was not written: it is too large for its file system'],
  EACCES: ['denied', 'cannot be written by this user'],
  EPERM: ['denied', 'cannot be written by this user'],
  EROFS: ['denied', 'is on a read-only file system'],
  EXDEV: ['denied', 'leads to another file system'],
  EBUSY: ['denied', 'is in use by the system'],
  EEXIST: ['conflict', 'exists already'],
  ENOTEMPTY: ['conflict', 'is not an empty directory'],
};

/**
 * The error of a change of a file, as a `HostFailure` about the path.
 *
 * @param shown the path, quoted
 */
export function changeFailure(thrown: unknown, shown: string): HostFailure {
  const code = errorCode(thrown);
  const known = casesByCode[code ?? ''];
  if (known === undefined || thrown instanceof HostFailure) return systemFailure(thrown, shown);
  return new HostFailure(known[0], `path ${shown} ${known[1]}`, code);
}
