import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createServer } from './create-server.ts';
import type { Serving } from './serving.ts';

/**
 * Serves the client that started this process, in whichever revision it opens with, until it closes
 * its end or sends a message that is too long.
 */
export async function serveStdio(
  serving: Serving,
  options: { version: string; onError(error: Error): void; signal: AbortSignal },
): Promise<void> {
  const { version, onError, signal } = options;
  const transport = new StdioServerTransport();
  const handle = serve(() => createServer(serving, version), { transport, onerror: onError });
  const closed = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    closed.resolve();
  };
  const end = (): void => closed.resolve();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  await closed.promise;
  signal.removeEventListener('abort', end);
  await handle.close();
}
