import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { PrivacySettings } from '../contracts/personal-data.ts';
import { statIfThere } from '../lib/files/exposed-part.ts';
import { homeFolder } from '../lib/files/home-folder.ts';
import { readTextIfPresent } from '../lib/files/read-text-if-present.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { sha256 } from '../lib/sha256.ts';
import { shellWord } from '../lib/text/shell-word.ts';
import { checkHome } from './check-home.ts';
import { findWorkspace } from './find-workspace.ts';
import { type Ignored, narrow } from './narrow.ts';
import { narrowPrivacy } from './narrow-privacy.ts';
import { type ConfigFile, parseConfig } from './parse-config.ts';
import { type ProjectFile, parseProjectConfig } from './parse-project-config.ts';
import { type ProgramPaths, programPaths } from './paths.ts';
import { readProjectFile } from './read-project-file.ts';
import { type SharedMemory, sharedMemory } from './shared-memory.ts';

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
  /** which personal data a remote model gets: what the user's own file allows and no project withholds */
  privacy: PrivacySettings;
  /** what plugin processes run in; only the user's own file can say */
  pluginSandbox: PluginSandboxSetting;
  /** who has to vouch for a plugin: the stricter of both files */
  pluginRequire: PluginRequire;
  /** addresses of lists of plugins that `plugin search` looks through */
  pluginIndexes: readonly string[];
  /** what was downloaded, for other homes of this user, too; nothing in it is trusted */
  cache: string;
  /** the environment, for what npm and docker read of it */
  environment(): Readonly<Record<string, string | undefined>>;
};

/** Limits as both files name them. */
export const limitKeys = {
  callTimeoutMs: 'call-timeout-ms',
  startTimeoutMs: 'start-timeout-ms',
  transpileTimeoutMs: 'transpile-timeout-ms',
  maxMemoryBytes: 'max-memory-bytes',
  maxResultBytes: 'max-result-bytes',
  maxHostCalls: 'max-host-calls',
  maxAskedHostCalls: 'max-asked-host-calls',
  maxLogBytes: 'max-log-bytes',
  maxRequestsPerMinute: 'max-requests-per-minute',
} as const;

/** Values from the command line, or from a program that uses the library. */
export type ConfigOverrides = {
  workspace?: string;
  home?: string;
  model?: string;
  modelRole?: ModelRoleSetting;
  callTimeoutMs?: number;
  /** of one question: US dollars, milliseconds, tokens */
  maxUsd?: number;
  maxDurationMs?: number;
  maxTokens?: number;
};

const defaultBudget: Budget = {
  rounds: 25,
  toolCalls: 50,
  tokens: 200_000,
  durationMs: 600_000,
  usd: 1,
  dayUsd: Number.POSITIVE_INFINITY,
};

const budgetKeys: Readonly<Record<keyof Budget, string>> = {
  rounds: 'budget.rounds',
  toolCalls: 'budget.tool-calls',
  tokens: 'budget.tokens',
  durationMs: 'budget.duration-ms',
  usd: 'budget.usd',
  dayUsd: 'budget.day-usd',
};

const projectFileName = 'cuervo.toml';

/**
 * Flags over environment over `config.toml` over defaults, read once; and what `cuervo.toml` of the
 * workspace takes away from it.
 *
 * @throws {KernelError} `invalid-argument` for a wrong file or a home that others may write, `not-found` for a workspace that is missing
 */
