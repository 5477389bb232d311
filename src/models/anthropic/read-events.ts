import type { RawMessageStreamEvent, StopReason } from '@anthropic-ai/sdk/resources/messages';
import { KernelError } from '../../contracts/error.ts';
import type { ModelEvent, ModelUsage } from '../../contracts/model.ts';
import { endlessAnswer } from './endless-answer.ts';
import { parseToolInput } from './parse-tool-input.ts';
import type { ToolNames } from './tool-names.ts';

type Stop = Extract<ModelEvent, { type: 'end' }>['stop'];

function toStop(reason: StopReason | null, calls: number): Stop {
  switch (reason) {
    case 'tool_use':
      return 'tool-calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    default:
      return calls > 0 ? 'tool-calls' : 'end';
  }
}

/**
 * Input tokens count also where they came from or went into the provider's cache. Other servers
 * that speak the API leave out numbers, or all of it.
 */
type UsageReport = {
  input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  output_tokens?: number | null;
};

function inputTokensOf(usage: UsageReport | undefined): number {
  return (
    (usage?.input_tokens ?? 0) +
    (usage?.cache_creation_input_tokens ?? 0) +
    (usage?.cache_read_input_tokens ?? 0)
  );
}

function outputTokensOf(usage: UsageReport | undefined): number {
  return usage?.output_tokens ?? 0;
}

type OpenCall = { id: string; name: string; json: string };

/** The most characters of one answer with its calls: far above what any token limit gives. */
const maxAnswerChars = 1024 * 1024;
/** The most calls of one answer; a whole question may make fewer. */
const maxCalls = 1000;

/**
 * The provider's stream as model events. Text and calls come as they complete, `end` last.
 *
 * @throws {KernelError} `unavailable` when the stream stops before `message_stop` or brought
 *   neither text nor a call, or does not end
 */
export async function* readEvents(
  events: AsyncIterable<RawMessageStreamEvent>,
  names: ToolNames,
): AsyncGenerator<ModelEvent, void, undefined> {
  const open = new Map<number, OpenCall>();
  const usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let reason: StopReason | null = null;
  let begun = 0;
  let calls = 0;
  let words = false;
  let began = false;
  let complete = false;
  let chars = 0;
  const take = (more: string): string => {
    chars += more.length;
    if (chars > maxAnswerChars) throw endlessAnswer(`${maxAnswerChars} characters`);
    return more;
  };
  for await (const event of events) {
    began = true;
    if (event.type === 'message_start') {
      usage.inputTokens = inputTokensOf(event.message.usage);
      usage.outputTokens = outputTokensOf(event.message.usage);
    } else if (event.type === 'content_block_start') {
      const block = event.content_block;
      if (block.type === 'tool_use') {
        open.set(event.index, { id: take(block.id), name: take(block.name), json: '' });
        begun += 1;
        if (begun > maxCalls) throw endlessAnswer(`${maxCalls} calls`);
      } else if (block.type === 'text' && block.text !== '') {
        words ||= block.text.trim() !== '';
        yield { type: 'text', delta: take(block.text) };
      }
    } else if (event.type === 'content_block_delta') {
      const call = open.get(event.index);
      if (event.delta.type === 'text_delta') {
        words ||= event.delta.text.trim() !== '';
        yield { type: 'text', delta: take(event.delta.text) };
      } else if (event.delta.type === 'input_json_delta' && call !== undefined) {
        call.json += take(event.delta.partial_json);
      }
    } else if (event.type === 'content_block_stop') {
      const call = open.get(event.index);
      if (call === undefined) continue;
      open.delete(event.index);
      calls += 1;
      const name = names.fromProvider(call.name);
      yield { type: 'tool-call', call: { id: call.id, name, ...parseToolInput(call.json) } };
    } else if (event.type === 'message_delta') {
      reason = event.delta.stop_reason ?? reason;
      usage.inputTokens = Math.max(usage.inputTokens, inputTokensOf(event.usage));
      usage.outputTokens = Math.max(usage.outputTokens, outputTokensOf(event.usage));
    } else if (event.type === 'message_stop') complete = true;
  }
  if (!began) throw noAnswer();
  if (!complete) throw emptyAnswer('its stream ended before the message did');
  if (!words && calls === 0 && reason !== 'refusal')
    throw emptyAnswer('neither text nor a tool call');
  yield { type: 'end', stop: toStop(reason, calls), usage };
}

function noAnswer(): KernelError {
  return new KernelError('unavailable', 'the server does not speak the Messages API', {
    hint: 'check ANTHROPIC_BASE_URL, or run without a model: --model none',
  });
}

function emptyAnswer(why: string): KernelError {
  return new KernelError('unavailable', `the model returned an empty answer: ${why}`, {
    hint: 'ask again, or run without a model: --model none',
  });
}
