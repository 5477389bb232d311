import type { ModelEvent, ModelRequest, ModelTool, ModelToolCall } from '../../contracts/model.ts';
import { modelError } from '../../contracts/talk.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { fitInput, likelyName } from '../../lib/check-input.ts';
import { emptyAnswer, thoughtsAlone } from '../remote/limits.ts';
import { parseToolInput, toolNamesOf } from '../remote/parse-calls.ts';
import {
  callsInWords,
  halfOpening,
  openings,
  perhapsCalls,
  surelyCalls,
  type WrittenCall,
} from './calls-in-words.ts';
import { type SpokenPart, withoutThoughts } from './without-thoughts.ts';

/** A fence that ended, and words behind it. */
const fenceAndWords =
  /^\s*(`{3,})(?!\s*tool_)[^\n]*\n(?:[\s\S]*?\n)?[ \t]*\1`*[ \t]*\n\s*[^\s`{<]/i;

/**
 * Takes thoughts out of a reply, and turns calls that the server left in the words into calls. Such
 * calls count if they are the whole reply after the thoughts, or follow words behind a mark of
 * calls, and if each names an offered tool and fits its schema.
 *
 * @param options.tellsCalls the model was told to write its calls as JSON: they may stand behind
 *   words
 * @param options.round makes the ids of calls in the words, other ones in each round
 * @throws {KernelError} with a `ModelFault`: `half-call` for words that were meant as a call,
 *   `empty` for neither words nor calls
 */
export async function* readWords(
  events: AsyncIterable<ModelEvent>,
  request: ModelRequest,
  options: { tellsCalls?: boolean; round: number },
): AsyncGenerator<ModelEvent, void, undefined> {
  const { tellsCalls = false, round } = options;
  const begins = request.tools.map(({ name }) => name.replaceAll('.', '__'));
  const plain = withoutThoughts({
    opens: (text, isFirst) => {
      const start = text.slice(0, maxOpening);
      if (surelyCalls.test(start)) return 'yes';
      const mayBegin = begins.length > 0 && (isFirst || tellsCalls);
      if (mayBegin && (perhapsCalls.test(start) || isNamed(start, begins))) return 'yes';
      const begun = start.trim().replaceAll('.', '__');
      const mayBecome = halfOpening.test(start) || (isFirst && startsOne(begun, begins));
      return mayBecome || startsOne(start.trim(), openings) ? 'perhaps' : 'no';
    },
    isWords: (held) => held.length > maxFence || fenceAndWords.test(held),
  });
  let said = '';
  let calls = 0;
  function* say({ text, dropsAll }: SpokenPart): Generator<ModelEvent, void, undefined> {
    if (dropsAll && said !== '') yield { type: 'thought' };
    if (dropsAll) said = '';
    said += text;
    if (text !== '') yield { type: 'text', delta: text };
  }
  for await (const event of events) {
    if (event.type === 'text') yield* say(plain.push(event.delta));
    if (event.type === 'tool-call') {
      calls += 1;
      yield event;
    }
    if (event.type !== 'end') continue;
    const { held, ...rest } = plain.end();
    yield* say(rest);
    const found = readHeld(held, request, said.trim() === '');
    // Some servers send a call and leave it in the words, too.
    if ('half' in found && calls === 0) throw halfCall(found.half);
    if ('text' in found) yield* say({ text: found.text, dropsAll: false });
    const written = 'calls' in found && calls === 0 ? found.calls : [];
    for (const [at, call] of written.entries()) {
      yield { type: 'tool-call', call: { ...call, id: idOf(round, at) } };
    }
    const { raw, ...end } = event;
    if (said.trim() === '' && calls + written.length === 0 && !mayBeEmpty.has(end.stop)) {
      throw plain.thought ? thoughtsAlone(end.stop) : emptyAnswer('neither text nor a tool call');
    }
    const isCalls = written.length > 0 && end.stop !== 'length';
    // The raw form is sent back later, so it is dropped if something was taken out.
    const keepsRaw = raw !== undefined && written.length === 0 && !plain.thought;
    yield { ...end, ...(isCalls ? { stop: 'tool-calls' } : {}), ...(keepsRaw ? { raw } : {}) };
  }
}

/** A longer one is no call. */
const maxFence = 16 * 1024;
/** No opening is longer. */
const maxOpening = 200;
const mayBeEmpty: ReadonlySet<string> = new Set(['refused', 'paused']);

const startsOne = (text: string, names: readonly string[]): boolean =>
  names.some((name) => name.startsWith(text));

/** Whether a text begins with a name and what may be its input. */
function isNamed(text: string, names: readonly string[]): boolean {
  const [, name, behind] = /^\s*([\w.]+)\s*(.?)/.exec(text) ?? [];
  const isTool = names.some((each) => each === name?.replaceAll('.', '__'));
  return isTool && (behind === '' || '[{<'.includes(behind ?? '-'));
}

/** Nine letters and digits: some servers accept no other form of id. */
function idOf(round: number, at: number): string {
  return `c${String(round % 1e5).padStart(5, '0')}${String(at % 1e3).padStart(3, '0')}`;
}

type Held = { calls: Omit<ModelToolCall, 'id'>[] } | { text: string } | { half: string };

function readHeld(held: string, request: ModelRequest, isWhole: boolean): Held {
  if (held.trim() === '') return { text: held };
  const isSure = surelyCalls.test(held.slice(0, maxOpening));
  const { calls, rest, isCut } = callsInWords(held);
  const read = calls.map((call) => readCall(call, request));
  const wrong = read.find((each) => typeof each === 'string');
  const areMeant = calls.length > 0 && calls.every(({ isPlain }) => isPlain !== true);
  if (rest !== '' || isCut) {
    const isBegun = isCut && (isSure || areMeant || beginsCall(rest, request));
    if (isBegun) return { half: 'it has no end' };
    // Marks without calls, followed by words, only explain how to call.
    return isSure && isWhole && calls.length > 0 && wrong === undefined
      ? { half: 'words follow it' }
      : { text: held };
  }
  if (calls.length === 0) return isSure ? { half: 'it has no end' } : { text: held };
  if (wrong === undefined) return { calls: read as Omit<ModelToolCall, 'id'>[] };
  return isSure || areMeant ? { half: wrong } : { text: held };
}

/** The call, or what is wrong with it. */
function readCall({ name, input }: WrittenCall, request: ModelRequest) {
  if (request.toolChoice === 'none' || request.tools.length === 0) {
    return 'no tool may be called now; answer in words';
  }
  const own = toolNamesOf(request).fromProvider(name);
  const called = likelyName(
    own,
    request.tools.map((tool) => tool.name),
  );
  const tool = request.tools.find((each) => each.name === called) as ModelTool | undefined;
  if (tool === undefined) return `there is no tool "${name.slice(0, 100)}"`;
  const given = parseToolInput(typeof input === 'string' ? input : JSON.stringify(input));
  if (given.fault !== undefined) return given.fault;
  const { fits, wrong } = fitInput(tool.name, tool.inputSchema as JsonObject, given.input);
  return fits ? { name: tool.name, input: given.input } : (wrong ?? 'its input is wrong');
}

/** Whether cut-off JSON names an offered tool, or was cut before the name. */
function beginsCall(text: string, { tools }: ModelRequest): boolean {
  const [, begun] =
    /^[^\w"']*["'](?:name|tool|tool_name|function|action)["']\s*:\s*["']?([\w.]*)/.exec(text) ?? [];
  if (begun === undefined) return /^[^\w"']*(?:["']\w{0,10}["']?\s*:?\s*)?$/.test(text);
  const form = begun.replaceAll('__', '.');
  return tools.some(({ name }) => name.startsWith(form));
}

function halfCall(why: string): Error {
  return modelError(
    { kind: 'half-call' },
    `the model wrote a call of a tool in its words, and ${why}`,
    'ask again, or run without a model: --model none',
  );
}
