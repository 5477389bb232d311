import { KernelError } from '../contracts/error.ts';
import type { StepResult } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';

/** @throws {KernelError} what the step failed with */
export function outputOf(result: StepResult | undefined): { content: string; summary: string } {
  if (result?.output !== undefined) return result.output;
  throw result?.error ?? new KernelError('internal', 'the step gave neither output nor error');
}

/** @throws {KernelError} `not-found` with the nearest names, else those of its plugin, or of all */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const hint = 'See what each does with: cuervo tools';
  const nearest = didYouMean(
    name,
    tools.map((tool) => tool.name),
  );
  if (nearest !== '')
    throw new KernelError('not-found', `there is no tool "${name}"${nearest}`, { hint });
  const [plugin] = name.split('.');
  const own = name.slice(name.indexOf('.') + 1);
  const near = tools.filter((tool) => tool.plugin === plugin || tool.name.endsWith(`.${own}`));
  const names = near.map((tool) => tool.name).join(', ');
  const plugins = [...new Set(tools.map((tool) => tool.plugin))].join(', ');
  // All of the tools would fill a screen.
  const others =
    near.length > 0 ? `there is ${names}` : `there are those of ${plugins || 'no plugin'}`;
  throw new KernelError('not-found', `there is no tool "${name}"; ${others}`, { hint });
}

/**
 * Content as it is shown. Text above `maxBytes` loses its middle; JSON is left whole,
 * because half of it is of no use to anyone (its size is bounded by the result limit).
 */
export function shownContent(content: string, maxBytes: number): string {
  return isJson(content) ? content : truncateMiddle(content, maxBytes);
}

function isJson(content: string): boolean {
  if (!/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
