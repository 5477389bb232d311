import {
  Client,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client';
import { KernelError } from '../contracts/error.ts';
import type { JsonObject, ToolOutput } from '../contracts/tool.ts';
import { escapeText } from '../lib/text/printable.ts';
import { toolsPageSchema } from './parse-server.ts';

/** For a server that has to say which revision it speaks; many of the old ones never answer. */
const probeMs = 3_000;
/** Pages of a list of tools. */
const maxPages = 64;
const maxErrorText = 2_000;

/** A server that answered. The caller owns it. */
export type Connection = AsyncDisposable & {
  isOld: boolean;
  /** as it lists them, unchecked */
  listTools(): Promise<unknown[]>;
  /** @throws {KernelError} `tool-failed` where the server says so */
  call(tool: string, input: JsonObject, how: CallHow): Promise<ToolOutput>;
};

export type CallHow = {
  signal: AbortSignal;
  timeoutMs: number;
  /** as the caller knows it */
  shown: string;
  onProgress(label: string, done: number, total: number | undefined): void;
};

/**
 * @param options.isOld skips the question which revision it speaks
 * @throws {KernelError} `unavailable` for one that does not answer as a server does
 */
export async function openConnection(
  transport: Transport,
  options: {
    name: string;
    version: string;
    isOld?: boolean;
    timeoutMs: number;
    signal: AbortSignal;
  },
): Promise<Connection> {
  const { name, version, isOld, timeoutMs, signal } = options;
  const client = new Client(
    { name: 'cuervo', version },
    {
      listMaxPages: maxPages,
      inputRequired: { autoFulfill: false },
      // A schema of a server is not compiled here; what it says of its results is not relied on.
      jsonSchemaValidator: {
        getValidator: () => (data) => ({
          valid: true,
          data: data as never,
          errorMessage: undefined,
        }),
      },
      versionNegotiation:
        isOld === true ? { mode: 'legacy' } : { mode: 'auto', probe: { timeoutMs: probeMs } },
    },
  );
  try {
    await client.connect(transport, { timeout: timeoutMs, signal });
  } catch (thrown) {
    await client.close().catch(() => {});
    throw failureOf(name, thrown, signal);
  }
  return {
    isOld: client.getProtocolEra() === 'legacy',
    listTools: async () => {
      const options = { timeout: timeoutMs, signal };
      try {
        const { tools } = await client.listTools(undefined, options);
        return tools;
      } catch (thrown) {
        if (!isMisread(thrown)) throw failureOf(name, thrown, signal);
      }
      return await listLoosely(client, options).catch((thrown: unknown) => {
        throw failureOf(name, thrown, signal);
      });
    },
    call: async (tool, input, how) => {
      let result: Awaited<ReturnType<Client['callTool']>>;
      try {
        result = await client.callTool(
          { name: tool, arguments: input },
          {
            signal: how.signal,
            timeout: how.timeoutMs,
            onprogress: ({ message = '', progress, total }) =>
              how.onProgress(escapeText(message), progress, total),
          },
        );
      } catch (thrown) {
        throw failureOf(name, thrown, how.signal);
      }
      const content = contentOf(result);
      if (result.isError)
        throw new KernelError(
          'tool-failed',
          `${how.shown}: ${content.slice(0, maxErrorText) || 'it failed'}`,
        );
      return { content, summary: `${Buffer.byteLength(content)} bytes` };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** One tool that the library cannot read, and it reads none. */
function isMisread(thrown: unknown): boolean {
  // Its reader calls itself for each level of a schema.
  if (thrown instanceof RangeError) return true;
  return SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.InvalidResult;
}

async function listLoosely(
  client: Client,
  options: { timeout: number; signal: AbortSignal },
): Promise<unknown[]> {
  const tools: unknown[] = [];
  let params = {};
  for (let page = 0; page < maxPages; page += 1) {
    const listed = await client.request({ method: 'tools/list', params }, toolsPageSchema, options);
    tools.push(...listed.tools);
    if (listed.nextCursor === undefined) break;
    params = { cursor: listed.nextCursor };
  }
  return tools;
}

type Result = Awaited<ReturnType<Client['callTool']>>;

/** Its JSON where it gives some, else its texts; of anything else only that it is there. */
function contentOf({ structuredContent, content }: Result): string {
  if (structuredContent !== undefined) return JSON.stringify(structuredContent);
  return content.map(textOf).join('\n');
}

function textOf(block: Result['content'][number]): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[resource ${block.uri}]`;
  if (block.type === 'resource') {
    const { resource } = block;
    return 'text' in resource ? resource.text : `[resource ${resource.uri}, not text]`;
  }
  return `[${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`;
}

/** Without the words before it that messages have. */
function ownName(shown: string): string {
  return shown.slice(shown.lastIndexOf(' ') + 1);
}

/** @returns `canceled` and the like of the signal, else what is wrong with the server */
function failureOf(name: string, thrown: unknown, signal: AbortSignal): KernelError {
  if (thrown instanceof KernelError) return thrown;
  if (signal.aborted) return KernelError.from(signal.reason, 'canceled');
  const cause = { cause: thrown };
  if (SdkError.isInstance(thrown) && thrown.code === SdkErrorCode.RequestTimeout)
    return new KernelError('deadline-exceeded', `${name} did not answer in time`, cause);
  const status = SdkHttpError.isInstance(thrown) ? ` (HTTP ${thrown.status})` : '';
  const said = (thrown instanceof Error ? thrown.message : String(thrown)) + status;
  return new KernelError('unavailable', `${name}: ${escapeText(said).slice(0, maxErrorText)}`, {
    ...cause,
    hint: /\b401\b/.test(said)
      ? `It wants a sign-in: cuervo mcp login ${ownName(name)}; or keep a token with cuervo secret set, and add the server with --secret NAME`
      : `See whether it answers with: cuervo mcp test ${ownName(name)}`,
  });
}
