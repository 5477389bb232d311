import type { Command } from 'commander';
import type { MemoryExplanation } from '../contracts/output/parse-memory.ts';
import { ageText } from '../lib/text/amounts.ts';
import { afterCommand } from './after-command.ts';
import { listenForInterrupt } from './interrupt.ts';
import { placeOf, scoreText } from './memory-search.ts';
import { findRow } from './memory-show.ts';
import { openKernelFor } from './open-kernel.ts';
import { oneLine, print, printJson } from './output.ts';

type Flags = { workspace?: string; json?: boolean };

export function addMemoryExplain(memory: Command): void {
  memory
    .command('explain <id> [query...]')
    .description('show where a row comes from, what its answer used, and its rank in a search')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--json', 'as one object')
    .action(explain);
}

async function explain(start: string, words: string[], flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  await using kernel = await openKernelFor(flags);
  const row = await findRow(kernel, start, signal);
  const query = words.length === 0 ? {} : { query: words.join(' ') };
  const explanation = await kernel.memoryCommands.explain(row, { ...query, signal });
  if (flags.json) printJson(explanation);
  else for (const line of linesOf(explanation)) print(line);
  await afterCommand(kernel, { signal });
}

function linesOf(explanation: MemoryExplanation): string[] {
  const { id, layer, kind, tags, source, ts, layerWeight, decay, run, usedBy, search } =
    explanation;
  const place = source === undefined ? '' : ` of ${oneLine(placeOf(source, tags))}`;
  const why = tags.find((tag) => tag.startsWith('because:'))?.slice('because:'.length);
  const lines = [
    `${id.slice(0, 12)}  ${oneLine(kind)} in ${layer}${place}, ${ageText(Date.now() - ts)}`,
    `  weight ${layerWeight} by its layer × ${decay.toFixed(3)} by its age`,
  ];
  if (why !== undefined) lines.push(`  promoted: ${oneLine(why)}`);
  if (run !== undefined) {
    lines.push(`  from run ${run.id}: ${oneLine(run.question)}`);
    if (run.tools.length > 0) lines.push(`  which ran ${oneLine(run.tools.join(', '))}`);
    for (const { id: from, layer: its, score, text = 'gone' } of run.recalled) {
      lines.push(`  which used ${from.slice(0, 12)} (${its}, ${score.toFixed(2)}): ${cut(text)}`);
    }
  }
  for (const used of usedBy) lines.push(`  used by run ${used.run}: ${cut(used.question)}`);
  if (search !== undefined) lines.push(...searchLines(search));
  return lines;
}

function searchLines(search: NonNullable<MemoryExplanation['search']>): string[] {
  const { query, of, rank, score, factors } = search;
  if (rank === undefined || score === undefined || factors === undefined) {
    return [`  not among the ${of} hits of "${oneLine(query)}"`];
  }
  const { bm25, cosine, meaning, fused, layerWeight, decay, fit = 1, rerank } = factors;
  return [
    `  hit ${rank} of ${of} for "${oneLine(query)}"`,
    `  ${scoreText(score)} = ${scoreText(fused)} fused × ${layerWeight} layer × ${scoreText(decay)} decay`,
    `  fused of words (bm25 ${scoreText(bm25)}) and meaning (cosine ${scoreText(meaning ?? cosine)})`,
    ...(fit === 1 ? [] : [`  × ${fit}: it lacks the time or number that is asked for`]),
    ...(rerank === undefined ? [] : [`  reranked: ${scoreText(rerank)} of 1`]),
  ];
}

function cut(text: string): string {
  const line = oneLine(text);
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
