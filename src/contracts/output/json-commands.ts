/** A command that prints JSON, and the schema of what it prints. */
type Row = {
  command: string;
  /** other output than without the flag */
  flag?: '--list' | '--status' | '--remove' | '--locked' | '--last';
  /** file name below `src/contracts/schema` */
  schema: string;
  prints: 'lines' | 'object';
  /** also without `--json` */
  always?: true;
};

/** The one list of commands with JSON output. The schemas, their page and the tests follow it. */
export const jsonCommands = [
  { command: 'cuervo ask', schema: 'event', prints: 'lines' },
  { command: 'cuervo chat', schema: 'event', prints: 'lines' },
  { command: 'cuervo run', schema: 'event', prints: 'lines' },
  { command: 'cuervo script', schema: 'event', prints: 'lines' },
  { command: 'cuervo runs guard', schema: 'event', prints: 'lines' },
  { command: 'cuervo plan', schema: 'plan', prints: 'object' },
  { command: 'cuervo tools', schema: 'tool', prints: 'lines' },
  { command: 'cuervo plugin inspect', schema: 'inspect-report', prints: 'object' },
  { command: 'cuervo plugin dev', schema: 'event', prints: 'lines' },
  { command: 'cuervo plugin verify', schema: 'inspect-report', prints: 'object' },
  { command: 'cuervo plugin list', schema: 'listed-plugin', prints: 'lines' },
  { command: 'cuervo plugin install', schema: 'listed-plugin', prints: 'object' },
  { command: 'cuervo plugin install', flag: '--locked', schema: 'listed-plugin', prints: 'lines' },
  { command: 'cuervo plugin rollback', schema: 'listed-plugin', prints: 'object' },
  { command: 'cuervo plugin update', schema: 'updated-plugin', prints: 'lines' },
  { command: 'cuervo plugin info', schema: 'plugin-info', prints: 'object' },
  { command: 'cuervo plugin search', schema: 'found-plugin', prints: 'lines' },
  { command: 'cuervo plugin audit', schema: 'audit-finding', prints: 'lines' },
  { command: 'cuervo plugin learn', schema: 'learned-grant', prints: 'lines' },
  { command: 'cuervo plugin publish', schema: 'published-plugin', prints: 'object' },
  { command: 'cuervo plugin grants', schema: 'listed-grant', prints: 'lines' },
  { command: 'cuervo plugin grant', schema: 'listed-grant', prints: 'lines' },
  { command: 'cuervo mcp add', schema: 'added-server', prints: 'object' },
  { command: 'cuervo mcp list', schema: 'added-server', prints: 'lines' },
  { command: 'cuervo mcp show', schema: 'added-server', prints: 'object' },
  { command: 'cuervo secret list', schema: 'listed-secret', prints: 'lines' },
  { command: 'cuervo secret set', schema: 'listed-secret', prints: 'object' },
  { command: 'cuervo doctor', schema: 'finding', prints: 'lines' },
  { command: 'cuervo memory search', schema: 'memory-hit', prints: 'lines' },
  { command: 'cuervo memory list', schema: 'memory-row', prints: 'lines' },
  { command: 'cuervo memory show', schema: 'memory-row', prints: 'object' },
  { command: 'cuervo memory history', schema: 'memory-row', prints: 'lines' },
  { command: 'cuervo memory edit', schema: 'memory-row', prints: 'object' },
  { command: 'cuervo memory replace', schema: 'memory-row', prints: 'object' },
  { command: 'cuervo memory revive', schema: 'memory-row', prints: 'object' },
  { command: 'cuervo memory demote', schema: 'memory-rows', prints: 'object' },
  { command: 'cuervo memory rebuild', schema: 'memory-rows', prints: 'object' },
  { command: 'cuervo memory export', schema: 'memory-row', prints: 'lines', always: true },
  { command: 'cuervo memory explain', schema: 'memory-explanation', prints: 'object' },
  { command: 'cuervo memory stats', schema: 'memory-stats', prints: 'lines' },
  { command: 'cuervo index', schema: 'index-done', prints: 'object' },
  { command: 'cuervo index', flag: '--status', schema: 'index-state', prints: 'object' },
  { command: 'cuervo index', flag: '--remove', schema: 'memory-rows', prints: 'object' },
  { command: 'cuervo map', schema: 'workspace-map', prints: 'object' },
  { command: 'cuervo memory add', schema: 'memory-added', prints: 'object' },
  { command: 'cuervo memory forget', schema: 'memory-counts', prints: 'object' },
  { command: 'cuervo memory promote', schema: 'memory-promoted', prints: 'lines' },
  { command: 'cuervo memory import', schema: 'memory-rows', prints: 'object' },
  { command: 'cuervo memory reembed', schema: 'memory-rows', prints: 'object' },
  { command: 'cuervo memory compact', schema: 'memory-layers', prints: 'object' },
  { command: 'cuervo session list', schema: 'session', prints: 'lines' },
  { command: 'cuervo session show', schema: 'message', prints: 'lines' },
  { command: 'cuervo session resume', schema: 'event', prints: 'lines' },
  { command: 'cuervo session export', schema: 'session-entry', prints: 'lines' },
  { command: 'cuervo session fork', schema: 'session', prints: 'object' },
  { command: 'cuervo undo', schema: 'undone', prints: 'lines' },
  { command: 'cuervo undo', flag: '--list', schema: 'changed-run', prints: 'lines' },
  { command: 'cuervo runs list', schema: 'listed-run', prints: 'lines' },
  { command: 'cuervo runs show', schema: 'journal-event', prints: 'lines' },
  { command: 'cuervo runs replay', schema: 'replay-report', prints: 'object' },
  { command: 'cuervo runs replay', flag: '--last', schema: 'replay-report', prints: 'lines' },
  { command: 'cuervo runs export', schema: 'journal-event', prints: 'lines' },
  { command: 'cuervo runs blame', schema: 'blamed-lines', prints: 'lines' },
  { command: 'cuervo plugin use', schema: 'used-grant', prints: 'lines' },
  { command: 'cuervo explain', schema: 'run-explanation', prints: 'object' },
  { command: 'cuervo stats', schema: 'stats', prints: 'object' },
  { command: 'cuervo audit verify', schema: 'audit-report', prints: 'object' },
  { command: 'cuervo apply', schema: 'applied', prints: 'object' },
  { command: 'cuervo apply', flag: '--list', schema: 'dry-run', prints: 'lines' },
  { command: 'cuervo jobs list', schema: 'listed-job', prints: 'lines' },
  { command: 'cuervo jobs log', schema: 'job-run', prints: 'lines' },
  { command: 'cuervo jobs run', schema: 'job-run', prints: 'object' },
  { command: 'cuervo scheduler run', schema: 'job-run', prints: 'lines' },
  { command: 'cuervo worker', schema: 'fleet-job', prints: 'lines' },
  { command: 'cuervo fleet ask', schema: 'fleet-status', prints: 'object' },
  { command: 'cuervo fleet run', schema: 'fleet-status', prints: 'object' },
  { command: 'cuervo fleet index', schema: 'fleet-status', prints: 'object' },
  { command: 'cuervo fleet status', schema: 'fleet-status', prints: 'lines' },
  { command: 'cuervo fleet results', schema: 'fleet-result', prints: 'lines' },
  { command: 'cuervo fleet apply', schema: 'fleet-change', prints: 'lines' },
  { command: 'cuervo fleet undo', schema: 'fleet-change', prints: 'lines' },
  { command: 'cuervo model add', schema: 'listed-model', prints: 'lines' },
  { command: 'cuervo model list', schema: 'listed-model', prints: 'lines' },
  { command: 'cuervo model pull', schema: 'pulled-model', prints: 'object' },
  { command: 'cuervo model show', schema: 'listed-model', prints: 'object' },
  { command: 'cuervo model use', schema: 'listed-model', prints: 'object' },
  { command: 'cuervo model status', schema: 'finding', prints: 'lines' },
  { command: 'cuervo model test', schema: 'model-score', prints: 'object' },
  { command: 'cuervo do', schema: 'event', prints: 'lines' },
  { command: 'cuervo skill list', schema: 'listed-skill', prints: 'lines' },
  { command: 'cuervo config list', schema: 'setting', prints: 'lines' },
  { command: 'cuervo config get', schema: 'setting', prints: 'object' },
  { command: 'cuervo policy test', schema: 'tested-command', prints: 'object' },
  { command: 'cuervo policy rules', schema: 'listed-rule', prints: 'lines' },
  { command: 'cuervo add', schema: 'listed-part', prints: 'lines' },
  { command: 'npm run bench --', schema: 'bench-line', prints: 'lines' },
] as const satisfies readonly Row[];

export type SchemaName = (typeof jsonCommands)[number]['schema'];

/** As typed, without what the person fills in: `cuervo undo --list --json`. */
export function commandsOf(schema: SchemaName, prints: Row['prints']): string[] {
  return (jsonCommands as readonly Row[])
    .filter((row) => row.schema === schema && row.prints === prints)
    .map(typed);
}

/** The schema of what a command prints; undefined where none is known. */
export function schemaOfCommand(args: readonly string[]): string | undefined {
  const words = ['cuervo', ...args.filter((word) => !word.startsWith('-'))].join(' ');
  const rows = (jsonCommands as readonly Row[]).filter(
    ({ command, flag }) =>
      `${words} `.startsWith(`${command} `) && (flag === undefined || args.includes(flag)),
  );
  return (rows.find(({ flag }) => flag !== undefined) ?? rows[0])?.schema;
}

function typed({ command, flag, always }: Row): string {
  const words = [command, ...(flag === undefined ? [] : [flag])];
  return [...words, ...(always ? [] : ['--json'])].join(' ');
}
