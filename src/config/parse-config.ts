import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { hookMoments, logLevels, personalKinds } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import { isThisMachine } from '../lib/net/addresses.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { patternFault } from '../lib/text/glob.ts';

/** The most entries of each list; every file of a walk is compared with all of them. */
const maxEntries = 64;

/** A frame of a plugin process holds 8 MiB: a result, and the report of its host calls. */
const maxResultLimit = 6 * 1024 * 1024;

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const named = v.pipe(v.string(), v.minLength(1));

const limitsSchema = v.strictObject({
  'call-timeout-ms': v.optional(positive),
  'start-timeout-ms': v.optional(positive),
  'transpile-timeout-ms': v.optional(positive),
  'max-memory-bytes': v.optional(positive),
  'max-result-bytes': v.optional(positive),
  'max-host-calls': v.optional(v.pipe(positive, v.maxValue(1000))),
  'max-asked-host-calls': v.optional(v.pipe(positive, v.maxValue(1_000_000))),
  'max-log-bytes': v.optional(positive),
  'max-requests-per-minute': v.optional(positive),
  'max-output-bytes': v.optional(positive),
});

const budgetSchema = v.strictObject({
  rounds: v.optional(positive),
  'tool-calls': v.optional(positive),
  tokens: v.optional(positive),
  'duration-ms': v.optional(positive),
  usd: v.optional(v.pipe(v.number(), v.minValue(0))),
  'day-usd': v.optional(v.pipe(v.number(), v.minValue(0))),
});

const privacySchema = v.strictObject({
  'personal-data': v.optional(v.picklist(['withhold', 'send'])),
  send: v.optional(v.array(v.picklist(personalKinds))),
});

/** Capabilities, or what grants name: looked at by policy. */
const denySchema = v.pipe(v.array(v.string()), v.maxLength(maxEntries));

/** What a person lets run around the calls of tools; only their own file has it. */
const hooksSchema = v.pipe(
  v.array(
    v.strictObject({
      on: v.picklist(hookMoments),
      run: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(100)),
      tools: v.optional(named),
      sandbox: v.optional(v.boolean()),
      'timeout-ms': v.optional(v.pipe(positive, v.maxValue(600_000))),
    }),
  ),
  v.maxLength(16),
);

const patternsSchema = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.rawCheck(({ dataset, addIssue }) => {
        const fault = dataset.typed ? patternFault(dataset.value) : undefined;
        if (fault !== undefined) addIssue({ message: `${fault}; write a path like secrets/**` });
      }),
    ),
  ),
  v.maxLength(maxEntries),
);

/** Who has to sign a plugin, the strictest first. */
const requireSchema = v.picklist(['signed', 'pinned', 'any']);

const indexAddress = v.pipe(
  v.string(),
  v.check((text) => {
    const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
    const isPlainHere = url?.protocol === 'http:' && isThisMachine(url.hostname);
    return url?.protocol === 'https:' || isPlainHere;
  }, 'is not an https address'),
);

/** A bucket and a folder in it, without keys: those come from the environment. */
const sharedUri = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w.-]+)+\/?$/;

