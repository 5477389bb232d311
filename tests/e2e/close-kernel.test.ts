import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contracts/events.ts';
import { type Kernel, openKernel } from '../../src/kernel.ts';
import { openPlace, type Place } from '../support/place.ts';

/** A pattern and a text with which a search in linear time is busy for some ten seconds. */
const endless = { pattern: '(a+)+$' };
const files = { 'a.txt': `${'a'.repeat(60)}!\n`.repeat(640_000) };

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
  it('makes no room in a session', async () => {
    using place = openPlace(files);
    const kernel = await open(place);
    await kernel[Symbol.asyncDispose]();
    const events: RunEvent[] = [];
    for await (const event of kernel.compact('none')) events.push(event);
    expect(events.slice(-2)).toMatchObject(canceled);
  });

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

/** Every command of a kernel; arguments are of no matter, because none is looked at. */
function commandsOf(kernel: Kernel): Record<string, () => unknown> {
  const found: Record<string, () => unknown> = {};
  const note = (name: string, value: unknown): void => {
    if (typeof value === 'function') found[name] = () => value('search', {}, {});
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) note(`${name}.${key}`, inner);
  };
  // What is a run ends with an event, as tested above.
  const {
    config: _,
    run: _run,
    ask: _ask,
    compact: _compact,
    remember: _remember,
    ...rest
  } = kernel;
  for (const [name, value] of Object.entries(rest)) note(name, value);
  return found;
}

async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    return { value: await work() };
  } catch (thrown) {
    return thrown;
  }
}

const closed = { code: 'canceled', message: 'the kernel was closed' };

describe('every command of a kernel', () => {
  it.each(['never used', 'used before'])(
    'is refused as canceled once it is closed, %s',
    async (state) => {
      using place = openPlace(files);
      const kernel = await open(place);
      if (state === 'used before') {
        expect(await kernel.tools()).not.toEqual([]);
        await kernel.memory();
        expect(await kernel.undo.allRuns(10)).toEqual([]);
      }
      await kernel[Symbol.asyncDispose]();
      const outcomes: Record<string, unknown> = {};
      const commands = commandsOf(kernel);
      for (const [name, work] of Object.entries(commands)) outcomes[name] = await outcomeOf(work);
      const wanted = Object.fromEntries(Object.keys(commands).map((name) => [name, closed]));
      expect(outcomes).toMatchObject(wanted);
      expect(Object.keys(wanted).length).toBeGreaterThan(45);
    },
  );

  it('leaves the store and memory that it gave away canceled, too', async () => {
    using place = openPlace(files);
    const kernel = await open(place);
    const store = await kernel.store();
    const memory = await kernel.memory();
    const { signal } = new AbortController();
    const search = () => memory.search({ text: 'a', limit: 1 }, { signal });
    expect(await search()).toEqual([]);
    await kernel[Symbol.asyncDispose]();
    expect(await outcomeOf(() => store.latestSession(place.work))).toMatchObject({
      code: 'canceled',
    });
    expect(await outcomeOf(search)).toMatchObject({ code: 'canceled' });
  });
});

describe('a command under way when its kernel is closed', () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [
      `${at}.md`,
      `# Page ${at}\n\nIt is about ${at} things.\n`,
    ]),
  );
  const commands: readonly [
    string,
    (kernel: Kernel, signal: AbortSignal, begun: () => void) => Promise<unknown>,
  ][] = [
    ['index', (kernel, signal, onProgress) => kernel.index.update({ signal, onProgress })],
    [
      'memory add',
      (kernel, signal, onProgress) =>
        kernel.memoryCommands.addPath(kernel.config.workspace, { signal, onProgress }),
    ],
  ];

  it.each(commands)('%s is canceled and waited for', async (_, start) => {
    using place = openPlace(many);
    const kernel = await open(place);
    const begun = Promise.withResolvers<void>();
    const { signal } = new AbortController();
    let isEnded = false;
    const outcome = outcomeOf(() => start(kernel, signal, begun.resolve)).finally(() => {
      isEnded = true;
    });
    await begun.promise;
    await kernel[Symbol.asyncDispose]();
    expect(isEnded).toBe(true);
    expect(await outcome).toMatchObject(closed);
  });
});
