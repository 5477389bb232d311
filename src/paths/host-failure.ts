import type { HostErrorCase } from '../contracts/tool.ts';

/**
 * A `host-error` on its way into the guest. The generated glue sends what stands in
 * `payload`; every other thrown value would trap the guest.
 */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly payload: { tag: HostErrorCase; val: string };
  /** what the operating system called it, e.g. `ENOTDIR`, where it was the system */
  readonly errno: string | undefined;

  /** @param text for people: never a host path, a stack or a secret */
  constructor(tag: HostErrorCase, text: string, errno?: string) {
    super(text);
    this.payload = { tag, val: text };
    this.errno = errno;
  }
}
