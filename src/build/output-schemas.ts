import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, InferOutput } from 'valibot';
import type { RunEvent } from '../contracts/events.ts';
import type { ChangedRun, ListedRun } from '../contracts/file-changes.ts';
import type { JobRun, ListedJob } from '../contracts/jobs.ts';
import type {
  Added,
  Indexed,
  IndexState,
  LayerCounts,
  LayerStats,
  MemoryExplanation,
  MemoryHit,
  MemoryLayer,
  MemoryRecord,
} from '../contracts/memory.ts';
import { commandsOf, type SchemaName } from '../contracts/output/json-commands.ts';
import { benchLineSchema } from '../contracts/output/parse-bench-line.ts';
import { eventSchema, eventSchemas } from '../contracts/output/parse-events.ts';
import { findingSchema } from '../contracts/output/parse-finding.ts';
import { jobRunSchema, listedJobSchema } from '../contracts/output/parse-jobs.ts';
import { listedModelSchema } from '../contracts/output/parse-listed-model.ts';
import {
  addedSchema,
  indexedSchema,
  indexStateSchema,
  layerCountsSchema,
  layerStatsSchema,
  layersDoneSchema,
  memoryExplanationSchema,
  memoryHitSchema,
  memoryRowSchema,
  promotedSchema,
  rowsDoneSchema,
} from '../contracts/output/parse-memory.ts';
import { modelScoreSchema } from '../contracts/output/parse-model-score.ts';
import { listedPartSchema } from '../contracts/output/parse-part.ts';
import {
  auditFindingSchema,
  foundPluginSchema,
  inspectReportSchema,
  learnedGrantSchema,
  listedGrantSchema,
  listedPluginSchema,
  listedSecretSchema,
  pluginInfoSchema,
  publishedPluginSchema,
  updatedPluginSchema,
} from '../contracts/output/parse-plugin-output.ts';
import { listedRuleSchema, testedCommandSchema } from '../contracts/output/parse-policy.ts';
import { pulledModelSchema } from '../contracts/output/parse-pulled-model.ts';
import {
  appliedSchema,
  changedRunSchema,
  dryRunSchema,
  listedRunSchema,
  messageSchema,
  sessionEntrySchema,
  sessionSchema,
  undoneSchema,
} from '../contracts/output/parse-session.ts';
import { toolSchema } from '../contracts/output/parse-tool.ts';
import type { MessageRow, SessionRow } from '../contracts/store.ts';
import type { ListedModel } from '../contracts/talk/listed-model.ts';
import type { SessionEntry } from '../contracts/talk/session-entry.ts';
import type { Tool } from '../contracts/tool.ts';
import type { InspectReport } from '../host/install/component/inspect-report.ts';
import type { Applied, DryRunRow } from '../kernel/changes/apply-commands.ts';
import type { Undone } from '../kernel/changes/undo-commands.ts';
import type { ListedGrant } from '../kernel/consent/grant-commands.ts';
import type { ListedRule, TestedCommand } from '../kernel/consent/policy-commands.ts';
import type { Finding } from '../kernel/doctor/doctor-finding.ts';
import type { PulledModel } from '../kernel/models/pull-model.ts';
import type { AuditFinding, FoundPlugin, LearnedGrant } from '../kernel/plugins/find-plugins.ts';
import type { ListedPlugin } from '../kernel/plugins/list-plugins.ts';
import type { PluginInfo } from '../kernel/plugins/plugin-commands.ts';
import type { PublishedTarget } from '../kernel/plugins/publish-plugin.ts';
import type { UpdatedPlugin } from '../kernel/plugins/update-plugins.ts';
import type { ListedSecret } from '../kernel/secrets/secrets-commands.ts';
import type { ModelScore } from '../models/test-model.ts';
import type { ListedPart } from '../packages/part-state.ts';

/** Whether somebody may change a list is nothing that JSON could show. */
type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

/** Identity, not assignability: a key that is optional on one side only is a difference. */
type Same<Left, Right> =
  (<T>() => T extends Frozen<Left> ? 1 : 2) extends <T>() => T extends Frozen<Right> ? 1 : 2
    ? unknown
    : never;

/**
 * The schema of what is printed as `Printed`. It does not compile when the values of the two
 * differ, so that neither can drift from the other.
 */
function schemaOf<Printed>() {
  return <Schema extends GenericSchema<unknown, unknown>>(
    schema: Schema & Same<Printed, InferOutput<Schema>>,
  ): GenericSchema => schema as unknown as GenericSchema;
}

