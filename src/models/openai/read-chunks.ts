import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { ModelEvent, ModelStop, ModelUsage } from '../../contracts/model.ts';
import { modelError } from '../../contracts/talk.ts';
import {
  brokenAnswer,
  endlessAnswer,
  maxAnswerChars,
  maxCalls,
  otherModel,
  thoughtsAlone,
} from '../remote/limits.ts';
import { isWholeInput, parseCount, parseToolInput, type ToolNames } from '../remote/parse-calls.ts';

/** Unknown on purpose: servers add numbers, leave them out, or send impossible ones. */
type UsageReport = {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  prompt_tokens_details?: { cached_tokens?: unknown } | null;
  prompt_cache_hit_tokens?: unknown;
  cost?: unknown;
};

function usageOf(report: UsageReport): ModelUsage {
  const inputTokens = parseCount(report.prompt_tokens) ?? 0;
  const kept = report.prompt_tokens_details?.cached_tokens ?? report.prompt_cache_hit_tokens;
  const cached = Math.min(parseCount(kept) ?? 0, inputTokens);
  const usd = parseCount(report.cost);
  return {
    inputTokens,
    outputTokens: parseCount(report.completion_tokens) ?? 0,
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(usd === undefined ? {} : { usd }),
  };
}

function toStop(reason: string | undefined, calls: number): ModelStop {
  if (calls > 0) return reason === 'length' ? 'length' : 'tool-calls';
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'refused' : 'end';
}

type OpenCall = { index: number | undefined; id: string; name: string; json: string };

/** A part of a call. Servers do not keep to the types, hence `unknown`. */
type CallPart = {
  index?: unknown;
  id?: unknown;
  function?: { name?: unknown; arguments?: unknown } | null;
};

type ReplyPart = {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: readonly CallPart[] | null;
};

type ChoicePart = { delta?: ReplyPart | null; message?: ReplyPart };

/** Words, which some servers send as a list of parts. */
function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (part?.type === 'text' ? wordsOf(part.text) : '')).join('');
}

/**
 * The stream of chat completions as model events, `end` last. Calls come when the reply is whole,
 * because a server may send parts of several in turn.
 *
 * @param options.model that was asked
 * @param options.isWhole whether the server said that nothing more comes, which takes the place of a reason
 * @throws {KernelError} with a `ModelFault` when the stream stops before its end, brought thoughts
 *   alone, or does not end
 */
export async function* readChunks(
  chunks: AsyncIterable<ChatCompletionChunk>,
  { model, names, isWhole }: { model: string; names: ToolNames; isWhole: () => boolean },
): AsyncGenerator<ModelEvent, void, undefined> {
  const open: OpenCall[] = [];
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let reason: string | undefined;
  let began = false;
  let words = false;
  let isRefused = false;
  let chars = 0;
  const take = (more: string): string => {
    chars += more.length;
    if (chars > maxAnswerChars) throw endlessAnswer(`${maxAnswerChars} characters`);
    return more;
  };
  let thought = false;
  let served: string | undefined;
  for await (const chunk of chunks) {
    began = true;
    served ??= otherModel(model, chunk.model);
    if (chunk.usage) usage = usageOf(chunk.usage);
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    // A server that does not stream sends a message.
    const { delta, message }: ChoicePart = choice;
    const part = delta ?? message;
    const refusal = wordsOf(part?.refusal);
    isRefused ||= refusal !== '';
    thought ||= wordsOf(part?.reasoning_content ?? part?.reasoning) !== '';
    const said = take(wordsOf(part?.content) + refusal);
    words ||= said.trim() !== '';
    if (said !== '') yield { type: 'text', delta: said };
    for (const piece of part?.tool_calls ?? []) {
      const call = callAt(open, piece);
      if (open.length > maxCalls) throw endlessAnswer(`${maxCalls} calls`);
      call.id ||= take(textOf(piece.id));
      call.name ||= take(textOf(piece.function?.name));
      call.json += take(textOf(piece.function?.arguments));
    }
    reason = choice.finish_reason ?? reason;
  }
  if (!began) throw noAnswer();
  if (reason === undefined && !isWhole())
    throw brokenAnswer('its stream ended before the message did');
  let calls = 0;
  const ids = new Set<string>();
  for (const { id, name, json } of open) {
    calls += 1;
    // A result names its call by the id, so each call needs its own.
    const own = id === '' || ids.has(id) ? `call-${calls}` : id;
    ids.add(own);
    const call = { id: own, name: names.fromProvider(name) };
    yield { type: 'tool-call', call: { ...call, ...parseToolInput(json) } };
  }
  const stop = isRefused ? 'refused' : toStop(reason, calls);
  if (thought && !words && calls === 0 && stop !== 'refused') throw thoughtsAlone(stop);
  yield { type: 'end', stop, usage, ...(served === undefined ? {} : { served }) };
}

/**
 * The call that a part belongs to. Usually parts of a call share an index and an id. Some servers
 * give neither; some give all calls the same, but send each call whole.
 */
function callAt(open: OpenCall[], part: CallPart): OpenCall {
  const id = textOf(part.id);
  const index = typeof part.index === 'number' ? part.index : undefined;
  const last = open.findLast((call) => index === undefined || call.index === index);
  const isNamed = textOf(part.function?.name) !== '';
  const isOther = id !== '' && last?.id !== '' && id !== last?.id;
  const isNext = isNamed && (isOther || isWholeInput(last?.json ?? ''));
  if (last !== undefined && !isNext) return last;
  const call: OpenCall = { index, id: '', name: '', json: '' };
  open.push(call);
  return call;
}

/** A text, or what a server sent in the place of one, as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function noAnswer(): Error {
  return modelError(
    { kind: 'refused' },
    'the server does not speak chat completions',
    'check its address (it often ends in /v1), or run without a model: --model none',
  );
}