export function loadConfig(
  overrides: ConfigOverrides,
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = currentFolder(),
): Config {
  const home = findHome(overrides.home, env);
  checkHome(home);
  const file = readConfigFile(join(home, 'config.toml'));
  const limits = file.limits ?? {};
  const exec = file.exec ?? {};
  const kept = file.workspace ?? {};
  const { folder: workspace, foreign } = findWorkspace(overrides.workspace, cwd);
  const { project, digest } = readProjectConfig(join(workspace, projectFileName));
  const budget = narrow(
    { ...defaultBudget, ...budgetOf(file.budget ?? {}), ...typedBudget(overrides) },
    budgetOf(project.budget ?? {}),
    budgetKeys,
  );
  const output = narrow(
    { maxOutputBytes: limits['max-output-bytes'] ?? 100_000 },
    defined({ maxOutputBytes: project.limits?.['max-output-bytes'] }),
    { maxOutputBytes: 'limits.max-output-bytes' },
  );
  const { privacy, ignored } = narrowPrivacy(file.privacy ?? {}, project.privacy);
  return {
    paths: programPaths(),
    home,
    workspace,
    ...modelOf(overrides, env, file),
    modelRole: overrides.modelRole ?? file['model-role'] ?? 'auto',
    models: {
      fallback: file.models?.fallback ?? [],
      connectTimeoutMs: file.models?.['connect-timeout-ms'],
      firstTokenTimeoutMs: file.models?.['first-token-timeout-ms'],
      idleTimeoutMs: file.models?.['idle-timeout-ms'],
      firstTokenMs: file.models?.['first-token-ms'] ?? 8_000,
      hub: file.models?.hub ?? 'https://huggingface.co',
      cache: file.models?.cache ?? true,
      historyBytes: file.models?.['history-bytes'] ?? 256 * 1024 ** 2,
      historyDays: file.models?.['history-days'] ?? 90,
    },
    anthropic: {
      apiKey: nonEmpty(env.ANTHROPIC_API_KEY),
      baseUrl: nonEmpty(env.ANTHROPIC_BASE_URL) ?? file.anthropic?.['base-url'],
      thinks: file.anthropic?.thinking ?? false,
    },
    modelKey: (variable) => nonEmpty(env[variable]),
    limits: {
      ...limitsOf(limits),
      ...(overrides.callTimeoutMs === undefined ? {} : { callTimeoutMs: overrides.callTimeoutMs }),
    },
    execSandbox: exec.sandbox ?? 'os',
    programs: {
      path: file.programs?.path,
      userPath: (env.PATH ?? '').split(delimiter),
      virtualEnv: nonEmpty(env.VIRTUAL_ENV),
      sshAgent: nonEmpty(env.SSH_AUTH_SOCK),
    },
    exec: defined({
      timeoutMs: exec['timeout-ms'],
      cpuSeconds: exec['cpu-seconds'],
      memoryBytes: exec['max-memory-bytes'],
      fileBytes: exec['max-file-bytes'],
      processes: exec['max-processes'],
      outputBytes: exec['max-output-bytes'],
    }),
    snapshot: defined({
      bytes: kept['snapshot-bytes'],
      ignoredBytes: kept['snapshot-ignored-bytes'],
    }),
    blobBytes: kept['blob-bytes'] ?? 1024 ** 3,
    dryRunBytes: kept['dry-run-bytes'] ?? 512 * 1024 ** 2,
    maxOutputBytes: output.values.maxOutputBytes,
    budget: budget.values,
    isCostTyped: overrides.maxUsd !== undefined,
    denied: [
      ...(file.capabilities?.deny ?? []).map((text) => ({ text, source: 'config.toml' })),
      ...(project.capabilities?.deny ?? []).map((text) => ({ text, source: projectFileName })),
    ],
    protection: {
      added: [...(file.protected ?? []), ...(project.protected ?? [])],
      lifted: file.unprotected ?? [],
    },
    projectRules: {
      digest,
      withheld: project.protected ?? [],
      denied: project.capabilities?.deny ?? [],
    },
    ceilings: limitsOf(project.limits ?? {}),
    warnings: [
      ...(foreign === undefined ? [] : [foreignText(foreign, workspace)]),
      ...[...budget.ignored, ...output.ignored].map(ignoredText),
      ...ignored.map(unsentText),
    ],
    jobPeriodsMs: jobPeriodsOf(file.jobs ?? {}),
    memory: {
      embedder: file.memory?.embedder ?? 'static',
      reranker: file.memory?.reranker ?? 'auto',
      rerankTimeoutMs: file.memory?.['rerank-timeout-ms'] ?? 1_000,
      shared: sharedMemory(file.memory?.uri, env),
      turnRows: file.memory?.['turn-rows'] ?? 50_000,
      turnDays: file.memory?.['turn-days'],
      factRows: file.memory?.['fact-rows'] ?? 20_000,
    },
    privacy,
    pluginSandbox: file.plugins?.sandbox ?? 'auto',
    pluginRequire: stricter(file.plugins?.require ?? 'pinned', project.plugins?.require),
    pluginIndexes: file.plugins?.indexes ?? [],
    cache: join(cacheFolder(env), 'cuervo'),
    environment: () => env,
    secretsPassphrase: nonEmpty(env.CUERVO_SECRETS_PASSPHRASE),
  };
}

/** `CUERVO_HOME`, absolute, whether or not it is there. */
export function findHome(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return resolve(given ?? nonEmpty(env.CUERVO_HOME) ?? join(userHome(), '.cuervo'));
}

/** A project only narrows. */
function stricter(held: PluginRequire, wanted: PluginRequire | undefined): PluginRequire {
  const order: readonly PluginRequire[] = ['signed', 'pinned', 'any'];
  return wanted !== undefined && order.indexOf(wanted) < order.indexOf(held) ? wanted : held;
}

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = nonEmpty(env.XDG_CACHE_HOME);
  return named !== undefined && isAbsolute(named) ? named : join(homeFolder(), '.cache');
}