/** File name below `src/contracts/schema` -> schema of what is printed. */
const outputs: Readonly<Record<SchemaName, GenericSchema>> = {
  event: schemaOf<RunEvent>()(eventSchema),
  plan: eventSchemas.plan,
  tool: schemaOf<Tool>()(toolSchema),
  'inspect-report': schemaOf<InspectReport>()(inspectReportSchema),
  'listed-plugin': schemaOf<ListedPlugin>()(listedPluginSchema),
  'plugin-info': schemaOf<PluginInfo>()(pluginInfoSchema),
  'updated-plugin': schemaOf<UpdatedPlugin>()(updatedPluginSchema),
  'found-plugin': schemaOf<FoundPlugin>()(foundPluginSchema),
  'audit-finding': schemaOf<AuditFinding>()(auditFindingSchema),
  'learned-grant': schemaOf<LearnedGrant>()(learnedGrantSchema),
  'published-plugin': schemaOf<{ dryRun: boolean; targets: PublishedTarget[] }>()(
    publishedPluginSchema,
  ),
  'listed-grant': schemaOf<ListedGrant>()(listedGrantSchema),
  'listed-secret': schemaOf<ListedSecret>()(listedSecretSchema),
  finding: schemaOf<Finding>()(findingSchema),
  'memory-hit': schemaOf<MemoryHit>()(memoryHitSchema),
  'memory-row': schemaOf<{ id: string } & MemoryRecord>()(memoryRowSchema),
  'memory-explanation': schemaOf<MemoryExplanation>()(memoryExplanationSchema),
  'memory-stats': schemaOf<LayerStats>()(layerStatsSchema),
  'index-done': schemaOf<Indexed>()(indexedSchema),
  'index-state': schemaOf<IndexState>()(indexStateSchema),
  'memory-added': schemaOf<Added>()(addedSchema),
  'memory-counts': schemaOf<LayerCounts>()(layerCountsSchema),
  'memory-promoted': schemaOf<{ id: string; from: string }>()(promotedSchema),
  'memory-rows': schemaOf<{ rows: number }>()(rowsDoneSchema),
  'memory-layers': schemaOf<{ layers: MemoryLayer[] }>()(layersDoneSchema),
  session: schemaOf<SessionRow>()(sessionSchema),
  'changed-run': schemaOf<ChangedRun>()(changedRunSchema),
  'listed-run': schemaOf<ListedRun>()(listedRunSchema),
  undone: schemaOf<Undone>()(undoneSchema),
  applied: schemaOf<Applied>()(appliedSchema),
  'dry-run': schemaOf<DryRunRow>()(dryRunSchema),
  message: schemaOf<MessageRow>()(messageSchema),
  'session-entry': schemaOf<SessionEntry>()(sessionEntrySchema),
  'listed-job': schemaOf<ListedJob>()(listedJobSchema),
  'job-run': schemaOf<JobRun>()(jobRunSchema),
  'listed-model': schemaOf<ListedModel>()(listedModelSchema),
  'pulled-model': schemaOf<PulledModel>()(pulledModelSchema),
  'model-score': schemaOf<{ model: string } & ModelScore>()(modelScoreSchema),
  'tested-command': schemaOf<TestedCommand>()(testedCommandSchema),
  'listed-rule': schemaOf<ListedRule>()(listedRuleSchema),
  'listed-part': schemaOf<ListedPart>()(listedPartSchema),
  'bench-line': benchLineSchema,
};

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // JSON has no word for it.
  ignoreActions: ['readonly'],
};

/** Path relative to the root of the repository -> text of a JSON Schema. */
export function outputSchemas(): [string, string][] {
  return (Object.keys(outputs) as SchemaName[]).map((name) => {
    const { $schema, ...rest } = toJsonSchema(outputs[name] as never, conversion);
    const titled = { $schema, title: `cuervo ${name}`, $comment: printedBy(name), ...rest };
    return [`src/contracts/schema/${name}.json`, `${JSON.stringify(titled, null, 2)}\n`];
  });
}

/** `one line of cuervo jobs log --json; cuervo jobs run --json` */
function printedBy(name: SchemaName): string {
  const lines = commandsOf(name, 'lines').join(' and ');
  return [
    ...(lines === '' ? [] : [`one line of ${lines}`]),
    ...commandsOf(name, 'object'),
    ...(name === 'event' ? ['every error'] : []),
  ].join('; ');
}

/** The rows of the table in `docs/events.md`: commands, and the schema of what they print. */
export function jsonTable(): string {
  const rows = (Object.keys(outputs) as SchemaName[]).map((name) => {
    const commands = [...commandsOf(name, 'lines'), ...commandsOf(name, 'object')].map(
      (command) => `\`${command.replace(/^cuervo |(?: --)? --json$/g, '')}\``,
    );
    const all = name === 'event' ? [...commands, 'every error'] : commands;
    return `| ${all.join(', ')} | [${name}.json](../src/contracts/schema/${name}.json) |`;
  });
  return ['| command | schema of a line |', '|---|---|', ...rows].join('\n');
}
