import type { HostErrorCase } from '../../contracts/tool.ts';
import { errorCode, HostFailure, systemFailure } from '../../paths/system-failure.ts';
import { StreamFault } from '../io/create-io.ts';
import { WasiFailure } from '../resource.ts';

/** The cases of `wasi:filesystem/types.error-code` that are given here. */
export type FilesystemCode =
  | 'access'
  | 'bad-descriptor'
  | 'busy'
  | 'cross-device'
  | 'exist'
  | 'file-too-large'
  | 'illegal-byte-sequence'
  | 'insufficient-memory'
  | 'invalid'
  | 'io'
  | 'is-directory'
  | 'loop'
  | 'name-too-long'
  | 'no-entry'
  | 'not-directory'
  | 'not-empty'
  | 'not-permitted'
  | 'quota'
  | 'unsupported';

const byErrno: Readonly<Record<string, FilesystemCode>> = {
  ENOENT: 'no-entry',
  EPERM: 'not-permitted',
  ENOTDIR: 'not-directory',
  EISDIR: 'is-directory',
  ELOOP: 'loop',
  ENAMETOOLONG: 'name-too-long',
  EMFILE: 'insufficient-memory',
  ENFILE: 'insufficient-memory',
};

const byCase: Readonly<Record<HostErrorCase, FilesystemCode>> = {
  denied: 'access',
  'not-found': 'no-entry',
  invalid: 'invalid',
  limit: 'quota',
  timeout: 'io',
  conflict: 'exist',
  io: 'io',
};

/** An error of the file system, as the functions here throw it. */
export function failWith(code: FilesystemCode): WasiFailure {
  return new WasiFailure(code);
}

/** A limit of ours: the guest gets the code, whoever asks why it failed gets the words. */
export class LimitReached extends WasiFailure {
  /** @param text which limit, and the number */
  constructor(code: FilesystemCode, text: string) {
    super(code);
    this.message = text;
  }
}

/** Told of each refusal, before the guest is. */
export type Refusals = {
  onDenied(failure: HostFailure): void;
  /** @param text which limit of ours was reached */
  onLimit(text: string): void;
};

/**
 * Runs a function of the file system; what the host refuses becomes an error code. Anything
 * else, such as an argument of a wrong type, traps the guest.
 *
 * @param options.conflict what a `conflict` of the kernel means for this function
 */
export function guarded<T>(run: () => T, options: Refusals & { conflict?: FilesystemCode }): T {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof LimitReached) options.onLimit(thrown.message);
    const failure = asHostFailure(thrown);
    if (failure === undefined) throw thrown;
    // Links in a circle lead nowhere: no grant would open a way.
    if (failure.payload.tag === 'denied' && failure.errno !== 'ELOOP') options.onDenied(failure);
    throw failWith(codeOf(failure, options.conflict ?? 'exist'));
  }
}

/** As `guarded`, for errors behind a stream. */
export function guardedStream<T>(run: () => T, { onLimit }: Pick<Refusals, 'onLimit'>): T {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof LimitReached) onLimit(thrown.message);
    if (thrown instanceof WasiFailure) throw streamFault(String(thrown.payload));
    const failure = asHostFailure(thrown);
    if (failure === undefined) throw thrown;
    throw streamFault(codeOf(failure, 'busy'), failure.message);
  }
}

function streamFault(filesystem: string, text = filesystem): StreamFault {
  return new StreamFault({ text, filesystem });
}

function asHostFailure(thrown: unknown): HostFailure | undefined {
  if (thrown instanceof HostFailure) return thrown;
  const code = errorCode(thrown);
  const ofSystem = code === 'ERR_ACCESS_DENIED' || /^E[A-Z0-9]+$/.test(code ?? '');
  return ofSystem ? systemFailure(thrown, 'of the guest') : undefined;
}

function codeOf({ payload, errno }: HostFailure, conflict: FilesystemCode): FilesystemCode {
  if (payload.tag === 'conflict') return conflict;
  return byErrno[errno ?? ''] ?? byCase[payload.tag];
}
