import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type Implementation,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import type { JsonObject } from '../contracts/tool.ts';
import { escapeLine } from '../lib/text/escape.ts';
import type { Progress } from './served-tools.ts';
import type { CallOutcome, Serving } from './serving.ts';

const maxClientName = 64;
/** https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
const answerField = 'answer';

const instructions =
  'Tools of cuervo: each runs in a sandbox, each call is journaled, and undo takes back what one changed in files. A denied call names what a person can type to allow it.';

/** One instance of the protocol for a connection or a request, over what is served to it. */
export function createServer(serving: Serving, version: string): Server {
  const server = new Server(
    { name: 'cuervo', title: 'cuervo', version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );

  server.setRequestHandler('tools/list', async () => ({ tools: [...(await serving.tools())] }));

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { inputResponses } = ctx.mcpReq;
    const state = ctx.mcpReq.requestState<string>();
    const outcome = await serving.call(params.name, (params.arguments ?? {}) as JsonObject, {
      client: clientOf(server, ctx),
      signal: ctx.mcpReq.signal,
      onProgress: progressOf(ctx),
      ...(state === undefined ? {} : { answer: { id: state, given: givenIn(inputResponses) } }),
    });
    if (outcome === undefined) throw invalid(`there is no tool "${params.name.slice(0, 80)}"`);
    return outcome.type === 'question' ? questionOf(outcome) : resultOf(outcome.result);
  });

  server.setRequestHandler('resources/list', async () => ({
    resources: serving.results.list().map(({ uri, name, mimeType, bytes }) => ({
      ...{ uri, name, mimeType },
      size: bytes,
    })),
  }));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const found = serving.results.read(uri);
    if (found === undefined)
      throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, 'there is no such result', {
        uri,
      });
    return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] };
  });
  return server;
}

function resultOf({
  text,
  structured,
  note,
  link,
  isError,
}: Extract<CallOutcome, { type: 'result' }>['result']) {
  return {
    content: [
      { type: 'text' as const, text },
      ...(note === undefined ? [] : [{ type: 'text' as const, text: note }]),
      ...(link === undefined
        ? []
        : [
            {
              type: 'resource_link' as const,
              uri: link.uri,
              name: link.name,
              mimeType: link.mimeType,
              size: link.bytes,
            },
          ]),
    ],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError ? { isError } : {}),
  };
}

function questionOf({ id, question }: Extract<CallOutcome, { type: 'question' }>) {
  const { text: message, answers } = question;
  return inputRequired({
    requestState: id,
    inputRequests: {
      [answerField]: inputRequired.elicit({
        message,
        requestedSchema: {
          type: 'object',
          properties: { [answerField]: { type: 'string', enum: [...answers] } },
          required: [answerField],
        },
      }),
    },
  });
}

/** Words that a client sent back; anything but one of the answers is none. */
function givenIn(responses: Record<string, unknown> | undefined): string | undefined {
  const { action, content } = Object(responses?.[answerField]) as Record<string, unknown>;
  const given = (Object(content) as Record<string, unknown>)[answerField];
  return action === 'accept' && typeof given === 'string' ? given : undefined;
}

function clientOf(server: Server, ctx: ServerContext) {
  const { envelope, _meta } = ctx.mcpReq;
  const sent = Object(envelope) as {
    [CLIENT_INFO_META_KEY]?: Implementation;
    [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  };
  const info = sent[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  const can = sent[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const trace = _meta?.traceparent;
  return {
    name: escapeLine(info?.name ?? 'a client without a name').slice(0, maxClientName),
    canAsk: can?.elicitation !== undefined,
    ...(typeof trace === 'string' && traceparent.test(trace) ? { traceparent: trace } : {}),
  };
}

/** Each notification has to say more than the one before it. */
function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let last = -1;
  return (message, done, total) => {
    const progress = done > last ? done : last + 1;
    last = progress;
    const of = total === undefined || total < progress ? {} : { total };
    const params = { progressToken, progress, ...of, message };
    // A client that is gone is told by its call.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

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
