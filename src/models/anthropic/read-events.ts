import type { RawMessageStreamEvent, StopReason } from '@anthropic-ai/sdk/resources/messages';
import type { ModelEvent, ModelStop, ModelUsage } from '../../contracts/model.ts';
import { modelError } from '../../contracts/talk.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import {
  brokenAnswer,
  endlessAnswer,
  maxAnswerChars,
  maxCalls,
  otherModel,
} from '../remote/limits.ts';
import { parseCount, parseToolInput, type ToolNames } from '../remote/parse-calls.ts';

function toStop(reason: StopReason | null, calls: number): ModelStop {
  switch (reason) {
    case 'tool_use':
      return 'tool-calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    case 'pause_turn':
      return calls > 0 ? 'tool-calls' : 'paused';
    default:
      return calls > 0 ? 'tool-calls' : 'end';
  }
}

/**
 * Counts input tokens that the provider read from or wrote to its cache, too. Other servers of this
 * API leave out some numbers, or all.
 */
type UsageReport = {
  input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  output_tokens?: unknown;
};

/** Reports come at the start and at the end; the larger numbers are the later ones. */
function addReport(usage: ModelUsage, report: UsageReport | undefined): void {
  const cached = parseCount(report?.cache_read_input_tokens) ?? 0;
  const written = parseCount(report?.cache_creation_input_tokens) ?? 0;
  const input = (parseCount(report?.input_tokens) ?? 0) + cached + written;
  usage.inputTokens = Math.max(usage.inputTokens, input);
  usage.outputTokens = Math.max(usage.outputTokens, parseCount(report?.output_tokens) ?? 0);
  if (cached > 0) usage.cachedTokens = Math.max(usage.cachedTokens ?? 0, cached);
  if (written > 0) usage.cacheWriteTokens = Math.max(usage.cacheWriteTokens ?? 0, written);
}

/** A block while it comes. */
type OpenBlock = { raw: JsonObject; json: string };

/**
 * The provider's stream as model events. Text and calls come as they complete, `end` last. A reply
 * with thoughts, or one that was paused, comes with its blocks as they were.
 *
 * @param options.model that was asked
 * @throws {KernelError} `unavailable` when the stream stops before `message_stop`, or does not end
 */
export async function* readEvents(
  events: AsyncIterable<RawMessageStreamEvent>,
  { model, names }: { model: string; names: ToolNames },
): AsyncGenerator<ModelEvent, void, undefined> {
  const open = new Map<number, OpenBlock>();
  const raw: JsonObject[] = [];
  const usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let reason: StopReason | null = null;
  let begun = 0;
  let served: string | undefined;
  let calls = 0;
  let began = false;
  let complete = false;
  let chars = 0;
  const take = (more: string): string => {
    chars += more.length;
    if (chars > maxAnswerChars) throw endlessAnswer(`${maxAnswerChars} characters`);
    return more;
  };
  const append = (block: OpenBlock, key: string, more: string): void => {
    block.raw[key] = `${block.raw[key] ?? ''}${take(more)}`;
  };
  for await (const event of events) {
    began = true;
    if (event.type === 'message_start') {
      addReport(usage, event.message.usage);
      served = otherModel(model, event.message.model);
    } else if (event.type === 'content_block_start') {
      const block = event.content_block;
      begun += 1;
      if (begun > maxCalls) throw endlessAnswer(`${maxCalls} calls`);
      const made = { raw: { ...(block as unknown as JsonObject) }, json: '' };
      open.set(event.index, made);
      if (block.type === 'tool_use') take(block.id + block.name);
      else if (block.type === 'text' && block.text !== '') {
        yield { type: 'text', delta: take(block.text) };
      }
    } else if (event.type === 'content_block_delta') {
      const block = open.get(event.index);
      if (block === undefined) continue;
      const { delta } = event;
      if (delta.type === 'text_delta') {
        append(block, 'text', delta.text);
        yield { type: 'text', delta: delta.text };
      } else if (delta.type === 'thinking_delta') append(block, 'thinking', delta.thinking);
      else if (delta.type === 'signature_delta') append(block, 'signature', delta.signature);
      else if (delta.type === 'input_json_delta') block.json += take(delta.partial_json);
    } else if (event.type === 'content_block_stop') {
      const block = open.get(event.index);
      if (block === undefined) continue;
      open.delete(event.index);
      const { type, id, name } = block.raw;
      if (type === 'tool_use') {
        calls += 1;
        const input = parseToolInput(block.json);
        raw.push({ ...block.raw, input: input.input });
        yield {
          type: 'tool-call',
          call: { id: String(id), name: names.fromProvider(String(name)), ...input },
        };
      } else {
        if (block.json.trim() !== '') block.raw.input = parseToolInput(block.json).input;
        // The provider refuses empty text blocks.
        if (type !== 'text' || String(block.raw.text).trim() !== '') raw.push(block.raw);
      }
    } else if (event.type === 'message_delta') {
      reason = event.delta.stop_reason ?? reason;
      addReport(usage, event.usage);
    } else if (event.type === 'message_stop') complete = true;
  }
  if (!began) throw noAnswer();
  if (!complete) throw brokenAnswer('its stream ended before the message did');
  const stop = toStop(reason, calls);
  const isOwn = stop === 'paused' || raw.some(({ type }) => type !== 'text' && type !== 'tool_use');
  yield {
    ...{ type: 'end', stop, usage },
    ...(isOwn && raw.length > 0 ? { raw } : {}),
    ...(served === undefined ? {} : { served }),
  };
}

function noAnswer(): Error {
  return modelError(
    { kind: 'refused' },
    'the server does not speak the Messages API',
    'check ANTHROPIC_BASE_URL, or run without a model: --model none',
  );
}