/** `config.toml`: every key has one reader, and a key that is not here is an error. */
export const configSchema = v.strictObject({
  model: v.optional(named),
  'model-role': v.optional(v.picklist(['auto', 'choose', 'word'])),
  index: v.optional(v.picklist(['auto', 'off'])),
  log: v.optional(v.picklist(logLevels)),
  anthropic: v.optional(
    v.strictObject({
      'base-url': v.optional(v.pipe(v.string(), v.url())),
      thinking: v.optional(v.boolean()),
    }),
  ),
  models: v.optional(
    v.strictObject({
      fallback: v.optional(v.pipe(v.array(named), v.maxLength(8))),
      'connect-timeout-ms': v.optional(v.pipe(positive, v.maxValue(0x7fff_ffff))),
      'first-token-timeout-ms': v.optional(v.pipe(positive, v.maxValue(0x7fff_ffff))),
      'idle-timeout-ms': v.optional(v.pipe(positive, v.maxValue(0x7fff_ffff))),
      'first-token-ms': v.optional(v.pipe(positive, v.maxValue(3_600_000))),
      temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
      thinking: v.optional(v.picklist(['off', 'low', 'medium', 'high'])),
      hub: v.optional(indexAddress),
      cache: v.optional(v.boolean()),
      'history-bytes': v.optional(positive),
      'history-days': v.optional(v.pipe(positive, v.maxValue(36_500))),
    }),
  ),
  plugins: v.optional(
    v.strictObject({
      sandbox: v.optional(v.picklist(['auto', 'os', 'none'])),
      require: v.optional(requireSchema),
      indexes: v.optional(v.pipe(v.array(indexAddress), v.maxLength(20))),
    }),
  ),
  // The table of a project only narrows.
  limits: v.optional(
    v.strictObject({
      ...limitsSchema.entries,
      'max-result-bytes': v.optional(v.pipe(positive, v.maxValue(maxResultLimit))),
    }),
  ),
  exec: v.optional(
    v.strictObject({
      sandbox: v.optional(v.picklist(['os', 'none'])),
      'timeout-ms': v.optional(v.pipe(positive, v.maxValue(0x7fff_ffff))),
      'cpu-seconds': v.optional(positive),
      'max-memory-bytes': v.optional(positive),
      'max-file-bytes': v.optional(positive),
      'max-processes': v.optional(positive),
      // Both outputs have to fit into one frame for the plugin process.
      'max-output-bytes': v.optional(v.pipe(positive, v.maxValue(1024 * 1024))),
    }),
  ),
  hooks: v.optional(hooksSchema),
  otlp: v.optional(
    v.strictObject({ endpoint: v.optional(indexAddress), words: v.optional(v.boolean()) }),
  ),
  consent: v.optional(v.strictObject({ sandboxed: v.optional(v.picklist(['ask', 'run'])) })),
  programs: v.optional(v.strictObject({ path: v.optional(v.picklist(['system', 'user'])) })),
  workspace: v.optional(
    v.strictObject({
      'snapshot-bytes': v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      'snapshot-ignored-bytes': v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      'blob-bytes': v.optional(positive),
      'dry-run-bytes': v.optional(positive),
    }),
  ),
  budget: v.optional(budgetSchema),
  privacy: v.optional(privacySchema),
  memory: v.optional(
    v.strictObject({
      embedder: v.optional(named),
      reranker: v.optional(named),
      'rerank-timeout-ms': v.optional(v.pipe(positive, v.maxValue(60_000))),
      'turn-rows': v.optional(positive),
      'turn-days': v.optional(v.pipe(positive, v.maxValue(36_500))),
      'fact-rows': v.optional(positive),
      uri: v.optional(
        v.pipe(v.string(), v.regex(sharedUri, 'is not an address like s3://bucket/folder')),
      ),
    }),
  ),
  /** by the names of jobs, which the scheduler knows */
  jobs: v.optional(
    v.record(
      v.string(),
      v.strictObject({ 'every-minutes': v.optional(v.pipe(positive, v.maxValue(525_600))) }),
    ),
  ),
  /** what `mcp serve` offers, and to what extent */
  mcp: v.optional(
    v.strictObject({
      'direct-tools': v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
      'calls-at-once': v.optional(v.pipe(positive, v.maxValue(64))),
      'calls-a-minute': v.optional(positive),
      'bytes-a-minute': v.optional(positive),
    }),
  ),
  /** by the names that clients of `mcp serve` and `acp` give themselves */
  clients: v.optional(
    v.record(
      v.string(),
      v.strictObject({ answers: v.optional(v.picklist(['none', 'once', 'session'])) }),
    ),
  ),
  /** the database of a team, and what this machine does as its worker */
  fleet: v.optional(
    v.strictObject({
      database: v.optional(named),
      ca: v.optional(named),
      repositories: v.optional(v.pipe(v.array(named), v.maxLength(maxEntries))),
      jobs: v.optional(v.pipe(positive, v.maxValue(256))),
      'cache-bytes': v.optional(positive),
      'lease-seconds': v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(10), v.maxValue(3_600)),
      ),
    }),
  ),
  capabilities: v.optional(v.strictObject({ deny: v.optional(denySchema) })),
  /** patterns of paths that are withheld beside the default list */
  protected: v.optional(patternsSchema),
  /** names that the default list does not withhold any more */
  unprotected: v.optional(patternsSchema),
});

export type ConfigFile = v.InferOutput<typeof configSchema>;

