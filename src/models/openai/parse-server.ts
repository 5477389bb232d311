import * as v from 'valibot';
import type { ModelPrice } from '../../contracts/model.ts';
import { connectingFetch } from '../remote/bounded-fetch.ts';
import { usualConnectMs } from '../remote/limits.ts';

export type ServedModel = {
  id: string;
  /** the context in force, where the server tells it */
  contextTokens?: number;
  nativeTools?: boolean;
  sees?: boolean;
  price?: ModelPrice;
};

export type ServerReport = {
  /** by what it answers to beside the models; `compatible` for any other */
  kind: 'ollama' | 'llama-server' | 'lm-studio' | 'compatible';
  models: ServedModel[];
};

export type InspectOptions = {
  /** up to and with `/v1` */
  baseUrl: string;
  /** empty: none is sent */
  apiKey: string;
  signal: AbortSignal;
  timeoutMs?: number;
};

const defaultTimeoutMs = 10_000;
const maxBodyBytes = 8 * 1024 * 1024;
/** Models of a list that are looked at. */
const maxModels = 2_000;

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const optional = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);
const amount = v.pipe(
  v.union([v.number(), v.pipe(v.string(), v.toNumber())]),
  v.number(),
  v.minValue(0),
);

const listSchema = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      max_model_len: optional(count),
      context_length: optional(count),
      meta: optional(v.object({ n_ctx: optional(count) })),
      pricing: optional(
        v.object({ prompt: amount, completion: amount, input_cache_read: optional(amount) }),
      ),
      supported_parameters: optional(v.array(v.string())),
      architecture: optional(v.object({ input_modalities: optional(v.array(v.string())) })),
    }),
  ),
});
const ollamaRunning = v.object({
  models: v.array(v.object({ name: v.string(), context_length: optional(count) })),
});
const ollamaShow = v.object({
  capabilities: optional(v.array(v.string())),
  /** a line for each, as a Modelfile has them */
  parameters: optional(v.string()),
});
const llamaProps = v.object({
  default_generation_settings: v.object({ n_ctx: optional(count) }),
  chat_template_caps: optional(v.object({ supports_tools: optional(v.boolean()) })),
  modalities: optional(v.object({ vision: optional(v.boolean()) })),
});
const studioList = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      loaded_context_length: optional(count),
      type: optional(v.string()),
      capabilities: optional(v.array(v.string())),
    }),
  ),
});

/**
 * Asks a server for its models.
 *
 * @throws an error with the reason where it cannot be reached or gives no list
 */
export async function listServed(options: InspectOptions): Promise<ServedModel[]> {
  const { data } = v.parse(listSchema, await getJson(`${options.baseUrl}/models`, options), {
    abortEarly: true,
  });
  return data.slice(0, maxModels).map((model) => {
    const contextTokens = contextOf(model);
    const { pricing } = model;
    return {
      id: model.id,
      ...(contextTokens === undefined ? {} : { contextTokens }),
      ...(model.supported_parameters === undefined
        ? {}
        : { nativeTools: model.supported_parameters.includes('tools') }),
      ...said('sees', model.architecture?.input_modalities?.includes('image')),
      ...(pricing === undefined
        ? {}
        : {
            price: {
              input: pricing.prompt * 1e6,
              output: pricing.completion * 1e6,
              ...(pricing.input_cache_read === undefined
                ? {}
                : { cached: pricing.input_cache_read * 1e6 }),
            },
          }),
    };
  });
}

/**
 * A local server's facts about a model that is about to be used: the context in force, which may be
 * much shorter than the model's, and whether it takes tools and images. Empty when the server does not say.
 */
export async function askServer(
  model: string,
  options: InspectOptions,
): Promise<Omit<ServedModel, 'id' | 'price'> & { kind: ServerReport['kind'] }> {
  const root = options.baseUrl.replace(/\/v1$/, '');
  const ask = async <Schema extends v.GenericSchema>(
    schema: Schema,
    path: string,
    body?: object,
  ): Promise<v.InferOutput<Schema> | undefined> => {
    try {
      return v.parse(schema, await getJson(`${root}${path}`, options, body), { abortEarly: true });
    } catch {
      // It is another kind of server.
      return undefined;
    }
  };
  const [running, props, studio] = await Promise.all([
    ask(ollamaRunning, '/api/ps'),
    ask(llamaProps, '/props'),
    ask(studioList, '/api/v0/models'),
  ]);
  if (running !== undefined) {
    const shown = await ask(ollamaShow, '/api/show', { model });
    const inForce = running.models.find(({ name }) => name === model || name === `${model}:latest`);
    return {
      kind: 'ollama',
      // One that is not loaded will have the context of its Modelfile.
      ...said('contextTokens', inForce?.context_length ?? contextIn(shown?.parameters)),
      ...said('nativeTools', shown?.capabilities?.includes('tools')),
      ...said('sees', shown?.capabilities?.includes('vision')),
    };
  }
  if (props !== undefined) {
    return {
      kind: 'llama-server',
      ...said('contextTokens', props.default_generation_settings.n_ctx),
      ...said('nativeTools', props.chat_template_caps?.supports_tools),
      ...said('sees', props.modalities?.vision),
    };
  }
  const loaded = studio?.data.find(({ id }) => id === model);
  if (studio !== undefined) {
    return {
      kind: 'lm-studio',
      ...said('contextTokens', loaded?.loaded_context_length),
      ...said('nativeTools', loaded?.capabilities?.includes('tool_use')),
      ...said('sees', loaded?.type === undefined ? undefined : loaded.type === 'vlm'),
    };
  }
  const list = await ask(listSchema, '/v1/models');
  const own = list?.data.find(({ id }) => id === model);
  return { kind: 'compatible', ...said('contextTokens', own && contextOf(own)) };
}

function contextIn(parameters = ''): number | undefined {
  const tokens = /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1];
  return tokens === undefined || Number(tokens) === 0 ? undefined : Number(tokens);
}

/** As llama-server, vLLM and OpenRouter call it. */
function contextOf({
  meta,
  max_model_len,
  context_length,
}: v.InferOutput<typeof listSchema>['data'][number]): number | undefined {
  return meta?.n_ctx ?? max_model_len ?? context_length;
}

function said<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { [Name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [Name in Key]?: Value });
}

async function getJson(
  url: string,
  { apiKey, signal, timeoutMs = defaultTimeoutMs }: InspectOptions,
  body?: object,
): Promise<unknown> {
  const late = AbortSignal.timeout(timeoutMs);
  const send = connectingFetch({ connectMs: Math.min(timeoutMs, usualConnectMs) });
  // It follows no redirect: the key would go along.
  const response = await send(url, {
    signal: AbortSignal.any([signal, late]),
    headers: {
      accept: 'application/json',
      ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  }).catch((thrown) => {
    if (!late.aborted) throw thrown;
    throw new Error(`no answer within ${timeoutMs / 1_000} s`, { cause: thrown });
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBodyBytes)
      throw new Error(`${url} answered with more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
