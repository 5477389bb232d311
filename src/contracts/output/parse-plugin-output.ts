import * as v from 'valibot';
import { capabilityNames } from '../capabilities.ts';
import { effects, type JsonObject } from '../tool.ts';
import { replayReportSchema } from './parse-journal.ts';

const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/), v.description('hex'));
const bytes = v.pipe(v.number(), v.description('bytes'));
const optional = v.exactOptional(v.string());

const effectSchema = v.picklist(effects);

/** Any JSON object: its values were JSON before they were checked. */
export const jsonObjectSchema = v.record(v.string(), v.unknown()) as v.GenericSchema<
  unknown,
  JsonObject
>;

const identity = v.object({
  text: v.pipe(v.string(), v.description('what is pinned, and what plugin trust takes')),
  kind: v.picklist(['sigstore', 'key']),
  issuer: optional,
  repository: optional,
  workflow: optional,
  repositoryId: optional,
});

/** What `cuervo plugin inspect FILE --json` prints. */
export const inspectReportSchema = v.object({
  file: v.pipe(v.string(), v.description('as the person named it')),
  size: bytes,
  sha256,
  kind: v.picklist(['plugin', 'component', 'module']),
  name: v.exactOptional(v.string()),
  version: v.exactOptional(v.string()),
  description: optional,
  licence: optional,
  homepage: optional,
  resolved: v.exactOptional(v.pipe(v.string(), v.description('exactly where it came from'))),
  identity: v.exactOptional(
    v.pipe(v.union([identity, v.literal('nobody')]), v.description('who vouches for it')),
  ),
  notes: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('signatures that do not hold, and the like')),
  ),
  imports: v.pipe(v.array(v.string()), v.description('strings of the binary')),
  exports: v.pipe(v.array(v.string()), v.description('strings of the binary')),
  capabilities: v.array(
    v.object({
      capability: v.picklist([...capabilityNames, 'network']),
      why: v.exactOptional(v.string()),
      by: v.exactOptional(
        v.pipe(
          v.picklist(['author', 'imports']),
          v.description('whose words why is: of the manifest, or ours about the imports'),
        ),
      ),
    }),
  ),
  hostCalls: v.exactOptional(
    v.pipe(v.number(), v.description('host calls of one call that it asks for in its manifest')),
  ),
  tools: v.array(
    v.object({
      name: v.string(),
      description: v.string(),
      effect: effectSchema,
      inputSchema: jsonObjectSchema,
      outputSchema: v.exactOptional(jsonObjectSchema),
    }),
  ),
  derived: v.pipe(
    v.boolean(),
    v.description('tools and effects follow from exports and imports: it describes none'),
  ),
  withheld: v.pipe(
    v.array(v.string()),
    v.description('exported functions that are not tools, and why, one sentence each'),
  ),
  tier: v.exactOptional(
    v.pipe(
      v.picklist(['os', 'process']),
      v.description(
        'what its process is confined by: a sandbox of the operating system, or Node alone',
      ),
    ),
  ),
  verdict: v.picklist(['installable', 'refused']),
  reasons: v.pipe(v.array(v.string()), v.description('why it is refused, one sentence each')),
});
export type InspectReport = v.InferOutput<typeof inspectReportSchema>;

/** One line of `cuervo plugin list --json`, and what `plugin install --json` prints. */
export const listedPluginSchema = v.object({
  name: v.string(),
  version: v.string(),
  sha256,
  capabilities: v.pipe(v.array(v.string()), v.description('what its binary asks for')),
  grants: v.pipe(v.array(v.string()), v.description('what it was granted, e.g. fs:work')),
  tools: v.pipe(v.array(v.string()), v.description('PLUGIN.TOOL')),
  source: v.pipe(v.string(), v.description('where it came from')),
  resolved: v.exactOptional(v.pipe(v.string(), v.description('exactly this binary there'))),
  identity: v.pipe(v.union([identity, v.literal('nobody')]), v.description('who vouches for it')),
  description: v.string(),
  licence: optional,
  homepage: optional,
  publishedAs: v.exactOptional(
    v.pipe(v.string(), v.description("its author's name for it, where you gave it another")),
  ),
});
export type ListedPlugin = v.InferOutput<typeof listedPluginSchema>;

/** What `cuervo plugin info --json` prints. */
export const pluginInfoSchema = v.object({
  ...inspectReportSchema.entries,
  versions: v.exactOptional(
    v.pipe(v.array(v.string()), v.description('of a package of npm, the newest first')),
  ),
  installed: v.exactOptional(
    v.object({
      source: v.string(),
      grants: v.array(v.string()),
      previous: v.exactOptional(
        v.pipe(v.string(), v.description('the version that plugin rollback goes back to')),
      ),
    }),
  ),
});
export type PluginInfo = v.InferOutput<typeof pluginInfoSchema>;

