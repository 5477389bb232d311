import { definePlugin, fs, ToolError, v } from '@cuervo/sdk';
import { queryJson } from './query-json.ts';

export default definePlugin({
  name: 'json-query',
  version: '0.1.0',
  description:
    'Looks values up in JSON files by a path such as dependencies.react or items[*].name.',
  licence: 'Apache-2.0',
  wants: [{ capability: 'fs', why: 'reads the JSON files that are asked about' }],
  tools: [
    {
      name: 'query',
      description:
        'Values of a JSON file at a path: fields by name, items by number, * for all of them, ** for any depth.',
      effect: 'read',
      input: v.object({
        path: v.pipe(v.string(), v.minLength(1), v.description('a JSON file of the workspace')),
        query: v.pipe(
          v.string(),
          v.description('e.g. scripts.test, items[0], items[*].name, **.id'),
        ),
        limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)), 100),
      }),
      examples: [
        { path: 'package.json', query: 'dependencies' },
        { path: 'package.json', query: '**.version', limit: 5 },
      ],
      run: ({ path, query, limit }) => {
        const found = queryJson(parse(path), query);
        const shown = found.slice(0, limit);
        return {
          content: { found: shown, truncated: found.length > shown.length },
          summary: `${found.length} ${found.length === 1 ? 'value' : 'values'} at ${query} in ${path}`,
        };
      },
    },
  ],
});

function parse(path: string): unknown {
  const { text, truncated } = fs.readText(path, 4 * 1024 * 1024);
  if (truncated) throw new ToolError('limit', `${path} has more than 4 MiB`);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new ToolError('invalid-input', `${path} is not JSON: ${(thrown as Error).message}`);
  }
}
