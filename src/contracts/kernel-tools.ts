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
