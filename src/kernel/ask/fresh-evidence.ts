import type { Evidence } from '../../contracts/events.ts';
import type { StepResult } from '../../contracts/plan.ts';
import type { AskPorts } from './ask-ports.ts';

/** Files that are read again. */
const maxRead = 8;

/**
 * Evidence as it stands after the last change of the run: what a step read before another one
 * changed the file may stand there no longer.
 */
export async function freshEvidence(
  evidence: readonly Evidence[],
  ports: AskPorts,
): Promise<Evidence[]> {
  const changed = new Set(ports.changedPaths());
  const stale = evidence.filter(({ path }) => changed.has(path)).slice(0, maxRead);
  if (stale.length === 0 || ports.signal.aborted) return [...evidence];
  const steps = stale.map(({ path, line, endLine }, index) => ({
    id: `e${index + 1}`,
    tool: 'file.read',
    input: { path, start: line, end: endLine },
    needs: [],
    effect: 'read' as const,
  }));
  const results = await quietly(ports.execute(ports.makePlan(steps)));
  return evidence.flatMap((piece) => {
    const at = stale.indexOf(piece);
    if (at < 0) return changed.has(piece.path) ? [] : [piece];
    const text = linesOf(results.find(({ step }) => step === `e${at + 1}`));
    if (text === undefined) return [];
    return [{ ...piece, text, endLine: piece.line + text.split('\n').length - 1 }];
  });
}

/** The reading of these files was reported already. */
async function quietly<Value>(events: AsyncGenerator<unknown, Value, undefined>): Promise<Value> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
  }
}

function linesOf(result: StepResult | undefined): string | undefined {
  if (result?.output === undefined) return undefined;
  try {
    const { lines } = JSON.parse(result.output.content) as { lines?: unknown };
    return typeof lines === 'string' && lines.trim() !== '' ? lines.replace(/\n$/, '') : undefined;
  } catch {
    return undefined;
  }
}
