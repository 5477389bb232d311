import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema, InferOutput } from 'valibot';
import { pluginTomlSchema } from '../../sdk/languages/parse-plugin-toml.ts';
import { configSchema } from '../config/parse-config.ts';
import type { RunEvent } from '../contracts/events.ts';
import type { JobRun } from '../contracts/jobs.ts';
import type { LayerCounts, LayerStats, MemoryHit, MemoryRecord } from '../contracts/memory.ts';
import { commandsOf, type SchemaName } from '../contracts/output/json-commands.ts';
import { eventSchema, eventSchemas } from '../contracts/output/parse-events.ts';
import {
  fleetChangeSchema,
  fleetJobSchema,
  fleetResultSchema,
  fleetStatusSchema,
  jobRunSchema,
  listedJobSchema,
} from '../contracts/output/parse-jobs.ts';
import {
  auditReportSchema,
  blamedLinesSchema,
  explanationSchema,
  journalEventSchema,
  replayReportSchema,
  statsSchema,
} from '../contracts/output/parse-journal.ts';
import { workspaceMapSchema } from '../contracts/output/parse-map.ts';
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
import {
  listedModelSchema,
  modelScoreSchema,
  pulledModelSchema,
} from '../contracts/output/parse-model.ts';
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
  toolSchema,
  updatedPluginSchema,
  usedGrantSchema,
} from '../contracts/output/parse-plugin-output.ts';
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
import {
  benchLineSchema,
  findingSchema,
  listedPartSchema,
  listedRuleSchema,
  listedSkillSchema,
  settingSchema,
  testedCommandSchema,
} from '../contracts/output/parse-setup.ts';
import type { MessageRow, SessionRow } from '../contracts/store.ts';
import type { Tool } from '../contracts/tool.ts';
import { listedServerSchema } from '../servers/parse-server.ts';

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
  'inspect-report': inspectReportSchema,
  'listed-plugin': listedPluginSchema,
  'plugin-info': pluginInfoSchema,
  'updated-plugin': updatedPluginSchema,
  'found-plugin': foundPluginSchema,
  'audit-finding': auditFindingSchema,
  'learned-grant': learnedGrantSchema,
  'published-plugin': publishedPluginSchema,
  'listed-grant': listedGrantSchema,
  'listed-secret': listedSecretSchema,
  'added-server': listedServerSchema,
  finding: findingSchema,
  'memory-hit': schemaOf<MemoryHit>()(memoryHitSchema),
  'memory-row': schemaOf<{ id: string } & MemoryRecord>()(memoryRowSchema),
  'memory-explanation': memoryExplanationSchema,
  'memory-stats': schemaOf<LayerStats>()(layerStatsSchema),
  'index-done': indexedSchema,
  'index-state': indexStateSchema,
  'workspace-map': workspaceMapSchema,
  'memory-added': addedSchema,
  'memory-counts': schemaOf<LayerCounts>()(layerCountsSchema),
  'memory-promoted': promotedSchema,
  'memory-rows': rowsDoneSchema,
  'memory-layers': layersDoneSchema,
  session: schemaOf<SessionRow>()(sessionSchema),
  'changed-run': changedRunSchema,
  'listed-run': listedRunSchema,
  undone: undoneSchema,
  applied: appliedSchema,
  'dry-run': dryRunSchema,
  'journal-event': journalEventSchema,
  'audit-report': auditReportSchema,
  'replay-report': replayReportSchema,
  'run-explanation': explanationSchema,
  stats: statsSchema,
  'blamed-lines': blamedLinesSchema,
  'used-grant': usedGrantSchema,
  message: schemaOf<MessageRow>()(messageSchema),
  'session-entry': sessionEntrySchema,
  'listed-job': listedJobSchema,
  'job-run': schemaOf<JobRun>()(jobRunSchema),
  'fleet-job': fleetJobSchema,
  'fleet-status': fleetStatusSchema,
  'fleet-result': fleetResultSchema,
  'fleet-change': fleetChangeSchema,
  'listed-model': listedModelSchema,
  'pulled-model': pulledModelSchema,
  'model-score': modelScoreSchema,
  'tested-command': testedCommandSchema,
  setting: settingSchema,
  'listed-skill': listedSkillSchema,
  'listed-rule': listedRuleSchema,
  'listed-part': listedPartSchema,
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

/** The JSON Schema of `plugin.toml`, for editors and for whoever writes one by hand. */
export function pluginTomlJson(): string {
  return schemaText(
    'plugin.toml',
    'What a plugin of cuervo is that has no definePlugin: docs/languages.md',
    pluginTomlSchema,
  );
}

/** The JSON Schema of `config.toml`, for editors. */
export function configTomlJson(): string {
  return schemaText('config.toml', 'Settings of cuervo: docs/configuration.md', configSchema);
}

function schemaText(
  title: string,
  description: string,
  of: Parameters<typeof toJsonSchema>[0],
): string {
  const schema = toJsonSchema(of, { errorMode: 'ignore', typeMode: 'input' });
  return `${JSON.stringify({ title, description, ...schema }, null, 2)}\n`;
}
