import type { FleetSettings } from './fleet.ts';
import type { ModelAsks } from './model.ts';

/** Folders of the installed program's parts. */
export type ProgramPaths = {
  /** folder of package.json */
  root: string;
  /** built bundles */
  dist: string;
  /** the built-in plugins and their lock */
  builtins: string;
  /** the tables of word vectors that need no download: of texts, and of code */
  embedder: string;
  codeEmbedder: string;
  /** tables of the rules on programs */
  rules: string;
  /** recipes for models */
  skills: string;
  /** contexts and prices of models of providers that do not say */
  models: string;
  sdk: string;
  wit: string;
};

/** Tables that machines share, with what LanceDB needs to reach them. */
export type SharedMemory = { uri: string; options: Readonly<Record<string, string>> };

export type ModelRoleSetting = 'auto' | 'choose' | 'word';
/** `pinned`: only the publisher of the first install; `signed`: and a signature is required. */
export type PluginRequire = 'signed' | 'pinned' | 'any';
export type PluginSandboxSetting = 'auto' | 'os' | 'none';

/** What one `ask` may spend; checked before each call. */
export type Budget = {
  rounds: number;
  toolCalls: number;
  /** those from a provider's cache count as much as they cost */
  tokens: number;
  durationMs: number;
  usd: number;
  /** of all questions of one day, UTC */
  dayUsd: number;
};

export type ModelSettings = {
  /** what takes the place of a model that the command line did not name, in this order */
  fallback: readonly string[];
  /** until a connection is there, and the longest silences of a model; the provider's own when undefined */
  connectTimeoutMs: number | undefined;
  firstTokenTimeoutMs: number | undefined;
  idleTimeoutMs: number | undefined;
  /** how long the first word of a model on this machine may take; its prompts are made for that */
  firstTokenMs: number;
  /** what servers and providers are asked for */
  asks: ModelAsks;
  /** where `hf:OWNER/NAME` lies, or a mirror of it */
  hub: string;
  /** whether answers of models are kept for questions that are the very same */
  cache: boolean;
  /** bytes of what was said to and by models, and days */
  historyBytes: number;
  historyDays: number;
};

export type MemorySettings = {
  /** `static`, the name of a folder in `CUERVO_HOME/models`, or the path of a folder or a GGUF */
  embedder: string;
  /** `auto`, `none`, `maxsim`, or a name or path as above */
  reranker: string;
  /** of what a search waits for */
  rerankTimeoutMs: number;
  /** where `insights` and `assets` are when machines share them */
  shared: SharedMemory | undefined;
  /** turns that stay whole; of more the least used go */
  turnRows: number;
  /** turns go when they are older; undefined: none goes by its age */
  turnDays: number | undefined;
  /** facts, decisions and preferences of all workspaces */
  factRows: number;
};

/** How far an answer of a person goes that came through a client of `mcp serve`. */
export type ClientAnswers = 'none' | 'once' | 'session';

export type McpSettings = {
  /** up to so many tools are listed by themselves; of more, those that find and call them */
  directTools: number;
  callsAtOnce: number;
  callsAMinute: number;
  /** of results */
  bytesAMinute: number;
  /** by the names of clients; `none` for those that are not named */
  answers: Readonly<Record<string, ClientAnswers>>;
};

export const hookMoments = ['before-tool', 'after-tool', 'after-edit', 'end'] as const;

/** A program of the person that runs around the calls of tools. */
export type Hook = {
  on: (typeof hookMoments)[number];
  /** program and arguments */
  run: readonly string[];
  /** a glob of the tools that it is for; absent: all */
  tools?: string;
  sandbox: boolean;
  timeoutMs: number;
};

