import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/**
 * Starts the MCP server and connects the official client to it. The caller closes it.
 *
 * @param {string} server file of the server
 */
export async function openMcpEcho(server) {
  const client = new Client({ name: 'bench', version: '0.1.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
  return {
    /** @param {string} text */
    call: async (text) => {
      const { content } = await client.callTool({ name: 'text', arguments: { text } });
      return content[0].text;
    },
    close: () => client.close(),
  };
}
