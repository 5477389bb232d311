import { rankByMeaning, type WideFindings } from '../ask/rank-by-meaning.ts';
import type { Embedder } from '../contracts/embedder.ts';
import { KernelError } from '../contracts/error.ts';
import type { ToolInvoker, ToolOutput } from '../contracts/tool.ts';
import { dotProduct } from '../lib/dot-product.ts';

const rankedTool = 'search.passages';

/**
 * Tools as they are, but what the search for passages found with its regions is ranked by
 * meaning before anything else sees it: later steps read around the best of both.
 *
 * @param embedder loaded by the first search; where that fails, the order by words stays and
 *   `warn` says so
 */
export function rankPassages(
  invoker: ToolInvoker,
  embedder: () => Embedder,
  warn: (message: string) => void,
): ToolInvoker {
  return {
    tools: () => invoker.tools(),
    async *invoke(call, options) {
      const { question } = call.input;
      const isRanked = call.tool === rankedTool && call.input.regions === true;
      for await (const event of invoker.invoke(call, options)) {
        yield isRanked && typeof question === 'string' && event.type === 'output'
          ? { ...event, output: rankOutput(event.output, question, embedder, warn) }
          : event;
      }
    },
  };
}

function rankOutput(
  output: ToolOutput,
  question: string,
  embedder: () => Embedder,
  warn: (message: string) => void,
): ToolOutput {
  const content = parseWide(output.content);
  if (content === undefined) return output;
  const { files, ...rest } = content;
  let likeness = (_text: string): number => 0;
  try {
    const { embed, embedCode } = embedder();
    const asked = embed(question);
    likeness = (text) => dotProduct(asked, embedCode(text));
  } catch (thrown) {
    warn(`passages are ranked by words alone: ${KernelError.from(thrown, 'internal').message}`);
  }
  const passages = rankByMeaning(content, likeness);
  const shown = new Set(passages.map(({ path }) => path)).size;
  return {
    ...output,
    content: JSON.stringify({ ...rest, passages }),
    summary: `${passages.length} passages in ${shown} of ${files.length} files ranked by words and meaning`,
  };
}

/** What the tool gave, when it is what its regions are asked of; any other answer stays as it is. */
function parseWide(content: string): WideFindings | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { passages, files } = value as Record<string, unknown>;
  if (!isListOf(passages, isScored) || !isListOf(files, isScoredFile)) return undefined;
  return value as WideFindings;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isScored(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, score } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof score === 'number';
}

function isScoredFile(value: unknown): boolean {
  if (!isScored(value)) return false;
  const { regions } = value as Record<string, unknown>;
  return isListOf(
    regions,
    (region) => typeof (region as Record<string, unknown> | null)?.text === 'string',
  );
}
