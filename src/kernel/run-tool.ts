import { KernelError } from '../contracts/error.ts';
import type { StepResult } from '../contracts/step-result.ts';
import type { Tool } from '../contracts/tool.ts';
import { truncateMiddle } from '../lib/truncate-middle.ts';

/** @throws {KernelError} what the step failed with */
export function outputOf(result: StepResult | undefined): { content: string; summary: string } {
  if (result?.output !== undefined) return result.output;
  throw result?.error ?? new KernelError('internal', 'the step gave neither output nor error');
}

/** @throws {KernelError} `not-found` with the nearest names */
export function findTool(tools: readonly Tool[], name: string): Tool {
  const found = tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const [plugin] = name.split('.');
  const near = tools.filter((tool) => tool.plugin === plugin || tool.name.endsWith(`.${name}`));
  const names = (near.length > 0 ? near : tools).map((tool) => tool.name).join(', ');
  throw new KernelError('not-found', `there is no tool "${name}"; there is ${names || 'none'}`, {
    hint: 'See what each does with: cuervo tools',
  });
}

/**
 * Content as it is shown. Text above `maxBytes` loses its middle; JSON is left whole,
 * because half of it is of no use to anyone (its size is bounded by the result limit).
 */
export function shownContent(content: string, maxBytes: number): string {
  return isJson(content) ? content : truncateMiddle(content, maxBytes).text;
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
