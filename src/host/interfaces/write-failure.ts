import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { changeFailure } from '../../paths/change-failure.ts';
import { showPath } from '../../paths/parse-path.ts';

/** An error of a write, for the guest; errors of the kernel pass unchanged. */
export function writeFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof KernelError || thrown instanceof ServiceError) return thrown;
  const { payload } = changeFailure(thrown, showPath(path));
  return new ServiceError(payload.tag, payload.val, path.toWellFormed());
}
