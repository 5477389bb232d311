import type { HostErrorCase } from '../contracts/tool.ts';

/**
 * A `host-error` on its way into the guest. The generated glue sends what stands in
 * `payload`; every other thrown value would trap the guest.
 */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';
  readonly payload: { tag: HostErrorCase; val: string };
  /** the system's code, e.g. `ENOTDIR`, if the error came from the system */
  readonly errno: string | undefined;

  /** @param text for people: never a host path, a stack or a secret */
  constructor(tag: HostErrorCase, text: string, errno?: string) {
    super(text);
    this.payload = { tag, val: text };
    this.errno = errno;
  }
}

const casesByCode: Readonly<Record<string, readonly [HostErrorCase, string]>> = {
  ENOENT: ['not-found', 'does not exist'],
  EACCES: ['denied', 'cannot be read by this user'],
  EPERM: ['denied', 'cannot be read by this user'],
  ERR_ACCESS_DENIED: ['denied', 'cannot be read by this process'],
  ELOOP: ['denied', 'was replaced by a link during the call'],
  ENOTDIR: ['invalid', 'is not a directory, or passes through a file'],
  EISDIR: ['invalid', 'is a directory'],
  ENXIO: ['invalid', 'is not a regular file'],
  EOPNOTSUPP: ['invalid', 'is not a regular file'],
  ENODEV: ['invalid', 'is not a regular file'],
  EAGAIN: ['invalid', 'is not a regular file'],
  ENAMETOOLONG: ['invalid', 'holds a name that is too long for its file system'],
  ESTALE: ['conflict', 'was replaced during the call'],
  EMFILE: ['io', 'could not be opened: too many open files'],
  ENFILE: ['io', 'could not be opened: too many open files'],
};

/** The `code` of an error of the operating system, else undefined. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * True for errors that concern one file, which a walk leaves out: it vanished, became a link,
 * may not be read. When the process has no descriptor left, every file would be left out.
 */
export function isLocalFailure(thrown: unknown): boolean {
  const code = errorCode(thrown);
  if (code === undefined || code.startsWith('ERR_')) return false;
  return code !== 'EMFILE' && code !== 'ENFILE';
}

/** Whether an error means that a file exists but this user may not read it. */
export function mayNotBeRead(thrown: unknown): boolean {
  return ['EACCES', 'EPERM', 'EIO'].includes(errorCode(thrown) ?? '');
}

/**
 * Any thrown value as a `HostFailure` about the guest's path. The original is left behind
 * on purpose: its text names paths of the host.
 *
 * @param shown the guest's path, quoted
 */
export function systemFailure(thrown: unknown, shown: string): HostFailure {
  if (thrown instanceof HostFailure) return thrown;
  const code = errorCode(thrown);
  const [tag, text] = casesByCode[code ?? ''] ?? ['io', `could not be read${reason(code)}`];
  return new HostFailure(tag, `path ${shown} ${text}`, code);
}

function reason(code: string | undefined): string {
  return code !== undefined && /^E[A-Z0-9]+$/.test(code) ? ` (${code})` : '';
}
