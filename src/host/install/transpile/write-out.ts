import { writeSync } from 'node:fs';

/** All of the bytes to standard output, which may be a pipe that is full for a moment. */
export function writeOut(bytes: Uint8Array): void {
  let sent = 0;
  while (sent < bytes.byteLength) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
    }
  }
}
