import type { Finding } from '../../contracts/output/parse-setup.ts';
import { findSandbox, type ProgramSandbox } from '../../programs/exec/find-sandbox.ts';
import { findCgroupBase } from '../../programs/exec/process-cgroup.ts';

/**
 * Tries the sandbox that programs run in.
 *
 * @param setting `exec.sandbox` of the configuration
 */
export async function checkPrograms(setting: 'os' | 'none'): Promise<Finding> {
  return describeSandbox(await findSandbox(setting));
}

/**
 * The meaning of the current tier for programs, and how to get a better one.
 *
 * @param base where control groups can be made, as `findCgroupBase` has it
 */
export function describeSandbox(found: ProgramSandbox, base = findCgroupBase()): Finding {
  const name = 'programs';
  switch (found.tier) {
    case 'bubblewrap': {
      const nested = found.features.disableUserns
        ? ''
        : '; 0.8 or later would also forbid further namespaces';
      const memory =
        base?.holdsMemory === true
          ? 'the kernel bounds their memory'
          : 'cuervo measures their memory every 50 ms, because this session has no control group for it';
      const finding = `they run in bubblewrap, which works here; ${memory}${nested}`;
      if (found.forwarder !== undefined) return { name, status: 'ok', finding };
      return {
        name,
        status: 'warn',
        finding: `${finding}; none can reach an origin: socat is not installed`,
        fix: found.forwarderFix,
      };
    }
    case 'seatbelt':
      return {
        name,
        status: 'ok',
        finding:
          'they run in Seatbelt: a program was kept from what it may not read or write, and did what it may; they have no network and keep no caches',
      };
    case 'none':
      return {
        name,
        status: 'warn',
        finding:
          'they run without a sandbox, because exec.sandbox is "none": an allowed program reads and writes whatever you can',
        fix: 'remove sandbox = "none" from config.toml',
      };
    case 'missing':
      return { name, status: 'warn', finding: `none is run: ${found.reason}`, fix: found.fix };
  }
}
