import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import type { JournalEvent } from '../../contracts/journal.ts';
import type { ReplayReport } from '../../contracts/output/parse-journal.ts';
import type { TalkPart } from '../../contracts/talk.ts';
import type { JsonObject, Tool } from '../../contracts/tool.ts';
import { replayModel } from './replay-model.ts';

const run = {
  ...{ id: 'r1', session: 's', command: 'ask', question: 'what does a.txt say?', project: '/p' },
  ...{ model: 'm', status: 'ok', startedMs: 0, finishedMs: 1 },
};

const reading = (name: string, properties: JsonObject): Tool => ({
  ...{ name, plugin: 'file', pluginVersion: '1.0.0', digest: 'd', effect: 'read' },
  ...{ description: 'Reads.', examples: [] },
  inputSchema: { type: 'object', properties, additionalProperties: false },
});
const read = reading('file.read', { path: { type: 'string' } });

const step = (id: string, tool: string, input: JsonObject): JournalEvent => ({
  ...{ seq: 1, run: 'r1', step: id, kind: 'step', ts: 0 },
  body: {
    ...{ tool, plugin: 'file', digest: 'd', input, status: 'ok', summary: 'read', durationMs: 1 },
    ...{ bytes: 2, attempts: 1, content: 'hi' },
  },
});
const said = (text: string, calls: readonly [string, JsonObject][] = []): TalkPart => ({
  ...{ kind: 'reply', text },
  calls: calls.map(([name, input], at) => ({ id: `${text}${at}`, name, input })),
});

const replay = async (
  tools: readonly Tool[],
  parts: readonly TalkPart[],
  events: readonly JournalEvent[],
): Promise<ReplayReport> =>
  await replayModel(
    run,
    { parts, events },
    {
      ...{ config: loadConfig({ home: `${homedir()}/none`, workspace: homedir() }), tools },
      ...{ clock: { nowMs: () => 0 }, isBuiltin: () => true, onlyReads: () => false },
      signal: new AbortController().signal,
    },
  );

describe('replayModel()', () => {
  const parts = [said('first', [['file__read', { path: 'a.txt' }]]), said('It says hi.')];

  it('makes the same calls of the same replies', async () => {
    const report = await replay([read], parts, [step('s1', 'file.read', { path: 'a.txt' })]);
    expect(report).toEqual({
      ...{ run: 'r1', alike: true },
      steps: [{ step: 's1', tool: 'file.read', calls: 0, outcome: 'alike', differences: [] }],
    });
  });

  it('names the first field of a call that is another one now', async () => {
    const { alike, steps } = await replay([read], parts, [
      step('s1', 'file.read', { path: 'b.txt' }),
    ]);
    expect(alike).toBe(false);
    expect(steps[0]?.differences).toEqual([
      { at: 'call', field: 'input/path', recorded: 'b.txt', replayed: 'a.txt' },
    ]);
  });

  it('says why a call is not made any more, and that one would be made now', async () => {
    const two = [...parts.slice(0, 1), said('second', [['file__stat', {}]]), said('Done.')];
    const stat = reading('file.stat', {});
    const gone = await replay([stat], two, [step('s1', 'file.read', { path: 'a.txt' })]);
    expect(gone.steps).toMatchObject([
      {
        ...{ step: 's1', outcome: 'different', why: expect.stringContaining('there is no tool') },
        differences: [{ field: 'tool', recorded: 'file.read', replayed: null }],
      },
      {
        ...{ step: 's2', outcome: 'different' },
        differences: [{ field: 'tool', recorded: null, replayed: 'file.stat' }],
      },
    ]);
  });

  it('refuses a run whose replies are gone', async () => {
    await expect(replay([read], [], [])).rejects.toThrow('holds no replies of a model');
  });
});