/** Without one the state would lie wherever the command is typed. */
function userHome(): string {
  const home = homeFolder();
  if (home !== '') return home;
  throw new KernelError('invalid-argument', 'HOME is empty and this user has no home folder', {
    hint: 'Choose a folder for its state: CUERVO_HOME=DIR cuervo …',
  });
}

/** An empty variable counts as one that is not set, which `NAME= cuervo …` is to say. */
function nonEmpty(variable: string | undefined): string | undefined {
  return variable === '' ? undefined : variable;
}

function modelOf(
  overrides: ConfigOverrides,
  env: Readonly<Record<string, string | undefined>>,
  file: ConfigFile,
): Pick<Config, 'model' | 'modelFrom'> {
  const typed = named(overrides.model);
  if (typed !== undefined) return { model: typed, modelFrom: 'command line' };
  const set = nonEmpty(env.CUERVO_MODEL);
  if (set !== undefined) return { model: set, modelFrom: 'environment' };
  if (file.model !== undefined) return { model: file.model, modelFrom: 'file' };
  return { model: 'none', modelFrom: 'nobody' };
}

/** The budget that the command line sets for this question. */
function typedBudget({ maxUsd, maxDurationMs, maxTokens }: ConfigOverrides): Partial<Budget> {
  return defined({ usd: maxUsd, durationMs: maxDurationMs, tokens: maxTokens });
}

/** An empty model is a slip, as of a variable that is not set, and not none. */
function named(model: string | undefined): string | undefined {
  if (model !== '') return model;
  throw new KernelError('invalid-argument', 'the name of the model is empty', {
    hint: 'Name a model or a .gguf file, or none to work without: --model none',
  });
}

/** A setting of a project's file that has no effect, as a sentence for people. */
export function ignoredText({ key, wanted, held }: Ignored): string {
  return `${projectFileName} asks for ${key} ${wanted}, and ${held} is the limit here: a project can only lower it`;
}

function unsentText(wanted: string): string {
  return `${projectFileName} asks for ${wanted}, and your config.toml does not send that: a project can only send less`;
}

function foreignText(foreign: string, workspace: string): string {
  return `the workspace is ${workspace}, not ${foreign} above it, which another user marked or owns; to work there: --workspace ${shellWord(foreign)}`;
}

function limitsOf(file: NonNullable<ConfigFile['limits']>): Config['limits'] {
  const entries = Object.entries(limitKeys).map(([name, key]) => [name, file[key]]);
  return defined(Object.fromEntries(entries)) as Config['limits'];
}

function budgetOf(file: NonNullable<ConfigFile['budget']>): Partial<Budget> {
  return defined({
    rounds: file.rounds,
    toolCalls: file['tool-calls'],
    tokens: file.tokens,
    durationMs: file['duration-ms'],
    usd: file.usd,
    dayUsd: file['day-usd'],
  });
}

function jobPeriodsOf(file: NonNullable<ConfigFile['jobs']>): Record<string, number> {
  const entries = Object.entries(file).map(([name, job]): [string, number | undefined] => {
    const minutes = job['every-minutes'];
    return [name, minutes === undefined ? undefined : minutes * 60_000];
  });
  return Object.fromEntries(
    entries.filter((entry): entry is [string, number] => entry[1] !== undefined),
  );
}

function readProjectConfig(path: string): { project: ProjectFile; digest: string } {
  const text = readProjectFile(path);
  if (text === undefined) return { project: {}, digest: '' };
  return { project: parseProjectConfig(text, path), digest: sha256(text) };
}

/** A missing file must not drop what it denied and protected. */
function readOwnFile(path: string): string | undefined {
  try {
    return readTextIfPresent(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw thrown;
    throw new KernelError('invalid-argument', reasonOf(thrown), {
      cause: thrown,
      hint: `See where it leads, and fix or remove it: readlink ${shellWord(path)}`,
    });
  }
}

function readConfigFile(path: string): ConfigFile {
  const text = readOwnFile(path);
  return text === undefined ? {} : parseConfig(text, path);
}

function defined<Value extends Record<string, number | undefined>>(
  values: Value,
): { [Key in keyof Value]?: number } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Value]?: number };
}

/** @throws {KernelError} `not-found` where it was removed, `invalid-argument` where it is no text */
export function currentFolder(): string {
  const folder = workingFolder();
  // Bytes that are not UTF-8 are lost in it, and what is left may name another folder.
  if (!folder.includes('\ufffd') || statIfThere(folder)?.ino === statIfThere('.')?.ino)
    return folder;
  const text = `the path of the current folder, ${folder}, is not UTF-8`;
  throw new KernelError('invalid-argument', text, { hint: 'Rename the folder.' });
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch (thrown) {
    throw new KernelError('not-found', 'the current folder is no longer there', {
      cause: thrown,
      hint: 'Go to another one, as with: cd ~',
    });
  }
}
