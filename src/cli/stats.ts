import type { Command } from 'commander';
import type { Stats } from '../contracts/output/parse-journal.ts';
import { counted } from '../lib/text/amounts.ts';
import { parseMoment } from './memory-options.ts';
import { openKernelFor } from './open-kernel.ts';
import { partLines, printOne } from './output.ts';

const examples = `
Examples:
  cuervo stats               all that the journal holds, of every workspace
  cuervo stats --since 7d    what was done in a week
`;

/** Rows of a list that a person is shown; all are in `--json`. */
const maxRows = 12;

export function addStatsCommand(program: Command): void {
  program
    .command('stats')
    .description('count what was done: runs, tools, models, cost, memory, plugins, failures')
    .option('--since <when>', 'only newer than an age (12h, 7d) or a date')
    .option('--json', 'one object')
    .addHelpText('after', examples)
    .action(async (flags: { since?: string; json?: boolean }) => {
      const { since } = flags;
      const sinceMs = since === undefined ? undefined : parseMoment('--since', since, Date.now());
      await using kernel = await openKernelFor({});
      const stats = await kernel.journal.stats(sinceMs);
      printOne(stats, flags, () => statsText(stats));
    });
}

const between = ({ p50Ms, p95Ms }: { p50Ms: number; p95Ms: number }): string =>
  `half within ${p50Ms} ms, 95 % within ${p95Ms} ms`;

function statsText(stats: Stats): string {
  const { runs, sessions, failures, memory, jobs, cache, answers, gaps } = stats;
  const commands = Object.entries(runs.byCommand).map(([name, many]) => `${name} ${many}`);
  const parts: [string, readonly string[]][] = [
    [
      'runs',
      [
        `${runs.total} in ${counted(sessions, 'session')}, ${between(runs)}`,
        ...(commands.length === 0 ? [] : [commands.join(', ')]),
      ],
    ],
    ['failures', failures.map(({ code, times }) => `${code} ${times}`)],
    ['answers', Object.entries(answers).map(([mode, many]) => `${mode} ${many}`)],
    ['models', stats.models.map(modelLine)],
    [
      'cache',
      [
        `${cache.replies} replies of our own; ${Math.round(cache.cachedShare * 100)} % of the input tokens`,
      ],
    ],
    [
      'tools',
      stats.tools.map(
        (tool) =>
          `${tool.tool}: ${counted(tool.calls, 'call')}, ${tool.failed} failed, ${between(tool)}`,
      ),
    ],
    [
      'plugins',
      stats.plugins.map(
        ({ plugin, calls, failed, ms }) =>
          `${plugin || 'the kernel'}: ${counted(calls, 'call')}, ${failed} failed, ${ms} ms`,
      ),
    ],
    [
      'calls',
      stats.hostCalls.map(
        ({ call, times, denied, failed }) => `${call} ${times}, ${denied} denied, ${failed} failed`,
      ),
    ],
    [
      'guard',
      stats.guard.map(
        ({ action, check, times }) => `${action} ${times} of ${check.replaceAll('-', ' ')}`,
      ),
    ],
    ['shortened', stats.shortened.times === 0 ? [] : [shortenedText(stats.shortened)]],
    [
      'memory',
      [`${counted(memory.read, 'row')} read, ${memory.used} used, ${memory.written} written`],
    ],
    ['jobs', [`${jobs.done} done, ${jobs.failed} failed`]],
    ['missing', gaps === 0 ? [] : [`${gaps} events`]],
  ];
  return partLines(parts, { width: 9, maxRows }).join('\n');
}

function shortenedText({ times, requests, tokens, ms }: Stats['shortened']): string {
  return `${counted(times, 'time')}; ${counted(requests, 'request')} to sum up: ${tokens} tokens, ${ms} ms`;
}

function modelLine(model: Stats['models'][number]): string {
  const { requests, inputTokens, outputTokens, usd } = model;
  const money = usd === undefined ? 'price unknown' : `$${usd.toFixed(4)}`;
  return `${model.model}: ${counted(requests, 'request')}, ${inputTokens} tokens in, ${outputTokens} out, ${money}, ${between(model)}`;
}
