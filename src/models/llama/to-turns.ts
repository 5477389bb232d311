import type { ModelMessage, ModelRequest } from '../../contracts/model.ts';
import { describeTools } from '../describe-tools.ts';
import { answerChoice } from './call-schema.ts';
import type { ChatTurn } from './protocol.ts';

function turnsOf(message: ModelMessage): ChatTurn {
  if (message.role === 'user') return { role: 'user', text: message.text };
  if (message.role === 'tool') {
    const texts = message.results.map((result) =>
      result.isError ? `Error: ${result.text}` : result.text,
    );
    return { role: 'user', text: texts.join('\n\n') };
  }
  const calls = (message.toolCalls ?? []).map((call) =>
    JSON.stringify({ tool: call.name, input: call.input }),
  );
  return { role: 'model', text: [message.text, ...calls].filter((part) => part !== '').join('\n') };
}

/** Chat templates expect the roles to alternate. */
function joinNeighbours(turns: readonly ChatTurn[]): ChatTurn[] {
  const joined: ChatTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === turn.role) last.text = `${last.text}\n\n${turn.text}`;
    else joined.push({ ...turn });
  }
  return joined;
}

/**
 * A request as the turns of a chat template: models without native tool calls read their tools in
 * the system text, see calls as the JSON they write themselves, and results as the user's words.
 *
 * @param mode `call`: the reply is a tool call; `choose`: a call or `{"tool":"answer"}`; `text`:
 *   free text, and tools are not mentioned
 */
export function toTurns(request: ModelRequest, mode: 'call' | 'choose' | 'text'): ChatTurn[] {
  const parts = [request.system];
  if (mode !== 'text') {
    parts.push(
      `Tools:\n${describeTools(request.tools)}`,
      'Reply with one JSON object: {"tool": NAME, "input": {…}}.',
    );
  }
  if (mode === 'choose')
    parts.push(`When no tool is needed any more: {"tool": "${answerChoice}"}.`);
  const system: ChatTurn = {
    role: 'system',
    text: parts.filter((part) => part !== '').join('\n\n'),
  };
  return joinNeighbours([system, ...request.messages.map(turnsOf)]);
}
