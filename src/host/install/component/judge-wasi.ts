import type { CapabilityName, Unheld } from '../../../contracts/capabilities.ts';

type Name = CapabilityName | Unheld;

/** The needs of each WASI 0.2 package, and the interfaces of it that are served. */
const served: Readonly<Record<string, { needs: readonly Name[]; interfaces: readonly string[] }>> =
  {
    cli: {
      needs: [],
      interfaces: [
        'environment',
        'exit',
        'stdin',
        'stdout',
        'stderr',
        'terminal-input',
        'terminal-output',
        'terminal-stdin',
        'terminal-stdout',
        'terminal-stderr',
      ],
    },
    clocks: { needs: ['clock'], interfaces: ['monotonic-clock', 'wall-clock', 'timezone'] },
    filesystem: { needs: ['fs', 'fs-write'], interfaces: ['types', 'preopens'] },
    http: { needs: ['http'], interfaces: ['types', 'outgoing-handler'] },
    io: { needs: [], interfaces: ['error', 'poll', 'streams'] },
    random: { needs: ['random'], interfaces: ['random', 'insecure', 'insecure-seed'] },
    sockets: {
      needs: ['network'],
      interfaces: [
        'network',
        'instance-network',
        'tcp',
        'tcp-create-socket',
        'udp',
        'udp-create-socket',
        'ip-name-lookup',
      ],
    },
  };

export type WasiImport = { packageName: string; interfaceOf: string; version: string | undefined };

/**
 * The needs of a WASI import, or the reason for refusing it. All 0.2 versions are one: with a
 * leading 0, a component model that keeps its promises only adds to the last number.
 *
 * @returns `problem`: `new` for WASI 0.3 and later, `unknown` for an unserved interface
 */
export function judgeWasi(found: WasiImport): {
  capabilities: readonly Name[];
  problem?: 'new' | 'unknown';
} {
  const known = Object.hasOwn(served, found.packageName) ? served[found.packageName] : undefined;
  const capabilities = known?.needs ?? [];
  const [major = 0, minor = 0] = (found.version ?? '').split('.').map(Number);
  if (major > 0 || minor >= 3) return { capabilities, problem: 'new' };
  const current = /^0\.2\.\d+$/.test(found.version ?? '');
  if (!current || known?.interfaces.includes(found.interfaceOf) !== true) {
    return { capabilities, problem: 'unknown' };
  }
  return { capabilities };
}
