import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type {
  Budget,
  ClientAnswers,
  Config,
  Hook,
  LogLevel,
  ModelRoleSetting,
  PluginRequire,
} from '../contracts/config.ts';
import { logLevels } from '../contracts/config.ts';
import { KernelError, reasonOf } from '../contracts/error.ts';
import { statIfThere } from '../lib/files/exposed-part.ts';
import { homeFolder } from '../lib/files/paths.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { sha256 } from '../lib/sha256.ts';
import { shellWord } from '../lib/text/escape.ts';
import { checkHome } from './check-home.ts';
import { findWorkspace, readProjectFile } from './find-workspace.ts';
import { type Ignored, narrow, narrowPrivacy } from './narrow.ts';
import {
  type ConfigFile,
  type ProjectFile,
  parseConfig,
  parseProjectConfig,
} from './parse-config.ts';
import { programPaths } from './paths.ts';
import { sharedMemory } from './shared-memory.ts';

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
      asks: {
        ...defined({ temperature: file.models?.temperature }),
        ...(file.models?.thinking === undefined ? {} : { thinking: file.models.thinking }),
      },
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
    runsSandboxed: file.consent?.sandboxed === 'run',
    hooks: hooksOf(file.hooks ?? []),
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
    mcp: {
      directTools: file.mcp?.['direct-tools'] ?? 24,
      callsAtOnce: file.mcp?.['calls-at-once'] ?? 8,
      callsAMinute: file.mcp?.['calls-a-minute'] ?? 3_000,
      bytesAMinute: file.mcp?.['bytes-a-minute'] ?? 64 * 1024 ** 2,
      answers: answersOf(file.clients ?? {}),
    },
    fleet: {
      address: file.fleet?.database,
      ca: file.fleet?.ca,
      repositories: file.fleet?.repositories ?? [],
      jobs: file.fleet?.jobs,
      cacheBytes: file.fleet?.['cache-bytes'] ?? 20 * 1024 ** 3,
      leaseSeconds: file.fleet?.['lease-seconds'] ?? 60,
    },
    privacy,
    index: file.index ?? 'auto',
    pluginSandbox: file.plugins?.sandbox ?? 'auto',
    pluginRequire: stricter(file.plugins?.require ?? 'pinned', project.plugins?.require),
    pluginIndexes: file.plugins?.indexes ?? [],
    log: logLevelOf(env) ?? file.log ?? 'off',
    otlp: { endpoint: file.otlp?.endpoint, words: file.otlp?.words ?? false },
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

/** Refuses a user without a home: the state would lie in the current folder. */
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

function logLevelOf(env: Readonly<Record<string, string | undefined>>): LogLevel | undefined {
  const set = nonEmpty(env.CUERVO_LOG);
  const known = logLevels.find((level) => level === set);
  if (set === undefined || known !== undefined) return known;
  throw new KernelError('invalid-argument', `CUERVO_LOG is "${set}"`, {
    hint: `Set it to one of: ${logLevels.join(', ')}`,
  });
}

/** The budget that the command line sets for this question. */
function typedBudget({ maxUsd, maxDurationMs, maxTokens }: ConfigOverrides): Partial<Budget> {
  return defined({ usd: maxUsd, durationMs: maxDurationMs, tokens: maxTokens });
}

/** Refuses an empty name, which is mostly an unset variable and does not mean `none`. */
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

const hookTimeoutMs = 60_000;

function hooksOf(file: NonNullable<ConfigFile['hooks']>): Hook[] {
  return file.map(
    ({ on, run, tools, sandbox = true, 'timeout-ms': timeoutMs = hookTimeoutMs }) => ({
      ...{ on, run, sandbox, timeoutMs },
      ...(tools === undefined ? {} : { tools }),
    }),
  );
}

function answersOf(file: NonNullable<ConfigFile['clients']>): Record<string, ClientAnswers> {
  const entries = Object.entries(file).map(([name, { answers = 'none' }]) => [name, answers]);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
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

/** A broken link is an error, so that denials and protections of the file are not lost. */
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
