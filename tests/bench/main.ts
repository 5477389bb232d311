import { parseArgs } from 'node:util';
import { type Bench, openBenchContext } from './bench-context.ts';
import type { BenchLine } from './bench-line.ts';
import { failedLine } from './bench-line.ts';
import { asyncBenches } from './cases/async.ts';
import { callBenches } from './cases/call.ts';
import { cliBenches } from './cases/cli.ts';
import { execBenches } from './cases/exec.ts';
import { fsBenches } from './cases/fs.ts';
import { gitBenches } from './cases/git.ts';
import { indexBenches } from './cases/index-tree.ts';
import { llamaBenches } from './cases/llama.ts';
import { mcpBenches } from './cases/mcp.ts';
import { pluginBenches } from './cases/plugins.ts';
import { processBenches } from './cases/process.ts';
import { rssBenches } from './cases/rss.ts';
import { scaleBenches } from './cases/scale.ts';
import { schedulerBenches } from './cases/scheduler.ts';
import { searchBenches } from './cases/search.ts';
import { talkBenches } from './cases/talk.ts';
import { workspaceBenches } from './cases/workspace.ts';
import { formatTable } from './format-table.ts';

const benches: readonly Bench[] = [
  ...callBenches,
  ...asyncBenches,
  ...processBenches,
  ...execBenches,
  ...fsBenches,
  ...searchBenches,
  ...gitBenches,
  ...workspaceBenches,
  ...cliBenches,
  ...pluginBenches,
  ...rssBenches,
  ...mcpBenches,
  ...schedulerBenches,
  ...indexBenches,
  ...talkBenches,
  ...llamaBenches,
  ...scaleBenches,
];

const usage = `npm run bench -- [--json] [--check] [NAME…]
  --json   one object a line instead of a table
  --check  exit 1 when a figure is out of reach
  NAME     one of ${benches.map(({ name }) => name).join(', ')}, or the part before a dot`;

/** One bench after the other: two at once would measure each other. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const matches = (wanted: string, name: string): boolean =>
    name === wanted || name.startsWith(`${wanted}.`);
  const unknown = positionals.find((wanted) => !benches.some(({ name }) => matches(wanted, name)));
  if (unknown !== undefined) {
    console.error(`there is no bench "${unknown}"\n${usage}`);
    return 2;
  }
  const chosen = benches.filter(
    ({ name }) => positionals.length === 0 || positionals.some((wanted) => matches(wanted, name)),
  );
  await using context = openBenchContext();
  const lines: BenchLine[] = [];
  for (const bench of chosen) {
    console.error(`${bench.name} …`);
    const line = await bench.run(context).catch((thrown: unknown) => {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return failedLine(bench, `not measured: ${reason.split('\n', 1)[0]}`);
    });
    lines.push(line);
    if (values.json) console.log(JSON.stringify(line));
  }
  if (!values.json) console.log(formatTable(lines));
  return values.check && lines.some(({ ok }) => !ok) ? 1 : 0;
}

process.exitCode = await main();
