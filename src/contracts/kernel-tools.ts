import type { Tool } from './tool.ts';

/** Prefix of the kernel's own tools; no plugin may take it as its name. */
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
