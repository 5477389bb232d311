import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contracts/events.ts';
import { type Kernel, openKernel } from '../../src/kernel.ts';
import { openPlace, type Place } from './support/place.ts';

/** A pattern and a text with which a backtracking engine is busy for years. */
const endless = { pattern: '(a+)+$' };
const files = { 'a.txt': `${'a'.repeat(60)}!\n` };

const ways: readonly [string, (kernel: Kernel) => ReturnType<Kernel['run']>][] = [
  ['run', (kernel) => kernel.run('search.grep', endless)],
  ['ask', (kernel) => kernel.ask(`search.grep ${JSON.stringify(endless)}`)],
];

const canceled = [
  { type: 'error', code: 'canceled', message: 'the kernel was closed' },
  { type: 'run-finished', status: 'canceled', exitCode: 130 },
];

function open(place: Place, more: Parameters<typeof openKernel>[0] = {}): Promise<Kernel> {
  return openKernel({ home: place.home, workspace: place.work, model: 'none', ...more });
}

async function statuses(place: Place): Promise<string[]> {
  await using kernel = await open(place);
  return (await kernel.undo.allRuns(10)).map(({ command, status }) => `${command} ${status}`);
}

describe.each(ways)('%s of a kernel that is closed', (command, start) => {
  it('is canceled while its guest computes, and journaled as that', async () => {
    using place = openPlace(files);
    const kernel = await open(place);
    const events: RunEvent[] = [];
    let closing: PromiseLike<void> | undefined;
    for await (const event of start(kernel)) {
      events.push(event);
      if (event.type === 'step-started') closing = kernel[Symbol.asyncDispose]();
    }
    await closing;
    expect(events.find(({ type }) => type === 'step-finished')).toMatchObject({
      status: 'canceled',
    });
    expect(events.slice(-2)).toMatchObject(canceled);
    expect(await statuses(place)).toEqual([`${command} canceled`]);
  });

  it('does not hold the closing up where nobody reads its events, which are told later', async () => {
    using place = openPlace(files);
    const kernel = await open(place);
    const run = start(kernel);
    const events: RunEvent[] = [];
    while (events.at(-1)?.type !== 'step-started') {
      const next = await run.next();
      if (next.done !== true) events.push(next.value);
    }
    await kernel[Symbol.asyncDispose]();
    for await (const event of run) events.push(event);
    expect(events.slice(-2)).toMatchObject(canceled);
    expect(await statuses(place)).toEqual([`${command} canceled`]);
  });

  it('is canceled when it begins behind the closing', async () => {
    using place = openPlace(files);
    const kernel = await open(place);
    await kernel[Symbol.asyncDispose]();
    const events: RunEvent[] = [];
    for await (const event of start(kernel)) events.push(event);
    expect(events).toMatchObject([{ type: 'run-started' }, ...canceled]);
  });
});

describe('a kernel that is closed', () => {
  it('lets an undo that has begun come to its end, and begins no other', async () => {
    using place = openPlace();
    const kernel = await open(place, { allow: ['fs-write:work'] });
    for (const path of ['a.txt', 'b.txt'])
      for await (const _ of kernel.run('file.write', { path, text: path }));
    const [newer, older] = await kernel.undo.planLast(2);
    const undone = kernel.undo.undo(newer?.run.run ?? '');
    while ((await kernel.undo.allRuns(1))[0]?.command !== 'undo');
    const closing = kernel[Symbol.asyncDispose]();
    const other = kernel.undo.undo(older?.run.run ?? '');
    await expect(other).rejects.toMatchObject({ code: 'canceled' });
    expect(await undone).toMatchObject({ paths: ['b.txt'], left: [] });
    await closing;
    expect(readdirSync(place.work)).toEqual(['a.txt']);
    expect(await statuses(place)).toEqual(['undo ok', 'run ok', 'run ok']);
  });
});
