import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/**
 * The tool of `plugins/echo` as an MCP server: same input, same check, same answer. A number as its
 * argument has it offer as many more, which are those of `plugins/many`.
 */
const server = new McpServer({ name: 'echo', version: '0.1.0' });

server.registerTool(
  'text',
  {
    description: 'Gives a text back.',
    inputSchema: {
      text: z.string().min(1).max(65_536).describe('any text'),
      upperCase: z.boolean().optional().describe('in upper case'),
    },
  },
  async ({ text, upperCase }) => ({
    content: [{ type: 'text', text: upperCase ? text.toUpperCase() : text }],
  }),
);

for (let at = 1; at < Number(process.argv[2] ?? 1); at += 1) {
  server.registerTool(
    `tool-${at}`,
    {
      description: `Gives a text back, as the tool number ${at} of many does.`,
      inputSchema: { text: z.string().min(1).max(65_536).describe('any text') },
    },
    async ({ text }) => ({ content: [{ type: 'text', text }] }),
  );
}

await server.connect(new StdioServerTransport());
