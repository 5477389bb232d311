import { KernelError } from '../contracts/error.ts';
import { maxQuestionLength, questionTooLong } from '../contracts/question.ts';
import type { JsonObject, Tool } from '../contracts/tool.ts';
import { parseExactJson } from '../lib/parse-exact-json.ts';

/** What a person's words are: one tool call, something to keep in mind, or a goal to plan for. */
export type Request =
  | { kind: 'call'; tool: string; input: JsonObject }
  | { kind: 'note'; text: string }
  | { kind: 'goal'; question: string };

/**
 * @throws {KernelError} `invalid-argument` for an empty or endless question
 */
export function routeRequest(text: string, tools: readonly Tool[]): Request {
  const question = text.trim();
  if (question === '') {
    throw new KernelError('invalid-argument', 'the question is empty', {
      hint: 'Ask something, e.g. cuervo ask "where is the configuration read?"',
    });
  }
  if (question.length > maxQuestionLength) {
    throw questionTooLong(`${question.length} characters`);
  }
  return toolCall(question, tools) ?? note(question) ?? { kind: 'goal', question };
}

/** `run search.todos`, `search.grep {"pattern":"x"}`. */
function toolCall(question: string, tools: readonly Tool[]): Request | undefined {
  const match = /^(?:run\s+)?([a-z][a-z0-9-]*\.[a-z][a-z0-9-]*)\s*(\{.*\})?$/s.exec(question);
  if (match === null) return undefined;
  const tool = tools.find(({ name }) => name === match[1]);
  if (tool === undefined) return undefined;
  try {
    return { kind: 'call', tool: tool.name, input: parseExactJson(match[2] ?? '{}') as JsonObject };
  } catch (thrown) {
    throw new KernelError('invalid-argument', `the input of ${tool.name} is not JSON`, {
      cause: thrown,
      hint: `See what it takes with: cuervo tools ${tool.name}`,
    });
  }
}

/** `remember that releases happen on Thursdays`. */
function note(question: string): Request | undefined {
  const match = /^(?:please\s+)?(?:remember|note|keep in mind)\b(?:\s+that)?[\s:,]+(.{3,})$/is.exec(
    question,
  );
  return match?.[1] === undefined || question.endsWith('?')
    ? undefined
    : { kind: 'note', text: match[1] };
}