/** One line of `cuervo plugin update --json`. */
export const updatedPluginSchema = v.object({
  name: v.string(),
  outcome: v.picklist(['updated', 'current', 'declined', 'failed']),
  from: v.pipe(v.string(), v.description('the version before')),
  to: optional,
  reason: v.exactOptional(v.pipe(v.string(), v.description('why it is not the newer one now'))),
  hint: optional,
  replayed: v.exactOptional(
    v.pipe(v.array(replayReportSchema), v.description('with --replay: its newest runs')),
  ),
});
export type UpdatedPlugin = v.InferOutput<typeof updatedPluginSchema>;

/** One line of `cuervo plugin search --json`. */
export const foundPluginSchema = v.object({
  name: v.string(),
  description: v.string(),
  version: optional,
  source: v.pipe(v.string(), v.description('what plugin install takes')),
  from: v.pipe(v.string(), v.description('the registry or the index that names it')),
});
export type FoundPlugin = v.InferOutput<typeof foundPluginSchema>;

/** One line of `cuervo plugin audit --json`. */
export const auditFindingSchema = v.object({
  plugin: v.string(),
  kind: v.picklist(['unsigned', 'unused-grant', 'behind', 'identity', 'bad', 'unreachable']),
  grave: v.pipe(v.boolean(), v.description('the exit code is 1 where one is')),
  finding: v.string(),
  fix: v.exactOptional(v.pipe(v.string(), v.description('the next command'))),
});
export type AuditFinding = v.InferOutput<typeof auditFindingSchema>;

/** One line of `cuervo plugin learn --json`. */
export const learnedGrantSchema = v.object({
  plugin: v.string(),
  grant: v.pipe(v.string(), v.description('e.g. fs:work')),
  calls: v.number(),
  denied: v.pipe(v.number(), v.description('of these calls')),
  held: v.pipe(v.boolean(), v.description('the plugin was granted that already')),
});
export type LearnedGrant = v.InferOutput<typeof learnedGrantSchema>;

/** One line of `cuervo plugin use --json`. */
export const usedGrantSchema = v.object({
  plugin: v.string(),
  grant: v.string(),
  status: v.pipe(
    v.picklist(['held', 'built-in', 'not-held']),
    v.description('`not-held`: it was asked for and denied, or granted for a run'),
  ),
  calls: v.number(),
  denied: v.pipe(v.number(), v.description('of these calls')),
  lastMs: v.exactOptional(
    v.pipe(v.number(), v.description('of the last call, milliseconds since the Unix epoch')),
  ),
  isSpare: v.pipe(v.boolean(), v.description('it is held, and no recorded call needed it')),
});
export type UsedGrant = v.InferOutput<typeof usedGrantSchema>;

/** What `cuervo plugin publish --json` prints. */
export const publishedPluginSchema = v.object({
  dryRun: v.boolean(),
  targets: v.array(
    v.object({
      target: v.string(),
      files: v.array(v.object({ name: v.string(), bytes, sha256 })),
      text: v.pipe(v.string(), v.description('package.json, or the manifest')),
      digest: v.exactOptional(v.pipe(v.string(), v.description('of the manifest'))),
      tags: v.exactOptional(v.array(v.string())),
      command: v.exactOptional(v.array(v.string())),
    }),
  ),
});
export type PublishedTarget = v.InferOutput<typeof publishedPluginSchema>['targets'][number];

const ms = v.pipe(v.number(), v.description('milliseconds since the Unix epoch'));

/** One line of `cuervo plugin grants --json`, and what `plugin grant --json` prints. */
export const listedGrantSchema = v.object({
  plugin: v.string(),
  digest: v.pipe(sha256, v.description('of the binary that it was granted to')),
  grant: v.pipe(v.string(), v.description('e.g. fs:work')),
  status: v.pipe(
    v.picklist(['built-in', 'held', 'expired', 'other-binary', 'other-project', 'no-root']),
    v.description('only built-in and held give anything here'),
  ),
  project: v.exactOptional(
    v.pipe(v.string(), v.description('the workspace where it holds; everywhere without one')),
  ),
  session: v.exactOptional(
    v.pipe(v.string(), v.description('the session of ask where it holds; every one without it')),
  ),
  grantedMs: v.exactOptional(ms),
  expiresMs: v.exactOptional(ms),
});
export type ListedGrant = v.InferOutput<typeof listedGrantSchema>;

/** One line of `cuervo secret list --json`, and what `secret set --json` prints. */
export const listedSecretSchema = v.object({
  name: v.string(),
  origins: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('where it may be sent, and nowhere else'),
  ),
});
export type ListedSecret = v.InferOutput<typeof listedSecretSchema>;

/** One line of `cuervo tools --json`. */
export const toolSchema = v.object({
  name: v.pipe(v.string(), v.description('PLUGIN.TOOL')),
  plugin: v.string(),
  pluginVersion: v.string(),
  digest: v.pipe(v.string(), v.description("SHA-256 of the plugin's binary, hex")),
  effect: effectSchema,
  description: v.string(),
  inputSchema: v.pipe(jsonObjectSchema, v.description('JSON Schema 2020-12 of the input object')),
  outputSchema: v.exactOptional(
    v.pipe(jsonObjectSchema, v.description('JSON Schema of the content, where the tool has one')),
  ),
  examples: v.pipe(v.array(jsonObjectSchema), v.description('example inputs')),
});