/** Each tells what those before it tell, and more. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Config = {
  paths: ProgramPaths;
  /** `CUERVO_HOME`, absolute */
  home: string;
  /** absolute, real */
  workspace: string;
  /** where its files are worked on instead: the copy of a dry run */
  workFolder?: string;
  /** `none`, a model's name, or the path of a GGUF */
  model: string;
  /** a model that the command line named is never replaced, and `model use` counts less */
  modelFrom: 'command line' | 'environment' | 'file' | 'nobody';
  modelRole: ModelRoleSetting;
  models: ModelSettings;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined; thinks: boolean };
  /** the key of a server of models, by the name of its variable, e.g. `OPENAI_API_KEY` */
  modelKey(variable: string): string | undefined;
  /** overrides of the host's limits; see `HostLimits` */
  limits: Partial<
    Record<
      | 'callTimeoutMs'
      | 'startTimeoutMs'
      | 'transpileTimeoutMs'
      | 'maxMemoryBytes'
      | 'maxResultBytes'
      | 'maxHostCalls'
      | 'maxAskedHostCalls'
      | 'maxLogBytes'
      | 'maxRequestsPerMinute',
      number
    >
  >;
  /** `none`: a person lets programs run without the sandbox of the operating system */
  execSandbox: 'os' | 'none';
  /** a person lets built-in plugins run what the sandbox keeps to the workspace and off the network */
  runsSandboxed: boolean;
  hooks: readonly Hook[];
  /** overrides of the limits of programs; see `ExecLimits` */
  exec: Partial<
    Record<
      'timeoutMs' | 'cpuSeconds' | 'memoryBytes' | 'fileBytes' | 'processes' | 'outputBytes',
      number
    >
  >;
  /** where programs are looked for beside the workspace and the system */
  programs: {
    /** undefined where the file does not say */
    path: 'system' | 'user' | undefined;
    /** entries of the user's own `PATH` */
    userPath: readonly string[];
    /** the virtual environment that is activated */
    virtualEnv: string | undefined;
    /** `SSH_AUTH_SOCK`: absolute path of the socket of the user's agent */
    sshAgent?: string | undefined;
  };
  /** overrides of how much of a root is kept before a program writes; see `SnapshotLimits` */
  snapshot: Partial<Record<'bytes' | 'ignoredBytes', number>>;
  /** of all pre-images together; the oldest runs' go first */
  blobBytes: number;
  /** of a workspace that is copied for a dry run */
  dryRunBytes: number;
  /** bytes of a tool's text that are shown to a model or a person */
  maxOutputBytes: number;
  budget: Budget;
  /** the command line said what this question may cost, which holds only for a known price */
  isCostTyped: boolean;
  /** `capabilities.deny` of `config.toml` and `cuervo.toml`, with the file that says it */
  denied: readonly { text: string; source: string }[];
  /** what the default list of protected names gets more and less; patterns of paths */
  protection: { added: readonly string[]; lifted: readonly string[] };
  /** what `cuervo.toml` alone says, so that a run can tell of a change */
  projectRules: {
    /** SHA-256 of the file, hex; empty without a file */
    digest: string;
    withheld: readonly string[];
    denied: readonly string[];
  };
  /** opens the secrets of plugins where no keychain does; `CUERVO_SECRETS_PASSPHRASE` */
  secretsPassphrase: string | undefined;
  /** what `cuervo.toml` lowers limits to; see `HostLimits` */
  ceilings: Config['limits'];
  /** one sentence each: what `cuervo.toml`, or a mark of another user, asks for and does not get */
  warnings: readonly string[];
  /** ms between two runs of a job, by its name, where it is not the job's own */
  jobPeriodsMs: Readonly<Record<string, number>>;
  memory: MemorySettings;
  mcp: McpSettings;
  fleet: FleetSettings;
  /** which personal data a remote model gets: what the user's own file allows and no project withholds */
  privacy: PrivacySettings;
  /** whether an index of a large workspace is made and kept without being asked for */
  index: 'auto' | 'off';
  /** what plugin processes run in; only the user's own file can say */
  pluginSandbox: PluginSandboxSetting;
  /** who has to vouch for a plugin: the stricter of both files */
  pluginRequire: PluginRequire;
  /** addresses of lists of plugins that `plugin search` looks through */
  pluginIndexes: readonly string[];
  /** where traces of runs go, and whether with the words of questions and targets of calls */
  otlp: { endpoint: string | undefined; words: boolean };
  /** from which level on `logs/events.log` tells of an event */
  log: LogLevel;
  /** what was downloaded, for other homes of this user, too; nothing in it is trusted */
  cache: string;
  /** the environment, for what npm and docker read of it */
  environment(): Readonly<Record<string, string | undefined>>;
};

/** Personal data that has a form. Where possible, more than its shape is checked. */
export const personalKinds = [
  'br-cpf',
  'email',
  'es-dni',
  'iban',
  'ipv4',
  'ipv6',
  'mac-address',
  'payment-card',
  'phone',
  'uk-nino',
  'us-ssn',
] as const;

export type PersonalKind = (typeof personalKinds)[number];

/** Which of it may leave the machine for a remote model. Secrets never do. */
export type PrivacySettings = {
  /** `withhold`: replaced by stand-ins; `send`: as it is */
  personalData: 'withhold' | 'send';
  /** kinds that are sent as they are, whatever is said above */
  send: readonly PersonalKind[];
};
