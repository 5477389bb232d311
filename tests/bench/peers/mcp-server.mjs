import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/** The tool of `plugins/echo` as an MCP server: same input, same check, same answer. */
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

await server.connect(new StdioServerTransport());
