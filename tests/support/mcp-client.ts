import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Place } from './place.ts';
import { program } from './run-cuervo.ts';

export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

/** One message as it went over the wire. */
export type Message = { from: 'client' | 'server'; body: Record<string, unknown> };

export type McpClient = AsyncDisposable & {
  client: Client;
  messages: Message[];
  /** what the server printed to standard error by now */
  stderr(): string;
  pid(): number;
  /** text of the first content, and whether it is an error */
  call(
    name: string,
    input?: Record<string, unknown>,
    options?: Parameters<Client['callTool']>[1],
  ): Promise<{ text: string; isError: boolean; whole: Awaited<ReturnType<Client['callTool']>> }>;
};

/** What a person behind the client answers to each question; without it the client cannot ask. */
export type Answer = (
  message: string,
) => Record<string, unknown> | Promise<Record<string, unknown>>;

/** The official client with `cuervo mcp serve` as a process of its own. */
export async function openMcpClient(
  place: Place,
  options: { era?: Era; args?: readonly string[]; answer?: Answer; name?: string } = {},
): Promise<McpClient> {
  const { era = '2026-07-28', args = [], answer, name = 'tests' } = options;
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      ...(era === '2026-07-28' ? { versionNegotiation: { mode: 'auto' as const } } : {}),
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: 'accept',
      content: (await answer(params.message)) as Record<string, string>,
    }));
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', 'serve', ...args],
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
    stderr: 'pipe',
  });
  const messages: Message[] = [];
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    messages.push({ from: 'client', body: message as Message['body'] });
    await send(message);
  };
  await client.connect(transport);
  const { onmessage } = transport;
  transport.onmessage = (message) => {
    messages.push({ from: 'server', body: message as Message['body'] });
    onmessage?.(message);
  };
  return {
    client,
    messages,
    stderr: () => said,
    pid: () => transport.pid ?? 0,
    call: async (tool, input = {}, more = {}) => {
      const whole = await client.callTool({ name: tool, arguments: input }, more);
      const [first] = whole.content as { text?: string }[];
      return { text: first?.text ?? '', isError: whole.isError === true, whole };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
