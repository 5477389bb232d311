import type { ModelTool } from '../contracts/model.ts';
import { isObject } from '../contracts/tool.ts';

/** `pattern, path?` */
function describeInput(tool: ModelTool): string {
  const { properties, required } = tool.inputSchema;
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = isObject(properties) ? Object.keys(properties) : [];
  return names.map((name) => (needed.has(name) ? name : `${name}?`)).join(', ');
}

/**
 * A line for each tool, for models that read tools in the prompt: `- NAME {inputs}: what it does`.
 */
export function describeTools(tools: readonly ModelTool[]): string {
  return tools
    .map(
      (tool) => `- ${tool.name} {${describeInput(tool)}}: ${tool.description.replace(/\s+/g, ' ')}`,
    )
    .join('\n');
}
