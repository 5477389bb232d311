import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import { findWorkspace } from './find-workspace.ts';
import { type ConfigFile, parseConfig } from './parse-config.ts';
import { type ProgramPaths, programPaths } from './paths.ts';

export type ModelRoleSetting = 'auto' | 'choose' | 'word';

/** What one `ask` may spend; checked before each call. */
export type Budget = { rounds: number; toolCalls: number; tokens: number; durationMs: number };

export type Config = {
  paths: ProgramPaths;
  /** `CUERVO_HOME`, absolute */
  home: string;
  /** absolute, real */
  workspace: string;
  /** `none`, a model's name, or the path of a GGUF */
  model: string;
  modelRole: ModelRoleSetting;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined };
  /** overrides of the host's limits; see `HostLimits` */
  limits: Partial<
    Record<
      | 'callTimeoutMs'
      | 'startTimeoutMs'
      | 'transpileTimeoutMs'
      | 'maxMemoryBytes'
      | 'maxResultBytes'
      | 'maxHostCalls'
      | 'maxLogBytes'
      | 'maxRequestsPerMinute',
      number
    >
  >;
  /** bytes of a tool's text that are shown to a model or a person */
  maxOutputBytes: number;
  budget: Budget;
  /** `capabilities.deny` of `config.toml` and `cuervo.toml`, with the file that says it */
  denied: readonly { text: string; source: string }[];
};

/** What the command line, or a program that uses the library, said. */
export type ConfigOverrides = {
  workspace?: string;
  home?: string;
  model?: string;
  modelRole?: ModelRoleSetting;
  callTimeoutMs?: number;
};

const defaultBudget: Budget = {
  rounds: 25,
  toolCalls: 50,
  tokens: 200_000,
  durationMs: 600_000,
};

/**
 * Flags over environment over `config.toml` over defaults, read once.
 *
 * @throws {KernelError} `invalid-argument` for a wrong file, `not-found` for a workspace that is not there
 */
export function loadConfig(
  overrides: ConfigOverrides,
  env: Readonly<Record<string, string | undefined>> = process.env,
  cwd: string = process.cwd(),
): Config {
  const home = findHome(overrides.home, env);
  const file = readConfigFile(join(home, 'config.toml'));
  const limits = file.limits ?? {};
  return {
    paths: programPaths(),
    home,
    workspace: findWorkspace(overrides.workspace, cwd),
    model: overrides.model ?? env.CUERVO_MODEL ?? file.model ?? 'none',
    modelRole: overrides.modelRole ?? file['model-role'] ?? 'auto',
    anthropic: {
      apiKey: env.ANTHROPIC_API_KEY,
      baseUrl: env.ANTHROPIC_BASE_URL ?? file.anthropic?.['base-url'],
    },
    limits: defined({
      callTimeoutMs: overrides.callTimeoutMs ?? limits['call-timeout-ms'],
      startTimeoutMs: limits['start-timeout-ms'],
      transpileTimeoutMs: limits['transpile-timeout-ms'],
      maxMemoryBytes: limits['max-memory-bytes'],
      maxResultBytes: limits['max-result-bytes'],
      maxHostCalls: limits['max-host-calls'],
      maxLogBytes: limits['max-log-bytes'],
      maxRequestsPerMinute: limits['max-requests-per-minute'],
    }),
    maxOutputBytes: limits['max-output-bytes'] ?? 100_000,
    budget: {
      rounds: file.budget?.rounds ?? defaultBudget.rounds,
      toolCalls: file.budget?.['tool-calls'] ?? defaultBudget.toolCalls,
      tokens: file.budget?.tokens ?? defaultBudget.tokens,
      durationMs: file.budget?.['duration-ms'] ?? defaultBudget.durationMs,
    },
    denied: [],
  };
}

/** `CUERVO_HOME`, absolute, whether or not it is there. */
export function findHome(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return resolve(given ?? env.CUERVO_HOME ?? join(homedir(), '.cuervo'));
}

function readConfigFile(path: string): ConfigFile {
  const text = readTextIfPresent(path);
  return text === undefined ? {} : parseConfig(text, path);
}

function defined<Value extends Record<string, number | undefined>>(
  values: Value,
): { [Key in keyof Value]?: number } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Value]?: number };
}
