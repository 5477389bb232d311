import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { toolErrorCodes } from '../../contracts/tool.ts';
import { ProgramRefused } from '../../programs/exec/find-program.ts';

/** Whatever went wrong, as a caller of a tool is told. */
export function serverError(name: string, thrown: unknown): unknown {
  if (thrown instanceof KernelError) return thrown;
  if (thrown instanceof ServiceError || thrown instanceof ProgramRefused) {
    const { tag, message, hint } = thrown;
    const code =
      tag === 'io' ? 'unavailable' : tag === 'invalid' ? 'invalid-argument' : toolErrorCodes[tag];
    return new KernelError(code, `MCP server ${name}: ${message}`, {
      cause: thrown,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return KernelError.from(thrown, 'internal');
}
