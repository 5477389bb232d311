import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../contracts/model.ts';
import { faultOf } from '../../contracts/talk.ts';
import { readWords } from './read-words.ts';

const request: ModelRequest = {
  ...{ question: '', system: '', messages: [], toolChoice: 'auto', maxOutputTokens: 100 },
  tools: [
    {
      ...{ name: 'search.grep', description: '' },
      inputSchema: {
        type: 'object',
        properties: { pattern: { type: 'string' }, limit: { type: 'integer' } },
        required: ['pattern'],
        additionalProperties: false,
      },
    },
  ],
};

async function read(
  text: string,
  step: number,
  change: Partial<ModelRequest> = {},
  tellsCalls = false,
): Promise<{ text: string; calls: object[]; stop?: string }> {
  async function* events(): AsyncGenerator<ModelEvent> {
    for (let at = 0; at < text.length; at += step) {
      yield { type: 'text', delta: text.slice(at, at + step) };
    }
    yield { type: 'end', stop: 'end', usage: { inputTokens: 1, outputTokens: 1 } };
  }
  const made: Awaited<ReturnType<typeof read>> = { text: '', calls: [] };
  const asked = { ...request, ...change };
  for await (const event of readWords(events(), asked, { round: 1, tellsCalls })) {
    if (event.type === 'text') made.text += event.delta;
    else if (event.type === 'thought') made.text = '';
    else if (event.type === 'tool-call') made.calls.push(event.call);
    else made.stop = event.stop;
  }
  return made;
}

const input = { pattern: 'a "b" {', limit: 3 };
const json = JSON.stringify(input);
const call = `{"name": "search__grep", "arguments": ${json}}`;
const python = `pattern='a "b" {', limit=3`;

