import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../contracts/model.ts';
import { readWords } from './read-words.ts';

const request: ModelRequest = {
  ...{ question: '', system: '', messages: [], toolChoice: 'auto', maxOutputTokens: 100 },
  tools: [{ name: 'search.grep', description: '', inputSchema: { type: 'object' } }],
};

/** @returns processor time, in ms */
async function read(text: string): Promise<number> {
  const before = process.cpuUsage();
  async function* events(): AsyncGenerator<ModelEvent> {
    for (let at = 0; at < text.length; at += 7) {
      yield { type: 'text', delta: text.slice(at, at + 7) };
    }
    yield { type: 'end', stop: 'end', usage: { inputTokens: 1, outputTokens: 1 } };
  }
  try {
    for await (const _event of readWords(events(), request, { round: 1 }));
  } catch {
    // Half a call, or none.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe('readWords()', () => {
  it.each([
    ...['\n', ' ', '<', '`', '`a', '```\n', '{"a":', '[', 'a(', '</think>', '<|channel|>a'],
    ...['<tool_call>', '<function=a>', '<parameter=a>', '<arg_key>', '```json\n{}\n', '"\\'],
  ])('reads a reply of %j alone in a time that grows with its length', async (unit) => {
    for (const begin of ['', '<tool_call>', '<tool_call><function=x>']) {
      const took = await read(begin + unit.repeat(200_000 / unit.length));
      expect(took, begin).toBeLessThan(4_000);
    }
  });
});
