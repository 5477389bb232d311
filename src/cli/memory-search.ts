import type { Command } from 'commander';
import type { Config } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import { ageText, dateText, hasPassed } from '../lib/text/amounts.ts';
import { addFilterOptions, type FilterFlags, filterOf, parseLimit } from './memory-options.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, printWrapped } from './output.ts';

type SearchFlags = FilterFlags & {
  workspace?: string;
  limit: string;
  questions?: boolean;
  explain?: boolean;
  json?: boolean;
};

export function addMemorySearch(memory: Command): void {
  const command = memory
    .command('search <query...>')
    .description('find rows of memory of this workspace, best first')
    .option('-w, --workspace <dir>', 'the folder whose memory is searched');
  addFilterOptions(command)
    .option('--questions', 'also questions that were asked')
    .option('-n, --limit <n>', 'at most this many (1 to 32)', '10')
    .option('--explain', 'every factor of the score of each hit')
    .option('--json', 'one hit a line, with every factor of its score')
    .action(search);
}

async function search(words: string[], flags: SearchFlags): Promise<void> {
  const limit = parseLimit(flags.limit, 32);
  const text = words.join(' ');
  if (text.trim() === '') {
    throw new KernelError('invalid-argument', 'the text to search for is empty', {
      hint: 'Name what to look for, e.g. cuervo memory search "release day"; all rows: cuervo memory list',
    });
  }
  await withKernel(flags, async (kernel, signal) => {
    const filter = filterOf(flags, { project: kernel.config.workspace, nowMs: Date.now() });
    const memory = await kernel.memory();
    // Everything in one index, so that all scores are of one kind.
    await memory.flush({ signal }).catch((thrown: unknown) => {
      note(`newer rows are searched on their own: ${KernelError.from(thrown, 'internal').message}`);
    });
    const also = flags.questions ? { questions: true as const } : {};
    const query = { limit, ...filter, ...also, ...(await kernel.memoryCommands.questionOf(text)) };
    const hits = await memory.search(query, { signal });
    if (hits.length === 0) {
      const narrowed = narrowingFlags(flags);
      const by = narrowed.length === 0 ? '' : ` with ${narrowed.join(', ')}`;
      throw new KernelError('not-found', `nothing in memory matches "${oneLine(text)}"${by}`, {
        hint: `${hintOf(narrowed, flags.all === true)}${await modelHint(kernel.config)}`,
      });
    }
    for (const hit of hits) {
      if (flags.json) printJson(hit);
      else printHit(hit, flags.explain ?? false);
    }
  });
}

/** Why there may be no hit, the nearest reason first. */
function hintOf(narrowed: readonly string[], isAll: boolean): string {
  if (narrowed.length > 0) return `Search without ${narrowed.join(', ')}.`;
  return isAll ? 'Use other words.' : 'Search every workspace with --all.';
}

/** The command that would find more, while there is no sentence model. */
async function modelHint(config: Config): Promise<string> {
  const { sentenceFolder } = await import('../kernel/memory/memory-model-path.ts');
  if (config.memory.reranker === 'none' || sentenceFolder(config) !== undefined) return '';
  return ' A sentence model finds more in other words; cuervo doctor says how to get one.';
}

function narrowingFlags({ layer, kind, tag, session, since }: FilterFlags): string[] {
  return Object.entries({ layer, kind, tag, session, since }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
}

export function printHit(hit: MemoryHit, explain: boolean): void {
  const { layer, kind, source, ts } = hit;
  const parts = [hit.score.toFixed(2), layer, oneLine(kind), ageText(Date.now() - ts)];
  if (hasPassed(hit, Date.now())) parts.push('has passed');
  if (source !== undefined) parts.push(oneLine(placeOf(source, hit.tags)));
  const text = oneLine(hit.text);
  print(parts.join('  '));
  printWrapped('  ', text.length > 300 ? `${text.slice(0, 299)}…` : text);
  for (const older of hit.replaced ?? []) {
    printWrapped('    ', `replaces: ${oneLine(older.text)} (${dateText(older.ts)})`);
  }
  if (explain) print(`  ${explanation(hit)}`);
}

/** A file with its lines, as an editor takes it. */
export function placeOf(source: string, tags: readonly string[]): string {
  const lines = tags.find((tag) => /^lines:\d+-\d+$/.test(tag));
  return lines === undefined ? source : `${source}:${lines.slice('lines:'.length)}`;
}

export function scoreText(value: number | undefined): string {
  return value === undefined ? 'none' : value.toFixed(3);
}

function explanation({ id, score, run, tags, factors }: MemoryHit): string {
  const { bm25, cosine, meaning, fused, layerWeight, decay, fit = 1, rerank } = factors;
  const before = fused * layerWeight * decay * fit;
  const unfit = fit === 1 ? '' : ` × ${fit} without the time or number that is asked for`;
  const factored = `${scoreText(before)} = ${scoreText(fused)} fused × ${layerWeight} layer × ${scoreText(decay)} decay${unfit}`;
  // the best and the least of what was reranked keep their scores between them
  const product =
    rerank === undefined
      ? factored
      : `${scoreText(score)} after reranking (${scoreText(rerank)} of 1), before ${factored}`;
  const model = meaning === undefined ? '' : ` (${scoreText(meaning)} by the sentence model)`;
  const arms = `bm25 ${scoreText(bm25)}, cosine ${scoreText(cosine)}${model}`;
  const from = run === undefined ? '' : `, run ${run}`;
  const marked = tags.length === 0 ? '' : `, tags ${oneLine(tags.join(' '))}`;
  return `${product}; ${arms}; id ${id.slice(0, 12)}${from}${marked}`;
}
