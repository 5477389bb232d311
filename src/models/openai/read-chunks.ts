import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { ModelEvent, ModelStop, ModelUsage } from '../../contracts/model.ts';
import { modelError } from '../../contracts/talk/model-fault.ts';
import { brokenAnswer, emptyAnswer, endlessAnswer } from '../remote/endless-answer.ts';
import { maxAnswerChars, maxCalls } from '../remote/limits.ts';
import { parseToolInput } from '../remote/parse-tool-input.ts';
import type { ToolNames } from '../remote/tool-names.ts';
import type { TextCalls } from './text-calls.ts';

/** Servers report more than the type says, and leave out what it says. */
type UsageReport = {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number | null } | null;
  prompt_cache_hit_tokens?: number | null;
  cost?: number | null;
};

function usageOf(report: UsageReport): ModelUsage {
  const cached = report.prompt_tokens_details?.cached_tokens ?? report.prompt_cache_hit_tokens ?? 0;
  return {
    inputTokens: report.prompt_tokens ?? 0,
    outputTokens: report.completion_tokens ?? 0,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(typeof report.cost === 'number' ? { usd: report.cost } : {}),
  };
}

function toStop(reason: string, calls: number): ModelStop {
  if (calls > 0) return reason === 'length' ? 'length' : 'tool-calls';
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'refused' : 'end';
}

type OpenCall = { id: string; name: string; json: string };

/**
 * The stream of chat completions as model events, `end` last. Calls come when the reply is whole,
 * because a server may send parts of several in turn.
 *
 * @param options.textCalls finds calls in the words, for a model that knows no others
 * @throws {KernelError} with a `ModelFault` when the stream stops before its end, brought neither
 *   text nor a call, or does not end
 */
export async function* readChunks(
  chunks: AsyncIterable<ChatCompletionChunk>,
  { names, textCalls }: { names: ToolNames; textCalls: TextCalls | undefined },
): AsyncGenerator<ModelEvent, void, undefined> {
  const open: OpenCall[] = [];
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let reason: string | undefined;
  let began = false;
  let words = false;
  let chars = 0;
  const take = (more: string): string => {
    chars += more.length;
    if (chars > maxAnswerChars) throw endlessAnswer(`${maxAnswerChars} characters`);
    return more;
  };
  for await (const chunk of chunks) {
    began = true;
    if (chunk.usage) usage = usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const { delta } = choice;
    if (typeof delta?.content === 'string' && delta.content !== '') {
      words ||= delta.content.trim() !== '';
      const text = take(delta.content);
      const said = textCalls === undefined ? text : textCalls.push(text);
      if (said !== '') yield { type: 'text', delta: said };
    }
    for (const part of delta?.tool_calls ?? []) {
      const call = callAt(open, part);
      if (open.length > maxCalls) throw endlessAnswer(`${maxCalls} calls`);
      call.id ||= take(part.id ?? '');
      call.name ||= take(part.function?.name ?? '');
      call.json += take(part.function?.arguments ?? '');
    }
    reason = choice.finish_reason ?? reason;
  }
  if (!began) throw noAnswer();
  if (reason === undefined) throw brokenAnswer('its stream ended before the message did');
  let calls = 0;
  for (const { id, name, json } of open) {
    calls += 1;
    // Results are told by the id of their call.
    const call = { id: id || `call-${calls}`, name: names.fromProvider(name) };
    yield { type: 'tool-call', call: { ...call, ...parseToolInput(json) } };
  }
  const rest = textCalls?.end() ?? { calls: [], text: '' };
  if (rest.text !== '') yield { type: 'text', delta: rest.text };
  for (const call of rest.calls) {
    calls += 1;
    yield { type: 'tool-call', call };
  }
  const stop = toStop(reason, calls);
  if (!words && calls === 0 && stop !== 'refused')
    throw emptyAnswer('neither text nor a tool call');
  yield { type: 'end', stop, usage };
}

/** Parts of one call have one index; a server that gives none sends each call whole. */
function callAt(open: OpenCall[], part: { index?: number | null; id?: string | null }): OpenCall {
  const last = open.at(-1);
  const isNew = part.id !== undefined && part.id !== null && part.id !== '' && part.id !== last?.id;
  const index = part.index ?? (isNew ? open.length : Math.max(0, open.length - 1));
  while (open.length <= Math.min(index, maxCalls)) open.push({ id: '', name: '', json: '' });
  return open[Math.min(index, maxCalls)] as OpenCall;
}

function noAnswer(): Error {
  return modelError(
    { kind: 'refused' },
    'the server does not speak chat completions',
    'check its address (it often ends in /v1), or run without a model: --model none',
  );
}
