import * as v from 'valibot';
import { KernelError } from '../contracts/error.ts';
import { jsonObjectSchema } from '../contracts/output/parse-plugin-output.ts';
import type { AddedServer } from '../contracts/servers.ts';

/** `^PLUGIN$` of plugins, whose names it stands among. */
export const serverName = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const object = jsonObjectSchema;
const words = v.array(v.string());
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const serverSchema = v.object({
  name: v.pipe(v.string(), v.maxLength(40), v.regex(serverName)),
  definition: v.object({
    source: v.variant('kind', [
      v.object({ kind: v.literal('command'), command: v.pipe(words, v.minLength(1)) }),
      v.object({
        kind: v.literal('package'),
        package: v.string(),
        version: v.string(),
        registry: v.string(),
        lock: digest,
        program: v.string(),
        args: words,
      }),
      v.object({ kind: v.literal('remote'), url: v.pipe(v.string(), v.url()) }),
    ]),
    env: v.record(v.string(), v.nullable(v.string())),
    secrets: words,
    workspace: v.exactOptional(v.string()),
    project: v.exactOptional(v.string()),
  }),
  addedMs: v.number(),
  isOld: v.boolean(),
  tools: v.array(
    v.object({
      name: v.string(),
      own: v.string(),
      description: v.string(),
      inputSchema: object,
      outputSchema: v.exactOptional(object),
      digest,
    }),
  ),
  reads: words,
  off: words,
});

/** What `cuervo mcp show NAME --json` prints. */
export const listedServerSchema = v.object({
  ...serverSchema.entries,
  digest,
  grants: words,
});

/** `server.json` of an added server. @throws {KernelError} `invalid-argument` */
export function parseServer(text: string, path: string): AddedServer {
  const parsed = v.safeParse(serverSchema, decode(text), { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [{ path: at = [] }] = parsed.issues;
  const field = at.map(({ key }) => String(key)).join('.');
  throw new KernelError(
    'invalid-argument',
    `${path} cannot be read: ${field || 'no JSON object'}`,
    {
      hint: 'Remove the server and add it again: cuervo mcp remove NAME',
    },
  );
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const packageSchema = v.object({
  version: v.pipe(v.string(), v.minLength(1), v.maxLength(256)),
  bin: v.optional(v.union([v.string(), v.record(v.string(), v.string())]), {}),
});

/** `package.json` of a package with a server. @throws {KernelError} `invalid-argument` */
export function parsePackageFile(
  text: string,
  name: string,
): { version: string; programs: Record<string, string> } {
  const parsed = v.safeParse(packageSchema, decode(text), { abortEarly: true });
  if (!parsed.success)
    throw new KernelError('invalid-argument', `the package.json of ${name} cannot be read`);
  const { version, bin } = parsed.output;
  const [short = name] = name.split('/').slice(-1);
  return { version, programs: typeof bin === 'string' ? { [short]: bin } : bin };
}

const listedSchema = v.object({
  name: v.pipe(v.string(), v.minLength(1)),
  description: v.optional(v.string(), ''),
  inputSchema: object,
  outputSchema: v.optional(object),
});

/** A page of tools, each of them unchecked: one that is none must not take the others away. */
export const toolsPageSchema = v.looseObject({
  tools: v.array(v.unknown()),
  nextCursor: v.optional(v.string()),
});

/** One tool as a server lists it; the reason where it is none. */
export type ListedTool = v.InferOutput<typeof listedSchema>;

export function parseListedTool(value: unknown): ListedTool | string {
  const parsed = v.safeParse(listedSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const field = parsed.issues[0].path?.map(({ key }) => String(key)).join('.') ?? 'it';
  return `${field} is missing or of the wrong type`;
}

const loginSchema = v.object({
  issuer: v.string(),
  /** where tokens come from */
  endpoint: v.string(),
  /** how a client may say who it is there */
  methods: v.array(v.string()),
  client: v.object({
    client_id: v.string(),
    client_secret: v.exactOptional(v.string()),
    token_endpoint_auth_method: v.exactOptional(v.string()),
  }),
  resource: v.exactOptional(v.string()),
  refresh: v.exactOptional(v.string()),
});

/** What is kept of a sign-in beside its token, as a secret. */
export type Login = v.InferOutput<typeof loginSchema>;

/** As a secret holds it: printable ASCII. */
export function formatLogin(login: Login): string {
  return JSON.stringify(login).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @throws {KernelError} `invalid-argument`, without a word of what it holds */
export function parseLogin(text: string, name: string): Login {
  const parsed = v.safeParse(loginSchema, decode(text), { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw new KernelError('invalid-argument', `the secret ${name} holds no sign-in`, {
    hint: `Take it away, and sign in again: cuervo secret remove ${name}`,
  });
}

const wordList = v.array(v.string());
const texts = v.record(v.string(), v.string());
const fileSchema = v.object({ mcpServers: v.record(v.string(), v.unknown()) });
const entrySchema = v.object({
  type: v.optional(v.string()),
  command: v.optional(v.string()),
  args: v.optional(wordList, []),
  env: v.optional(texts, {}),
  url: v.optional(v.string()),
  headers: v.optional(texts, {}),
});

/** One server as `.mcp.json` names it. */
export type ProjectEntry = v.InferOutput<typeof entrySchema>;

/** The entries of `.mcp.json`, in its order; undefined for what is no such file. */
export function parseProjectServers(
  text: string,
): [name: string, entry: ProjectEntry | undefined][] | undefined {
  const parsed = v.safeParse(fileSchema, decode(text), { abortEarly: true });
  if (!parsed.success) return undefined;
  return Object.entries(parsed.output.mcpServers).map(([name, value]) => {
    const entry = v.safeParse(entrySchema, value, { abortEarly: true });
    return [name, entry.success ? entry.output : undefined];
  });
}
