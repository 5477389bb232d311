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
import { benchLineSchema } from '../contracts/parse-bench-line.ts';
import { eventSchema, eventSchemas } from '../contracts/parse-events.ts';
import { findingSchema } from '../contracts/parse-finding.ts';
import { jobRunSchema, listedJobSchema } from '../contracts/parse-jobs.ts';
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
} from '../contracts/parse-memory.ts';
import { modelScoreSchema } from '../contracts/parse-model-score.ts';
import {
  inspectReportSchema,
  listedGrantSchema,
  listedPluginSchema,
  listedSecretSchema,
} from '../contracts/parse-plugin-output.ts';
import { listedRuleSchema, testedCommandSchema } from '../contracts/parse-policy.ts';
import {
  appliedSchema,
  changedRunSchema,
  dryRunSchema,
  listedRunSchema,
  messageSchema,
  sessionSchema,
  undoneSchema,
} from '../contracts/parse-session.ts';
import { toolSchema } from '../contracts/parse-tool.ts';
import type { MessageRow, SessionRow } from '../contracts/store.ts';
import type { Tool } from '../contracts/tool.ts';
import type { InspectReport } from '../host/component/inspect-report.ts';
import type { Applied, DryRunRow } from '../kernel/apply-commands.ts';
import type { Finding } from '../kernel/doctor-finding.ts';
import type { ListedGrant } from '../kernel/grant-commands.ts';
import type { ListedPlugin } from '../kernel/plugin-commands.ts';
import type { ListedRule, TestedCommand } from '../kernel/policy-commands.ts';
import type { ListedSecret } from '../kernel/secrets-commands.ts';
import type { Undone } from '../kernel/undo-commands.ts';
import type { ModelScore } from '../models/test-model.ts';

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

/** File name below `src/contracts/schema` -> schema of a line, and what prints it. */
const outputs: Readonly<Record<string, { schema: GenericSchema; printedBy: string }>> = {
  event: {
    schema: schemaOf<RunEvent>()(eventSchema),
    printedBy: 'one line of cuervo ask --json and cuervo run --json; every error',
  },
  plan: { schema: eventSchemas.plan, printedBy: 'cuervo plan --json' },
  tool: { schema: schemaOf<Tool>()(toolSchema), printedBy: 'one line of cuervo tools --json' },
  'inspect-report': {
    schema: schemaOf<InspectReport>()(inspectReportSchema),
    printedBy: 'cuervo plugin inspect --json',
  },
  'listed-plugin': {
    schema: schemaOf<ListedPlugin>()(listedPluginSchema),
    printedBy: 'one line of cuervo plugin list --json; cuervo plugin install --json',
  },
  'listed-grant': {
    schema: schemaOf<ListedGrant>()(listedGrantSchema),
    printedBy: 'one line of cuervo plugin grants --json and cuervo plugin grant --json',
  },
  'listed-secret': {
    schema: schemaOf<ListedSecret>()(listedSecretSchema),
    printedBy: 'one line of cuervo secret list --json; cuervo secret set --json',
  },
  finding: {
    schema: schemaOf<Finding>()(findingSchema),
    printedBy: 'one line of cuervo doctor --json',
  },
  'memory-hit': {
    schema: schemaOf<MemoryHit>()(memoryHitSchema),
    printedBy: 'one line of cuervo memory search --json',
  },
  'memory-row': {
    schema: schemaOf<{ id: string } & MemoryRecord>()(memoryRowSchema),
    printedBy: 'one line of cuervo memory list --json, show --json and export',
  },
  'memory-explanation': {
    schema: schemaOf<MemoryExplanation>()(memoryExplanationSchema),
    printedBy: 'cuervo memory explain --json',
  },
  'memory-stats': {
    schema: schemaOf<LayerStats>()(layerStatsSchema),
    printedBy: 'one line of cuervo memory stats --json',
  },
  'index-done': {
    schema: schemaOf<Indexed>()(indexedSchema),
    printedBy: 'cuervo index --json',
  },
  'index-state': {
    schema: schemaOf<IndexState>()(indexStateSchema),
    printedBy: 'cuervo index --status --json',
  },
  'memory-added': {
    schema: schemaOf<Added>()(addedSchema),
    printedBy: 'cuervo memory add --json',
  },
  'memory-counts': {
    schema: schemaOf<LayerCounts>()(layerCountsSchema),
    printedBy: 'cuervo memory forget --json',
  },
  'memory-promoted': {
    schema: schemaOf<{ id: string; from: string }>()(promotedSchema),
    printedBy: 'one line of cuervo memory promote --json',
  },
  'memory-rows': {
    schema: schemaOf<{ rows: number }>()(rowsDoneSchema),
    printedBy: 'cuervo memory import --json and cuervo memory reembed --json',
  },
  'memory-layers': {
    schema: schemaOf<{ layers: MemoryLayer[] }>()(layersDoneSchema),
    printedBy: 'cuervo memory compact --json',
  },
  session: {
    schema: schemaOf<SessionRow>()(sessionSchema),
    printedBy: 'one line of cuervo session list --json',
  },
  'changed-run': {
    schema: schemaOf<ChangedRun>()(changedRunSchema),
    printedBy: 'one line of cuervo undo --list --json',
  },
  'listed-run': {
    schema: schemaOf<ListedRun>()(listedRunSchema),
    printedBy: 'one line of cuervo runs list --json',
  },
  undone: {
    schema: schemaOf<Undone>()(undoneSchema),
    printedBy: 'one line of cuervo undo --json',
  },
  applied: {
    schema: schemaOf<Applied>()(appliedSchema),
    printedBy: 'what cuervo apply --json prints',
  },
  'dry-run': {
    schema: schemaOf<DryRunRow>()(dryRunSchema),
    printedBy: 'one line of cuervo apply --list --json',
  },
  message: {
    schema: schemaOf<MessageRow>()(messageSchema),
    printedBy: 'one line of cuervo session show --json',
  },
  'listed-job': {
    schema: schemaOf<ListedJob>()(listedJobSchema),
    printedBy: 'one line of cuervo jobs list --json',
  },
  'job-run': {
    schema: schemaOf<JobRun>()(jobRunSchema),
    printedBy:
      'one line of cuervo jobs log --json and scheduler run --json; cuervo jobs run --json',
  },
  'model-score': {
    schema: schemaOf<{ model: string } & ModelScore>()(modelScoreSchema),
    printedBy: 'cuervo model test --json',
  },
  'tested-command': {
    schema: schemaOf<TestedCommand>()(testedCommandSchema),
    printedBy: 'cuervo policy test --json',
  },
  'listed-rule': {
    schema: schemaOf<ListedRule>()(listedRuleSchema),
    printedBy: 'one line of cuervo policy rules --json',
  },
  'bench-line': { schema: benchLineSchema, printedBy: 'one line of npm run bench -- --json' },
};

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // JSON has no word for it.
  ignoreActions: ['readonly'],
};

/** Path relative to the root of the repository -> text of a JSON Schema. */
export function outputSchemas(): [string, string][] {
  return Object.entries(outputs).map(([name, { schema, printedBy }]) => {
    const { $schema, ...rest } = toJsonSchema(schema as never, conversion);
    const titled = { $schema, title: `cuervo ${name}`, $comment: printedBy, ...rest };
    return [`src/contracts/schema/${name}.json`, `${JSON.stringify(titled, null, 2)}\n`];
  });
}
