import type { Tool } from './tool.ts';

/** The plugin that tools of the kernel itself name; no other may take the name. */
export const kernelPlugin = 'passages';

/**
 * Ranks what a search for passages found, by meaning and by the index. A step of plans that the
 * kernel serves itself: neither a person nor a model calls it.
 */
export const rankPassagesTool: Tool = {
  name: `${kernelPlugin}.rank`,
  plugin: kernelPlugin,
  pluginVersion: '',
  digest: '',
  effect: 'read',
  description: 'Ranks passages by words, meaning and the index.',
  inputSchema: { type: 'object', properties: {}, required: [] },
  examples: [],
};

/** Keeps a fact for a model. The kernel serves it; only a model calls it. */
export const rememberTool: Tool = {
  name: 'memory.remember',
  plugin: kernelPlugin,
  pluginVersion: '',
  digest: '',
  effect: 'write',
  description:
    'Keeps one fact that the person wants remembered for later sessions, in one sentence that stands alone. The person is asked. For a correction, name the fact that it replaces.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'the fact, one sentence' },
      replaces: {
        type: 'string',
        description: 'the words of the fact that holds no longer, as memory has them, or its id',
      },
    },
    required: ['text'],
    additionalProperties: false,
  },
  examples: [{ text: 'releases happen on Fridays', replaces: 'releases happen on Thursdays' }],
};

/** A conversation within a conversation of a model. The kernel serves it; only a model calls it. */
export const taskTool: Tool = {
  name: 'task',
  plugin: kernelPlugin,
  pluginVersion: '',
  digest: '',
  effect: 'external',
  description:
    'Gives a goal to a sub-task, which has a context of its own and gives back one answer. Good for searching through much. It knows nothing but the goal. Tasks that only read run side by side.',
  inputSchema: {
    type: 'object',
    properties: {
      goal: {
        type: 'string',
        minLength: 1,
        maxLength: 8000,
        description: 'all that it has to know',
      },
      tools: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 100,
        description:
          'tools of yours that it gets, or names of plugins; default: all that only read',
      },
      recipe: { type: 'string', description: 'explorer, reviewer, worker, or another recipe' },
      budget: {
        type: 'object',
        properties: {
          rounds: { type: 'integer', minimum: 1 },
          tokens: { type: 'integer', minimum: 1 },
        },
        additionalProperties: false,
      },
    },
    required: ['goal'],
    additionalProperties: false,
  },
  examples: [{ goal: 'Find every place that sets the retry limit, with path and line.' }],
};

/** The text of a recipe, for a model that follows it. The kernel serves it; only a model calls it. */
export const skillTool: Tool = {
  name: 'skill',
  plugin: kernelPlugin,
  pluginVersion: '',
  digest: '',
  effect: 'read',
  description: 'Gives the text of a recipe, which you then follow with the tools that it leaves.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
  examples: [{ name: 'review' }],
};
