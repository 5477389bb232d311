import { saysDecision } from '../../ask/says-decision.ts';
import { KernelError } from '../../contracts/error.ts';
import { everyProject, type Memory, type MemoryHit } from '../../contracts/memory.ts';
import { type Recalled, recalledHits } from '../../memory/search/recalled-hits.ts';
import { turnContext } from '../../memory/texts.ts';
import { readThen, withoutThen } from '../../router/facts/read-time.ts';
import type { AskPorts } from './ask-ports.ts';

/** Earlier turns that an answer may show. */
const maxRecalled = 3;
/** Messages of a continued session that the model sees. */
const maxHistory = 6;

/** Earlier turns and facts that a question speaks of; none, and said so, where memory fails. */
export async function recall(question: string, memory: Memory, ports: AskPorts): Promise<Recalled> {
  try {
    const asOf = readThen(question, ports.clock.nowMs());
    const text = asOf === undefined ? question : withoutThen(question);
    const query = {
      text,
      limit: 32,
      ...(asOf === undefined ? {} : { asOf }),
      projects: [ports.config.workspace, everyProject],
    };
    const { signal } = ports;
    const hits = await memory.search(query, { signal });
    // Files read into memory never crowd out earlier turns.
    const isCrowded = hits.some(({ layer }) => layer === 'assets');
    const said = isCrowded
      ? [
          ...(await memory.search({ ...query, layer: 'interact' }, { signal })),
          ...(await memory.search({ ...query, layer: 'insights' }, { signal })),
        ]
      : [];
    const found = new Set(hits.map(({ id }) => id));
    const all = [...hits, ...said.filter(({ id }) => !found.has(id))];
    const { workspace } = ports.config;
    // Files of the index are evidence, at the lines that they have now.
    const isFile = ({ layer, source }: MemoryHit) =>
      layer === 'assets' &&
      source !== undefined &&
      ports.store.memorySources.get(workspace, source)?.isIndexed === true;
    const turns = all.filter((hit) => !isFile(hit));
    return recalledHits(turns, text, maxRecalled);
  } catch (thrown) {
    if (!ports.signal.aborted) {
      ports.warn(
        `earlier turns could not be searched: ${KernelError.from(thrown, 'internal').message}`,
      );
    }
    return { sure: [], perhaps: [] };
  }
}

/**
 * Messages of the session that is continued, as memory of it: those of runs whose conversation with
 * a model was not kept.
 */
export function sessionMemory(ports: AskPorts, kept: ReadonlySet<string>): MemoryHit[] {
  const factors = { fused: 1, layerWeight: 1, decay: 1 };
  return ports.store
    .messages(ports.session.id)
    .filter(({ run }) => !kept.has(run))
    .slice(-maxHistory)
    .map((message, index) => ({
      id: `${message.run}-${index}`,
      layer: 'interact',
      score: 1,
      text: message.text,
      kind: message.role === 'user' ? 'question' : 'answer',
      tags: [],
      project: ports.config.workspace,
      session: ports.session.id,
      run: message.run,
      ts: message.ts,
      factors,
    }));
}

/** Rows that answers use again and again are worth keeping; see the job `promote_decisions`. */
export function countUses(
  { store, scope, clock, warn }: AskPorts,
  recalled: readonly MemoryHit[],
): void {
  if (recalled.length === 0) return;
  try {
    store.memoryUses.count(recalled, clock.nowMs(), scope.id);
  } catch (thrown) {
    warn(`the use of memory was not counted: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/** A fact is a row of memory already; the session tells what was said. */
export function rememberFact(
  { store, session, scope, clock, config, warn }: AskPorts,
  text: string,
): void {
  const message = { session: session.id, run: scope.id, ts: clock.nowMs() };
  store.addMessage({ ...message, role: 'user', text });
  if (config.workFolder === undefined) return;
  warn(`a dry run remembers too; undo that with: cuervo undo ${scope.id}`);
}

/** A question stays in the session even without a result. */
export function keepQuestion({ store, session, scope, clock, warn }: AskPorts, text: string): void {
  try {
    const message = { session: session.id, run: scope.id, ts: clock.nowMs() };
    store.addMessage({ ...message, role: 'user', text });
  } catch (thrown) {
    warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}

/**
 * Writes the turn to the session and to memory. A full disk is a warning; the answer stays valid.
 */
export async function remember(
  ports: AskPorts,
  turn: { question: string; kind: string; answer: string | undefined },
): Promise<void> {
  const { store, session, scope, clock, config, memory } = ports;
  const ts = clock.nowMs();
  const message = { session: session.id, run: scope.id, ts };
  const record = (
    text: string,
    kind: string,
    who: string,
    beside: { previous?: string; next?: string },
  ) => ({
    layer: 'interact' as const,
    text,
    context: turnContext({ who, text, tsMs: ts, ...beside }),
    kind,
    tags: saysDecision(text) ? ['decision'] : [],
    project: config.workspace,
    session: session.id,
    run: scope.id,
    ts,
  });
  try {
    store.addMessage({ ...message, role: 'user', text: turn.question });
    const beside = turn.answer === undefined ? {} : { next: turn.answer };
    const records = [record(turn.question, turn.kind, 'user', beside)];
    if (turn.answer !== undefined) {
      store.addMessage({ ...message, role: 'assistant', text: turn.answer });
      records.push(record(turn.answer, 'answer', 'cuervo', { previous: turn.question }));
    }
    // A run that keeps nothing has said so.
    if (store.unwritable === undefined) await memory.remember(records, { signal: ports.signal });
  } catch (thrown) {
    if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
    ports.warn(`this turn was not remembered: ${KernelError.from(thrown, 'internal').message}`);
  }
}
