import type { CapabilityName, Unheld } from '../../../contracts/capabilities.ts';

type Name = CapabilityName | Unheld;

/** The needs of each WASI package, and the interfaces of it that are served, in 0.2 and in 0.3. */
export const servedWasi: Readonly<Record<string, { needs: readonly Name[] } & Interfaces>> = {
  cli: {
    needs: [],
    both: [
      ...['environment', 'exit', 'stdin', 'stdout', 'stderr', 'terminal-input'],
      ...['terminal-output', 'terminal-stdin', 'terminal-stdout', 'terminal-stderr'],
    ],
    newer: ['types'],
  },
  clocks: {
    needs: ['clock'],
    both: ['monotonic-clock'],
    older: ['wall-clock', 'timezone'],
    newer: ['system-clock', 'types'],
  },
  filesystem: { needs: ['fs', 'fs-write'], both: ['types', 'preopens'] },
  http: { needs: ['http'], both: ['types'], older: ['outgoing-handler'], newer: ['client'] },
  io: { needs: [], older: ['error', 'poll', 'streams'] },
  random: { needs: ['random'], both: ['random', 'insecure', 'insecure-seed'] },
  sockets: {
    needs: ['network'],
    older: [
      ...['network', 'instance-network', 'tcp', 'tcp-create-socket', 'udp'],
      ...['udp-create-socket', 'ip-name-lookup'],
    ],
  },
};

type Interfaces = Partial<Record<'both' | 'older' | 'newer', readonly string[]>>;

export type WasiImport = { packageName: string; interfaceOf: string; version: string | undefined };

/**
 * The needs of a WASI import, or the reason for refusing it. All 0.2 versions are one, and all of 0.3:
 * with a leading 0, a component model that keeps its promises only adds to the last number.
 *
 * @returns `problem`: the end of the sentence that says why it is refused, and what to do instead
 */
export function judgeWasi({ packageName, interfaceOf, version = '' }: WasiImport): {
  capabilities: readonly Name[];
  problem?: string;
} {
  const known = Object.hasOwn(servedWasi, packageName) ? servedWasi[packageName] : undefined;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNewer = major === 0 && minor === 3;
  // Of durations: there is nothing to call.
  const isTypes = isNewer && packageName === 'clocks' && interfaceOf === 'types';
  const capabilities = isTypes ? [] : (known?.needs ?? []);
  if (major > 0 || minor > 3) return { capabilities, problem: problems.later };
  if (isNewer && version.includes('-')) return { capabilities, problem: problems.draft };
  if (isNewer && packageName === 'sockets') return { capabilities, problem: problems.sockets };
  const { both = [], older = [], newer = [] } = known ?? {};
  const interfaces = [...both, ...(isNewer ? newer : older)];
  if (!/^0\.[23]\.\d+$/.test(version) || !interfaces.includes(interfaceOf)) {
    return { capabilities, problem: problems.unserved };
  }
  return { capabilities };
}

const problems = {
  later: 'of a WASI after 0.3, which this version does not support: build it for WASI 0.3 or 0.2',
  draft:
    'of a draft of WASI 0.3, which had other functions: build it with a toolchain of WASI 0.3.0, as wit-bindgen 0.58 or componentize-qjs 0.4',
  sockets:
    'of WASI 0.3, which opens sockets, and no plugin may: send requests with wasi:http/client',
  unserved: 'which is not served by this version',
} as const;
