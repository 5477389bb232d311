import type { ModelMessage, ModelRequest } from '../../contracts/model.ts';
import type { ChatTurn } from './protocol.ts';

function turnsOf(message: ModelMessage, next: ModelMessage | undefined): ChatTurn[] {
  if (message.role === 'user') return [{ role: 'user', text: message.text }];
  // Results are part of their calls.
  if (message.role === 'tool') return [];
  const results = next?.role === 'tool' ? next.results : [];
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => {
    const found = results.find((result) => result.id === id);
    const text = found === undefined ? 'not called' : found.text;
    return { name, input, result: found?.isError === true ? `Error: ${text}` : text };
  });
  return [{ role: 'model', text: message.text, ...(calls.length === 0 ? {} : { calls }) }];
}

/** Chat templates expect the roles to alternate. */
function joinNeighbours(turns: readonly ChatTurn[]): ChatTurn[] {
  const joined: ChatTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role !== turn.role) {
      joined.push({ ...turn });
      continue;
    }
    last.text = [last.text, turn.text].filter((text) => text !== '').join('\n\n');
    if (last.role === 'model' && turn.role === 'model') {
      const calls = [...(last.calls ?? []), ...(turn.calls ?? [])];
      if (calls.length > 0) last.calls = calls;
    }
  }
  return joined;
}

/** A request as turns for a chat template, which decides how calls and results look. */
export function toTurns({ system, messages }: ModelRequest): ChatTurn[] {
  const first: ChatTurn[] = system === '' ? [] : [{ role: 'system', text: system }];
  return joinNeighbours([
    ...first,
    ...messages.flatMap((message, index) => turnsOf(message, messages[index + 1])),
  ]);
}

/**
 * The same conversation without its question; undefined where the question is not its last turn.
 */
export function withoutQuestion(
  turns: readonly ChatTurn[],
  question: string,
): ChatTurn[] | undefined {
  const at = turns.findLastIndex(({ text }) => question !== '' && text.includes(question));
  // After calls and results the model would have to read the whole conversation again.
  if (at < turns.length - 1) return undefined;
  return turns.map((turn, index) =>
    index === at ? { ...turn, text: turn.text.replace(question, () => 'N/A') } : turn,
  );
}
