import { type Effect, effects } from './tool.ts';

/** What stands behind the colon of a grant: `fs:work`, `exec:git`, `http:https://example.org`. */
export type GrantDetail = {
  /** in lists of grants, as in `fs:ROOT` */
  placeholder:
    | 'ROOT'
    | 'PROGRAM'
    | 'ORIGIN'
    | 'HOST[:PORT]'
    | 'DRIVER@SHA256'
    | 'FOLDER'
    | 'GLOB'
    | 'TOOL';
  what: string;
  example: string;
};

const root = { placeholder: 'ROOT', what: 'the name of a root', example: 'work' } as const;
const program = {
  placeholder: 'PROGRAM',
  what: 'the name of a program',
  example: 'git',
} as const;
const origin = {
  placeholder: 'ORIGIN',
  what: 'an origin',
  example: 'https://example.org',
} as const;

const host = {
  placeholder: 'HOST[:PORT]',
  what: 'a host',
  example: 'example.org',
} as const;

const driver = {
  placeholder: 'DRIVER@SHA256',
  what: 'a filter of git with the digest of its commands',
  example: `lfs@${'0'.repeat(64)}`,
} as const;

const repository = {
  placeholder: 'FOLDER',
  what: 'the absolute path of a repository',
  example: '/home/ann/app/.git',
} as const;

const toolGlob = {
  placeholder: 'GLOB',
  what: 'tools',
  example: 'file.*',
} as const;

const serverTool = {
  placeholder: 'TOOL',
  what: 'the name of a tool of an added server',
  example: 'read_file',
} as const;

/** All that cuervo knows of one interface of `wit/host/host.wit`. */
type Row = {
  /** each function of the interface, with the least effect that a tool must have promised */
  calls: Readonly<Record<string, Effect>>;
  /** calls that no contract offers: our own code in the plugin process makes them */
  ownCalls?: Readonly<Record<string, Effect>>;
  /** names of the calls that count against `limits.max-requests-per-minute` */
  outgoing?: readonly string[];
  /** `process`: the plugin process does it; `kernel`: it asks, and the kernel decides again */
  servedBy: 'process' | 'kernel';
  /** `alone`: nothing stands behind the name; `none`: every plugin has it, without a gate */
  grant: GrantDetail | 'alone' | 'none';
  /**
   * A person may be asked for each single call. Its service must ask before it does anything: a
   * rehearsal of a plan goes that far.
   */
  asked?: true;
  /** built-in plugins hold it: the detail, or `true` where it stands alone */
  builtin?: string | true;
  /** capabilities that a plugin may be granted because it wants this one */
  beside?: readonly string[];
  /** on the label, behind "It can" */
  can: string;
  /** on the label, behind "It cannot" */
  cannot: string;
  /** the label names the gravest first; each number occurs once */
  gravity: number;
};

/** One row for each capability, in the order of `wit/host/host.wit`. */
export const capabilities = {
  fs: {
    calls: {
      roots: 'read',
      stat: 'read',
      'read-text': 'read',
      'read-many': 'read',
      'stat-many': 'read',
      'read-bytes': 'read',
      'list-dir': 'read',
      walk: 'read',
      scan: 'read',
      tally: 'read',
      unsearched: 'read',
    },
    servedBy: 'process',
    grant: root,
    builtin: 'work',
    can: 'read files in folders that you name (fs:ROOT)',
    cannot: 'read files',
    gravity: 6,
  },
  'fs-write': {
    calls: {
      'write-text': 'write',
      'write-bytes': 'write',
      'create-dir': 'write',
      rename: 'write',
      remove: 'write',
    },
    // WASI asks when a file is opened for writing, long before anything is written.
    ownCalls: { 'may-write': 'write' },
    servedBy: 'kernel',
    grant: root,
    asked: true,
    can: 'write, rename and delete files in folders that you name (fs-write:ROOT)',
    cannot: 'write files',
    gravity: 7,
  },
  exec: {
    calls: { run: 'external' },
    outgoing: ['run'],
    servedBy: 'kernel',
    grant: program,
    asked: true,
    // Its programs may use the origins, also where the plugin sends no requests itself.
    beside: ['http'],
    can: 'run programs that you name (exec:PROGRAM); they reach origins only that you grant too (http:ORIGIN)',
    cannot: 'run programs',
    gravity: 9,
  },
  http: {
    calls: { send: 'external', 'secret-exists': 'external' },
    outgoing: ['send'],
    servedBy: 'kernel',
    grant: origin,
    asked: true,
    can: 'send requests to web servers that you name (http:ORIGIN)',
    cannot: 'send web requests',
    gravity: 8,
  },
  memory: {
    calls: { search: 'read', remember: 'write' },
    servedBy: 'kernel',
    grant: 'alone',
    can: "search and add to cuervo's memory of a project (memory)",
    cannot: "use cuervo's memory",
    gravity: 5,
  },
  tools: {
    // What a called tool may do is decided when it is called, and not above the caller's effect.
    calls: { find: 'read', call: 'read', 'call-all': 'read' },
    servedBy: 'kernel',
    grant: toolGlob,
    builtin: '*',
    can: 'call tools that you name (tools:GLOB), each with what its own plugin was granted',
    cannot: 'call tools of other plugins',
    gravity: 10,
  },
  kv: {
    calls: { get: 'read', set: 'write', delete: 'write', keys: 'read' },
    servedBy: 'kernel',
    grant: 'alone',
    builtin: true,
    can: 'keep notes of its own from run to run (kv)',
    cannot: 'keep anything from run to run',
    gravity: 4,
  },
  clock: {
    calls: { 'now-ms': 'read' },
    servedBy: 'process',
    grant: 'alone',
    can: 'know the time (clock); time stands still without clock',
    cannot: 'know the time (time stands still without clock)',
    gravity: 3,
  },
  random: {
    calls: { bytes: 'read' },
    servedBy: 'kernel',
    grant: 'alone',
    can: 'draw random numbers (random)',
    cannot: 'draw random numbers',
    gravity: 2,
  },
  log: {
    calls: { write: 'pure', progress: 'pure' },
    servedBy: 'process',
    grant: 'none',
    can: 'write log lines and show progress (needs no grant)',
    cannot: 'write log lines',
    gravity: 1,
  },
} as const satisfies Readonly<Record<string, Row>>;

