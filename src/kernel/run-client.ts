import type { RunClient } from './kernel-options.ts';

/** How a run stands in the journal: one that is made for another program names it. */
export function wordsOf(
  command: string,
  question: string,
  client: RunClient | undefined,
): { command: string; question: string } {
  if (client === undefined) return { command, question };
  const trace = client.traceparent === undefined ? '' : ` (trace ${client.traceparent})`;
  return { command: client.protocol ?? 'mcp', question: `${question} for ${client.name}${trace}` };
}
