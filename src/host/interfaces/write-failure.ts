import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import type { HostErrorCase } from '../../contracts/tool.ts';
import { HostFailure } from '../below/host-failure.ts';
import { showPath } from '../below/parse-path.ts';
import { errorCode, systemFailure } from '../below/system-failure.ts';

const casesByCode: Readonly<Record<string, readonly [HostErrorCase, string]>> = {
  ENOSPC: ['limit', 'was not written: the disk is full'],
  EDQUOT: ['limit', 'was not written: the quota of the disk is used up'],
  EFBIG: ['limit', 'was not written: it is too large for its file system'],
  EACCES: ['denied', 'may not be written by this user'],
  EPERM: ['denied', 'may not be written by this user'],
  EROFS: ['denied', 'is on a file system that is read-only'],
  EXDEV: ['denied', 'leads to another file system'],
  EBUSY: ['denied', 'is in use by the system'],
  EEXIST: ['conflict', 'exists already'],
  ENOTEMPTY: ['conflict', 'is a directory that is not empty'],
};

/** What a write threw, for the guest; errors of the kernel stay as they are. */
export function writeFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof KernelError || thrown instanceof ServiceError) return thrown;
  const shown = showPath(path);
  const known = casesByCode[errorCode(thrown) ?? ''];
  const { payload } =
    known === undefined || thrown instanceof HostFailure
      ? systemFailure(thrown, shown)
      : new HostFailure(known[0], `path ${shown} ${known[1]}`);
  return new ServiceError(payload.tag, payload.val, path.toWellFormed());
}