/** WASI sockets, which are never granted. The label names them first. */
export const network = {
  effect: 'external',
  can: 'open network connections of its own (never granted)',
  cannot: 'open the network',
} as const;

type Rows = typeof capabilities;
export type CapabilityName = keyof Rows;
/** A capability that a binary may import and is never granted. */
export type Unheld = 'network';

/**
 * Grants beside the interfaces of the host: for one built-in plugin and one program that it runs, and
 * for servers that were added. No binary can ask for them.
 */
export const ownGrants = {
  ssh: { grant: host, plugin: 'git' },
  filter: { grant: driver, plugin: 'git' },
  repository: { grant: repository, plugin: 'git' },
  call: { grant: serverTool, plugin: undefined },
} as const satisfies Readonly<Record<string, { grant: GrantDetail; plugin: string | undefined }>>;

/** The part of a grant before the colon. */
export type GrantName = CapabilityName | keyof typeof ownGrants;

export function isOwnGrant(name: string): name is keyof typeof ownGrants {
  return Object.hasOwn(ownGrants, name);
}

/** Capabilities that the plugin process serves itself. */
export type ProcessCapability = {
  [Name in CapabilityName]: Rows[Name]['servedBy'] extends 'process' ? Name : never;
}[CapabilityName];

/** Capabilities that the kernel serves. */
export type KernelCapability = Exclude<CapabilityName, ProcessCapability>;

type CallsOf<Row> = Row extends { calls: infer Calls } ? keyof Calls & string : never;
type OwnCallsOf<Row> = Row extends { ownCalls: infer Calls } ? keyof Calls & string : never;

/** The calls of one capability: `kv.get`, `kv.set`, … */
export type CallOf<Name extends CapabilityName> =
  `${Name}.${CallsOf<Rows[Name]> | OwnCallsOf<Rows[Name]>}`;

export const capabilityNames = Object.keys(capabilities) as readonly CapabilityName[];

/** The same row, with the fields that only some rows have. */
export function capabilityRow(name: CapabilityName): Row {
  return capabilities[name];
}

export function isCapability(name: string): name is CapabilityName {
  return Object.hasOwn(capabilities, name);
}

/** Names of the capabilities whose row is so. */
export function capabilitiesWhere(holds: (row: Row) => boolean): readonly CapabilityName[] {
  return capabilityNames.filter((name) => holds(capabilities[name]));
}

/** The greatest effect of a capability's calls. */
export function effectOf(name: CapabilityName | Unheld): Effect {
  if (name === 'network') return network.effect;
  return greatestEffect(Object.values(capabilities[name].calls));
}

/** The least effect that covers all of them. */
export function greatestEffect(of: readonly Effect[]): Effect {
  return of.reduce(
    (most, each) => (effects.indexOf(each) > effects.indexOf(most) ? each : most),
    'pure',
  );
}

/** The part of a grant after the colon; undefined when it has none. */
export function grantDetail(name: GrantName): GrantDetail | undefined {
  const { grant } = isOwnGrant(name) ? ownGrants[name] : capabilities[name];
  return typeof grant === 'string' ? undefined : grant;
}

/** `fs:ROOT`, `kv`: how a grant of it looks. */
export function grantForm(name: GrantName): string {
  const detail = grantDetail(name);
  return detail === undefined ? name : `${name}:${detail.placeholder}`;
}

/** All of them, for a message about an unknown one. */
export function grantForms(): string[] {
  // Grants that name something come first, then those of built-in plugins.
  const rank = (name: CapabilityName): number => {
    if (grantDetail(name) !== undefined) return 0;
    return capabilityRow(name).builtin === undefined ? 2 : 1;
  };
  const ranked = capabilitiesWhere(({ grant }) => grant !== 'none').toSorted(
    (a, b) => rank(a) - rank(b),
  );
  const named = ranked.filter((name) => rank(name) === 0);
  const owned = Object.keys(ownGrants) as (keyof typeof ownGrants)[];
  return [...named, ...owned, ...ranked.slice(named.length)].map(grantForm);
}
