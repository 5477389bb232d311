import type { JsonObject } from './tool.ts';

/** Where an added server comes from. */
export type ServerSource =
  /** a program of the machine or of the workspace; `work:PATH` stands for a path below the root */
  | { kind: 'command'; command: readonly string[] }
  | InstalledPackage
  | { kind: 'remote'; url: string };

/** A package of npm that lies beside what is kept of the server. */
export type InstalledPackage = {
  kind: 'package';
  package: string;
  version: string;
  /** where it was fetched from */
  registry: string;
  /** SHA-256 of its lock file, which has a digest of each package that was installed with it */
  lock: string;
  /** what Node starts, below the folder of the packages */
  program: string;
  args: readonly string[];
};

/** What a person agreed to; grants belong to its digest. */
export type ServerDefinition = {
  source: ServerSource;
  /** variables; `null` takes the value that the person’s own has at the start */
  env: Readonly<Record<string, string | null>>;
  /** names of secrets: variables of the same name, and `authorization` of a remote server */
  secrets: readonly string[];
  /** absolute: the only workspace that has it, where that names it, or has a file of its command */
  workspace?: string;
  /** what `.mcp.json` of that workspace calls it */
  project?: string;
};

/** One tool of an added server, as a person agreed to it. */
export type ServerTool = {
  /** without the name of the server */
  name: string;
  /** as the server calls it */
  own: string;
  /** cut, escaped, and withheld where it gives orders */
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  /** SHA-256 of the server's words about it, hex */
  digest: string;
};

export type AddedServer = {
  name: string;
  definition: ServerDefinition;
  /** since the epoch; what was granted tools before it has none of its */
  addedMs: number;
  /** whether it speaks the revisions with `initialize` alone */
  isOld: boolean;
  tools: readonly ServerTool[];
  /** tools of which the person said that they only read */
  reads: readonly string[];
  /** tools that are off: the server says something else of them, or has them no more */
  off: readonly string[];
};

/** The differences of what a server offers to what a person agreed to. */
export type ServerChange = { tool: string; change: 'new' | 'changed' | 'gone'; text: string };

/** An added server with what it holds. */
export type ListedServer = AddedServer & { digest: string; grants: string[] };

/** What a server turned out to offer, before it is agreed to. */
export type OfferedServer = {
  name: string;
  definition: ServerDefinition;
  grants: string[];
  tools: readonly ServerTool[];
  leftOut: readonly string[];
  changes: readonly ServerChange[];
};

export type AddRequest = {
  name: string;
  /** a command with its arguments, `npm:PACKAGE` with its arguments, or an address */
  source: readonly string[];
  grants: readonly string[];
  /** `NAME=VALUE`, or `NAME` for the person’s own value at each start */
  env: readonly string[];
  secrets: readonly string[];
  reads: readonly string[];
  /** what `.mcp.json` of the workspace calls it, in place of a source */
  project?: string;
};

/** What `.mcp.json` of the workspace says; nothing of it is used until a person adds it. */
export type ProjectServers = {
  servers: readonly ProjectServer[];
  /** what cannot be used, and why; one sentence each */
  leftOut: readonly string[];
};

export type ProjectServer = {
  /** as the file calls it */
  name: string;
  /** as a person would type it */
  source: readonly string[];
  /** as `--env` takes it */
  env: readonly string[];
  state: 'not used' | 'used' | 'changed since';
};

/** How a person signs in at a server elsewhere. */
export type SignIn = {
  /** asked before anything goes to an origin that the server names for it */
  agree(asked: { name: string; origin: string }): Promise<boolean>;
  /** Shows the address where the person signs in. */
  show(address: string): Promise<void>;
  /** for an authorization server where nobody can register */
  clientId?: string;
};

type Agree = {
  consent(offered: OfferedServer): Promise<boolean>;
  /** asked before a program that a project names is started; `consent` where it is absent */
  start?(offered: OfferedServer): Promise<boolean>;
  /** for a server elsewhere that wants it; refused where it is absent */
  signIn?: SignIn;
  signal: AbortSignal;
};

export type ServerCommands = {
  /** @throws {KernelError} `canceled` without a yes; nothing is kept then */
  add(request: AddRequest, options: Agree): Promise<ListedServer>;
  list(): ListedServer[];
  /** @throws {KernelError} for a file that cannot be read */
  project(): Promise<ProjectServers>;
  /** @throws {KernelError} `not-found` */
  show(name: string): ListedServer;
  /** Starts it once and compares what it offers; changes nothing. */
  test(
    name: string,
    options: { signal: AbortSignal },
  ): Promise<
    Pick<OfferedServer, 'tools' | 'leftOut' | 'changes'> & { durationMs: number; printed: string }
  >;
  /** Agrees to what it offers now. @param options.reads tools that only read, in place of those before */
  accept(name: string, options: Agree & { reads?: readonly string[] }): Promise<ListedServer>;
  /** Signs in at a server elsewhere, in place of a sign-in before. */
  login(name: string, options: { signIn: SignIn; signal: AbortSignal }): Promise<ListedServer>;
  remove(name: string): Promise<void>;
};
