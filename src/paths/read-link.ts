import { readlinkSync } from 'node:fs';
import { atName } from './open-name.ts';
import { errorCode } from './system-failure.ts';

/** Text of the link under a name of an open directory; undefined for anything else. */
export function readLink(directoryFd: number, name: string): Buffer | undefined {
  try {
    return atName(directoryFd, name, (at) => readlinkSync(at, { encoding: 'buffer' }));
  } catch (thrown) {
    const code = errorCode(thrown);
    if (code === 'EINVAL' || code === 'ENOENT') return undefined;
    throw thrown;
  }
}
