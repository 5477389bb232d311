import type { ModelTool } from '../contracts/model.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { Observation } from './build-prompt.ts';

/** A question to which one of the tools is the obvious answer. */
export type ChoiceItem = { question: string; tool: string };

/** A question that its evidence answers. */
export type WordItem = {
  question: string;
  evidence: readonly Observation[];
  /** the fact, in any wording */
  fact: RegExp;
  /** what says something else, or that nothing is known */
  contradiction: RegExp;
};

function object(properties: JsonObject, required: string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/**
 * Tools like those that come with cuervo. Their own set, fixed, so that scores stay comparable
 * when plugins change.
 */
export const examTools: readonly ModelTool[] = [
  {
    name: 'search.grep',
    description: 'Finds every line that matches a regular expression or an exact text.',
    inputSchema: object({ pattern: { type: 'string' } }, ['pattern']),
  },
  {
    name: 'search.passages',
    description: 'Finds the passages of the project that explain a topic, for a question in words.',
    inputSchema: object({ question: { type: 'string' } }, ['question']),
  },
  {
    name: 'search.todos',
    description: 'Lists the TODO and FIXME comments: what is left to do.',
    inputSchema: object({}, []),
  },
  {
    name: 'file.read',
    description: 'Shows the text of one file whose path is known.',
    inputSchema: object({ path: { type: 'string' } }, ['path']),
  },
  {
    name: 'file.find',
    description: 'Finds files by a glob pattern of their names, such as *.md.',
    inputSchema: object({ glob: { type: 'string' } }, ['glob']),
  },
  {
    name: 'file.tree',
    description: 'Shows the folders of the project as a tree.',
    inputSchema: object({}, []),
  },
];

export const choiceItems: readonly ChoiceItem[] = [
  { question: 'Show me the text of the file src/config.ts.', tool: 'file.read' },
  { question: 'Which TODO and FIXME comments are left to do?', tool: 'search.todos' },
  { question: 'Show the folders of this project as a tree.', tool: 'file.tree' },
  { question: 'Find all files whose names end in .md.', tool: 'file.find' },
  { question: 'Find every line that contains the exact text "maxRetries".', tool: 'search.grep' },
  { question: 'Explain how a failed request is tried again.', tool: 'search.passages' },
];

export const wordItems: readonly WordItem[] = [
  {
    question: 'How many times is a failed request tried again?',
    evidence: [
      {
        source: 'src/http/retry.ts:12',
        text: '// A failed request is tried again 7 times.\nexport const maxRetries = 7;',
      },
    ],
    fact: /\b(?:7|seven)\b/i,
    contradiction:
      /\b(?:not (?:known|stated|specified|given)|does not (?:say|answer)|never|infinit|unlimited)/i,
  },
  {
    question: 'In which file are the grants kept?',
    evidence: [
      { source: 'docs/security.md:40', text: 'All grants are kept in the file grants.toml.' },
    ],
    fact: /\bgrants\.toml\b/i,
    contradiction:
      /\b(?:not (?:known|stated|specified|given|kept)|does not (?:say|answer)|never)\b/i,
  },
];