describe('readWords()', () => {
  it.each([
    `<tool_call>\n${call}\n</tool_call>`,
    `<think>hm</think>\n\n<tool_call>${call}</tool_call>`,
    `hm, a call\n</think>\n<tool_call>${call}</tool_call>`,
    `<tool_calls>[${call}]</tool_calls>`,
    `<TOOLCALL>[${call}]</TOOLCALL>`,
    call,
    `[${call}]`,
    `{"name": "search.grep", "parameters": ${json}}`,
    `{"tool": "search_grep", "input": ${json}}`,
    `{"name": "search__grep", "arguments": ${JSON.stringify(json)}}`,
    `{"tool_calls": [{"id": "x", "type": "function", "function": ${call}}]}`,
    `{'name': 'search__grep', 'arguments': {'pattern': 'a "b" {', 'limit': 3}}`,
    `\`\`\`json\n${call}\n\`\`\``,
    `\`\`\`\n${call}\n\`\`\`\n`,
    `<function=search__grep>${json}</function>`,
    `<tool_call>\n<function=search__grep>\n<parameter=pattern>\na "b" {\n</parameter>\n<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>`,
    `<function=search__grep>\n<parameter=pattern>a "b" {</parameter><parameter=limit>3</parameter></function>\n</tool_call>`,
    `<function_calls>\n<invoke name="search__grep">\n<parameter name="pattern">a "b" {</parameter>\n<parameter name="limit">3</parameter>\n</invoke>\n</function_calls>`,
    `<｜DSML｜function_calls><｜DSML｜invoke name="search__grep"><｜DSML｜parameter name="pattern" string="true">a "b" {</｜DSML｜parameter><｜DSML｜parameter name="limit" string="false">3</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`,
    `<tool_call>search__grep\n<arg_key>pattern</arg_key>\n<arg_value>a "b" {</arg_value>\n<arg_key>limit</arg_key>\n<arg_value>3</arg_value>\n</tool_call>`,
    `[TOOL_CALLS][${call}]`,
    `[TOOL_CALLS] [${call}]</s>`,
    `[TOOL_CALLS]search__grep[ARGS]${json}`,
    `[TOOL_CALLS]search__grep[CALL_ID]a1b2c3d4e[ARGS]${json}`,
    `[TOOL_CALLS]search__grep${json}`,
    `[TOOL_REQUEST]${call}[END_TOOL_REQUEST]`,
    `<|python_tag|>{"type": "function", "name": "search__grep", "parameters": ${json}}<|eom_id|>`,
    `<|python_tag|>search.grep(${python})`,
    `[search__grep(${python})]`,
    `<|tool_call_start|>[search__grep(${python})]<|tool_call_end|>`,
    `functools[${call}]`,
    `<|tool_call|>[${call}]<|/tool_call|>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search__grep\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search__grep<｜tool▁sep｜>${json}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.search__grep:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
    `\`\`\`tool_code\nsearch__grep(${python})\n\`\`\``,
    `\`\`\`tool_code\nprint(search.grep(${python}))\n\`\`\``,
    `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.search__grep <|constrain|>json<|message|>${json}<|call|>`,
    `<|start|>assistant to=functions.search__grep<|channel|>commentary<|constrain|>json<|message|>${json}<|call|>`,
    `analysisWe look.assistantcommentary to=functions.search__grep json${json}`,
    `commentary to=functions.search__grep json${json}`,
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "search__grep", "parameters": ${json}}]<|END_ACTION|>`,
    `search__grep${json}`,
  ])('reads %s as the call that it is', async (text) => {
    for (const step of [1, 4, 1000]) {
      const { text: said, calls, stop } = await read(text, step);
      expect({ said: said.trim(), stop }).toEqual({ said: '', stop: 'tool-calls' });
      expect(calls).toEqual([
        {
          ...{ id: 'c00001000', name: 'search.grep' },
          input: { pattern: input.pattern, limit: expect.toSatisfy((x) => Number(x) === 3) },
        },
      ]);
    }
  });

  it('reads two calls, and one behind words where a mark begins it', async () => {
    const two = `<tool_call>${call}</tool_call>\n<tool_call>${call}</tool_call>`;
    expect((await read(two, 3)).calls).toMatchObject([{ id: 'c00001000' }, { id: 'c00001001' }]);
    const behind = await read(`Let me look.\n<tool_call>${call}</tool_call>`, 3);
    expect(behind).toMatchObject({ text: 'Let me look.\n', calls: [{ name: 'search.grep' }] });
    const told = `Let me look.\n\`\`\`json\n${call}\n\`\`\``;
    expect((await read(told, 3, {}, true)).calls).toHaveLength(1);
    expect((await read(told, 3)).text).toBe(told);
  });

  it.each(
    [
      `A call is written so:\n\n\`\`\`\n<tool_call>${call}</tool_call>\n\`\`\`\n`,
      `A call is written so:\n\n\`\`\`json\n${call}\n\`\`\`\nIts name comes first.`,
      `\`\`\`json\n${call}\n\`\`\`\nis how a call is written.`,
      `The mark \`<tool_call>\` begins ${call}.`,
      '<tool_call> is the mark of a call.',
      '{"name": "cuervo", "version": "1.0.0"}',
      '{"name": "cuervo", "version": "1.0.0", "scri',
      '```json\n{"pattern": "a"}\n```',
      'search__grep finds it.',
      'search__grep {} takes a pattern.',
      '[ ] open\n[x] done',
      '[1, 2, 3]',
      '{a} is a set',
      'f',
      '',
    ].filter((text) => text !== ''),
  )('takes %j for words', async (text) => {
    for (const step of [1, 4, 1000]) {
      expect(await read(text, step)).toEqual({ text, calls: [], stop: 'end' });
    }
  });

  it.each([
    [`<tool_call>${call.slice(0, -9)}`, 'no end'],
    [`<tool_call>${call}`, 'no end'],
    ['<tool_call>', 'no end'],
    [call.slice(0, -1), 'no end'],
    [call.slice(0, 14), 'no end'],
    [`\`\`\`json\n${call}`, 'no end'],
    [`\`\`\`json\n${call.slice(0, 30)}`, 'no end'],
    [`[TOOL_CALLS]search__grep[ARGS]${json.slice(0, -1)}`, 'no end'],
    ['[TOOL_CALLS]', 'no end'],
    ['<function=search__grep>\n<parameter=pattern>\na', 'no end'],
    [`<|python_tag|>search.grep(${python}`, 'no end'],
    ['{"na', 'no end'],
    [call.replace('search__grep', 'weather'), 'there is no tool "weather"'],
    [`<tool_call>${call.replace('pattern', 'patern')}</tool_call>`, 'unknown field "patern"'],
    [call.replace('3', '"many"'), 'limit: has to be an integer'],
    [`Let me look.\n<tool_call>${call.slice(0, -9)}`, 'no end'],
    [`<tool_call>${call}</tool_call>\n<tool_response>7</tool_response>`, 'words follow'],
  ])('says of %j that it is half a call', async (text, why) => {
    for (const step of [1, 4, 1000]) {
      const failed = await read(text, step).catch((thrown: unknown) => thrown);
      expect(faultOf(failed), JSON.stringify(failed)).toEqual({ kind: 'half-call' });
      expect(String(failed)).toContain(why);
    }
  });

  it('takes a call for none where no tool may be called', async () => {
    for (const change of [{ toolChoice: 'none' as const }, { tools: [] }]) {
      const failed = await read(`<tool_call>${call}</tool_call>`, 4, change).catch((e) => e);
      expect(faultOf(failed)).toEqual({ kind: 'half-call' });
    }
  });
});