/**
 * @param path for messages
 * @throws {KernelError} `invalid-argument` with the line or the key
 */
export function parseConfig(text: string, path: string): ConfigFile {
  let value: unknown;
  try {
    value = parse(text);
  } catch (thrown) {
    const line = thrown instanceof TomlError ? ` line ${thrown.line}:` : '';
    const reason = thrown instanceof Error ? thrown.message.split('\n', 1)[0] : String(thrown);
    throw invalid(`${path}:${line} ${reason}`, path);
  }
  const parsed = v.safeParse(configSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const key = v.getDotPath(issue) ?? '(all)';
  const problem =
    issue.type === 'strict_object'
      ? `is not a key of the configuration${nearKeys(key)}`
      : issue.message;
  throw invalid(`${path}: "${key}" ${problem}`, path);
}

export type ConfigKey = {
  /** dotted; `NAME` stands for a name that a person chooses */
  key: string;
  /** values, for a person: `auto | os | none`, `number`, … */
  takes: string;
};

export function configKeys(schema: unknown = configSchema, above = ''): ConfigKey[] {
  const { type, wrapped, entries, value, options } = schema as {
    type: string;
    wrapped?: unknown;
    entries?: Record<string, unknown>;
    value?: unknown;
    options?: readonly string[];
  };
  if (wrapped !== undefined) return configKeys(wrapped, above);
  const inside = entries ?? (type === 'record' ? { NAME: value } : undefined);
  if (inside === undefined) return [{ key: above, takes: options?.join(' | ') ?? type }];
  return Object.entries(inside).flatMap(([name, each]) =>
    configKeys(each, above === '' ? name : `${above}.${name}`),
  );
}

/** What a message says of a key that there is not: the nearest ones, with and without their table. */
export function nearKeys(typed: string): string {
  const keys = configKeys().map(({ key }) => key);
  const whole = didYouMean(typed, keys);
  if (whole !== '') return whole;
  const last = (key: string) => key.slice(key.lastIndexOf('.') + 1);
  const same = keys.filter((key) => last(key) === last(typed));
  if (same.length > 0) return ` (Did you mean ${same.join(' or ')}?)`;
  return didYouMean(last(typed), keys.map(last));
}

function invalid(message: string, path: string): KernelError {
  return new KernelError('invalid-argument', message, { hint: `Correct ${path}.` });
}

/** Every key of it takes something away. */
const fileSchema = v.strictObject({
  capabilities: v.optional(v.strictObject({ deny: v.optional(denySchema) })),
  protected: v.optional(patternsSchema),
  limits: v.optional(limitsSchema),
  budget: v.optional(budgetSchema),
  privacy: v.optional(privacySchema),
  plugins: v.optional(v.strictObject({ require: v.optional(requireSchema) })),
});

export type ProjectFile = v.InferOutput<typeof fileSchema>;

/**
 * Parses `cuervo.toml`, which comes with the folder that is worked on. Its author may grant
 * nothing, so it has only keys that narrow, and any other key is an error.
 *
 * @param path for messages
 * @throws {KernelError} `invalid-argument` with the line or the key
 */
export function parseProjectConfig(text: string, path: string): ProjectFile {
  let value: unknown;
  try {
    value = parse(text);
  } catch (thrown) {
    const line = thrown instanceof TomlError ? ` line ${thrown.line}` : '';
    throw refused(
      `${path}:${line} is not TOML`,
      `Correct${line || ' the text'} of ${path}, or${elsewhere}`,
    );
  }
  const parsed = v.safeParse(fileSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const key = escapeTerminal((v.getDotPath(issue) ?? '(all)').slice(0, 100)).replace(/\s/g, ' ');
  if (issue.type !== 'strict_object') {
    throw refused(`${path}: "${key}" ${issue.message}`, `Correct it in ${path}, or${elsewhere}`);
  }
  throw refused(
    `${path}: "${key}" cannot be set by a project, which can only narrow: capabilities.deny, protected, limits, budget, privacy`,
    `Remove it from ${path}; a setting that widens belongs in your own config.toml.`,
  );
}

/** For a person who did not write this file. */
const elsewhere = ' work on another folder with --workspace DIR.';

function refused(message: string, hint: string): KernelError {
  return new KernelError('invalid-argument', message, { hint });
}
